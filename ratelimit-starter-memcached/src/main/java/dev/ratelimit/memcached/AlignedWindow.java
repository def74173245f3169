package dev.ratelimit.memcached;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;

/**
 * A window that begins at a whole multiple of its length, on the clock of the instances:
 * one key per window and number. A sliding-window counter reads the window before, too. A
 * receipt is the end of its window.
 */
final class AlignedWindow extends Window {

	private final String kind;

	/** The number of windows that count: the current one, and perhaps that before. */
	private final int counting;

	/** The number of windows of this length since 1970. */
	private final long number;

	AlignedWindow(String start, Limit limit, int index, long nowMicros) {
		super(start, limit, index, nowMicros);
		boolean slides = limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER;
		this.kind = slides ? ":c1:" : ":a1:";
		this.counting = slides ? 2 : 1;
		this.number = nowMicros / windowMicros();
	}

	@Override
	int replies() {
		return this.counting;
	}

	@Override
	void count(MetaCommands commands, long cost) {
		count(commands, cost, this.number);
	}

	@Override
	void read(MetaCommands commands) {
		count(commands, 0, this.number);
	}

	/**
	 * Add the commands that count a cost where a receipt says, and read the others. What
	 * has passed is not counted; where the clock has stepped back, the cost counts now.
	 */
	void countAt(MetaCommands commands, long cost, long receipt) {
		count(commands, cost, numberAt(receipt));
	}

	/** The reply that has counted where a receipt says; empty where that has passed. */
	Optional<MetaReply> replyAt(List<MetaReply> replies, long receipt) {
		int index = (int) Math.max(-1, numberAt(receipt) - this.number + this.counting - 1);
		return (index < 0) ? Optional.empty() : Optional.of(replies.get(index));
	}

	private void count(MetaCommands commands, long cost, long counted) {
		for (long window = oldest(); window <= this.number; window++) {
			if (window == counted && cost > 0) {
				commands.countUp(key(window), lifetimeSeconds(), cost, nowSeconds());
			}
			else {
				commands.read(key(window));
			}
		}
	}

	private long oldest() {
		return this.number - this.counting + 1;
	}

	/** A window that is the one before counts for as long again. */
	private long lifetimeSeconds() {
		return this.counting * windowSeconds() + 1;
	}

	private String key(long window) {
		return key(this.kind) + ":" + window;
	}

	private long numberAt(long receipt) {
		return Math.min(numberOf(receipt), this.number);
	}

	private long numberOf(long receipt) {
		return receipt / windowMicros() - 1;
	}

	@Override
	void delete(MetaCommands commands) {
		for (long window = oldest(); window <= this.number; window++) {
			commands.delete(key(window));
		}
	}

	@Override
	void release(MetaCommands commands, long cost, long receipt) {
		if (!hasEnded(receipt)) {
			commands.countDown(key(numberOf(receipt)), cost);
		}
	}

	@Override
	boolean hasEnded(long receipt) {
		return numberOf(receipt) < oldest();
	}

	@Override
	WindowState state(List<MetaReply> replies) {
		long before = (this.counting == 1) ? 0 : countOf(replies.get(0));
		return new WindowState(limit(), index(), countOf(replies.get(this.counting - 1)), before,
				endMicros() - nowMicros());
	}

	/**
	 * A window before that could not be read does not undo what is counted in this one.
	 */
	@Override
	long receipt(List<MetaReply> replies) {
		return (replies.get(this.counting - 1) instanceof MetaReply.Count) ? endMicros() : NOT_COUNTED;
	}

	/** The receipt of the current window. */
	long endMicros() {
		return (this.number + 1) * windowMicros();
	}

}
