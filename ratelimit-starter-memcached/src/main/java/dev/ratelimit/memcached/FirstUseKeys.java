package dev.ratelimit.memcached;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;

/**
 * Fixed windows that begin with their first use, on the clock of the server: one key per
 * window, which expires with it. A lifetime is whole seconds, give or take one, so it is
 * a second longer than the window, which does not end too early unless the server stood
 * still (docs/memcached.md).
 */
enum FirstUseKeys implements WindowKeys {

	/** The only one. */
	FIXED;

	private static final String KIND = ":f1:";

	/** How long a release may take to reach its server. */
	private static final long ON_THE_WAY_MICROS = Place.SECOND_MICROS;

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
	 * The key of a window is also that of the next one, so nothing is released within a
	 * second before the window may end. Its permits count until then.
	 */
	@Override
	public void release(MetaCommands commands, Place place, long cost, long receipt) {
		if (place.nowMicros() + ON_THE_WAY_MICROS < receipt) {
			commands.countDown(place.key(KIND), cost);
		}
	}

	/** A lifetime is what was read, give or take a second. */
	@Override
	public boolean hasEnded(Place place, long receipt) {
		return place.nowMicros() >= receipt + 2 * Place.SECOND_MICROS;
	}

	@Override
	public void delete(MetaCommands commands, Place place) {
		commands.delete(place.key(KIND));
	}

	@Override
	public Optional<WindowState> state(List<MetaReply> replies, Place place) {
		MetaReply reply = replies.get(0);
		if (reply instanceof MetaReply.NotRun) {
			return Optional.empty();
		}
		long seconds = (reply instanceof MetaReply.Count counted) ? secondsLeft(counted, place) : 0;
		return Optional.of(new FixedState(place.limit().count(place.index()), WindowKeys.countOf(reply),
				seconds * Place.SECOND_MICROS));
	}

	/** When the window may end at the earliest, by the clock of this instance. */
	@Override
	public Optional<Long> receipt(List<MetaReply> replies, Place place) {
		return (replies.get(0) instanceof MetaReply.Count counted)
				? Optional.of(place.nowMicros() + Math.max(0, secondsLeft(counted, place) - 1) * Place.SECOND_MICROS)
				: Optional.empty();
	}

	/** A count that lives for ever is not the limiter's; it lasts for a window more. */
	private static long secondsLeft(MetaReply.Count counted, Place place) {
		return (counted.secondsLeft() < 0) ? place.windowSeconds() + 1 : counted.secondsLeft();
	}

}
