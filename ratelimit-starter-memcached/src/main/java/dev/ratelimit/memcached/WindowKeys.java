package dev.ratelimit.memcached;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.store.Limit;

/**
 * In which keys windows are counted, and what their counts mean.
 */
interface WindowKeys {

	/**
	 * How a limit is counted. Instances of a synced rule spend permits without a call, so
	 * they have to know in advance when a window ends; other fixed windows begin with
	 * their first use.
	 */
	static WindowKeys of(Limit limit) {
		if (limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER) {
			return AlignedKeys.TWO_COUNTERS;
		}
		return (limit.mode().kind() == ModeKind.SYNCED) ? AlignedKeys.SYNCED_FIXED : FirstUseKeys.FIXED;
	}

	/** The number of replies for one window, after counting and after reading. */
	int replies();

	/** Add the commands that count a cost in the current window. */
	void count(MetaCommands commands, Place place, long cost);

	/** Add the commands that read the current window. */
	void read(MetaCommands commands, Place place);

	/**
	 * Add the commands that subtract a cost where a receipt says, unless that has passed.
	 */
	void release(MetaCommands commands, Place place, long cost, long receipt);

	/** Whether nothing that a receipt names can be counted any more. */
	boolean hasEnded(Place place, long receipt);

	/** Add the commands that delete the window. */
	void delete(MetaCommands commands, Place place);

	/**
	 * Interpret the replies for one window.
	 * @param replies as many as there are {@linkplain #replies() for one window}
	 * @return what is counted; empty if a command did not run
	 */
	Optional<WindowState> state(List<MetaReply> replies, Place place);

	/**
	 * Name the window for a release, after counting.
	 * @param replies as many as there are {@linkplain #replies() for one window}
	 * @return the receipt, which is never zero; empty if the cost was not counted
	 */
	Optional<Long> receipt(List<MetaReply> replies, Place place);

	/** The count that a key has. */
	static long countOf(MetaReply reply) {
		return (reply instanceof MetaReply.Count counted) ? counted.count() : 0;
	}

}
