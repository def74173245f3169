package dev.ratelimit.memcached;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;

/**
 * Fixed windows that begin with their first use, on the clock of the server: one key per
 * window, which expires with it. A lifetime is whole seconds, give or take one, so it is
 * a second longer than the window; no window ends too early.
 */
enum FirstUseKeys implements WindowKeys {

	/** The only one. */
	FIXED;

	private static final String KIND = ":f1:";

	@Override
	public int replies() {
		return 1;
	}

	@Override
	public void count(MetaCommands commands, Place place, long cost) {
		commands.countUp(place.key(KIND), place.windowSeconds() + 1, cost, place.nowSeconds());
	}

	@Override
	public void read(MetaCommands commands, Place place) {
		commands.read(place.key(KIND));
	}

	/**
	 * The key of a window is also that of the next one, so nothing is released once the
	 * window may have ended: requests are then refused too early, at most for a second.
	 */
	@Override
	public void release(MetaCommands commands, Place place, long cost, long receipt) {
		if (place.nowMicros() < receipt) {
			commands.countDown(place.key(KIND), cost);
		}
	}

	@Override
	public void delete(MetaCommands commands, Place place) {
		commands.delete(place.key(KIND));
	}

	/**
	 * The receipt is when the window may end at the earliest, by the clock of this
	 * instance.
	 */
	@Override
	public Optional<WindowState> state(List<MetaReply> replies, Place place) {
		MetaReply reply = replies.get(0);
		if (reply instanceof MetaReply.NotRun) {
			return Optional.empty();
		}
		long seconds = (reply instanceof MetaReply.Count counted) ? counted.secondsLeft() : 0;
		long certain = Math.max(0, seconds - 1) * Place.SECOND_MICROS;
		return Optional.of(new FixedState(place.limit().count(place.index()), WindowKeys.countOf(reply),
				seconds * Place.SECOND_MICROS, place.nowMicros() + certain));
	}

}
