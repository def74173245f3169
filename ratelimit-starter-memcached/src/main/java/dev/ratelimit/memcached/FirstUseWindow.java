package dev.ratelimit.memcached;

import java.util.List;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.store.Limit;

/**
 * A fixed window that begins with its first use, on the clock of the server: one key,
 * which expires with it. A lifetime is whole seconds, give or take one, so it is a second
 * longer than the window, which does not end too early unless the server stood still
 * (docs/memcached.md).
 */
final class FirstUseWindow extends Window {

	private static final String KIND = ":f1:";

	/** How long a release may take to reach its server. */
	private static final long ON_THE_WAY_MICROS = SECOND_MICROS;

	FirstUseWindow(String start, Limit limit, int index, long nowMicros) {
		super(start, limit, index, nowMicros);
	}

	@Override
	int replies() {
		return 1;
	}

	@Override
	void count(MetaCommands commands, long cost) {
		commands.countUp(key(KIND), windowSeconds() + 1, cost, nowSeconds());
	}

	@Override
	void read(MetaCommands commands) {
		commands.read(key(KIND));
	}

	@Override
	void delete(MetaCommands commands) {
		commands.delete(key(KIND));
	}

	/**
	 * The key of a window is also that of the next one, so nothing is released within a
	 * second before the window may end. Its permits count until then.
	 */
	@Override
	void release(MetaCommands commands, long cost, long receipt) {
		if (nowMicros() + ON_THE_WAY_MICROS < receipt) {
			commands.countDown(key(KIND), cost);
		}
	}

	/** A lifetime is what was read, give or take a second. */
	@Override
	boolean hasEnded(long receipt) {
		return nowMicros() >= receipt + 2 * SECOND_MICROS;
	}

	@Override
	WindowState state(List<MetaReply> replies) {
		long seconds = (replies.get(0) instanceof MetaReply.Count counted) ? secondsLeft(counted) : 0;
		return new WindowState(limit(), index(), countOf(replies.get(0)), 0, seconds * SECOND_MICROS);
	}

	/** When the window may end at the earliest, by the clock of this instance. */
	@Override
	long receipt(List<MetaReply> replies) {
		return (replies.get(0) instanceof MetaReply.Count counted)
				? nowMicros() + Math.max(0, secondsLeft(counted) - 1) * SECOND_MICROS : NOT_COUNTED;
	}

	/** A count that lives for ever is not the limiter's; it lasts for a window more. */
	private long secondsLeft(MetaReply.Count counted) {
		return (counted.secondsLeft() < 0) ? windowSeconds() + 1 : counted.secondsLeft();
	}

}
