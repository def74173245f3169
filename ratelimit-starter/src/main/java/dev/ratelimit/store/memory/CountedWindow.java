package dev.ratelimit.store.memory;

import dev.ratelimit.store.Limit;

/**
 * The permits that are counted in one window: an immutable value with the arithmetic of
 * an algorithm, and nothing else.
 *
 * @param <W> the algorithm
 */
interface CountedWindow<W extends CountedWindow<W>> {

	/**
	 * The permits that still count at an instant. Where the clock has stepped back, those
	 * of the future count as of that instant.
	 * @param limit the limit
	 * @param i the index of its threshold
	 * @param nowMicros the instant
	 * @return the window of that instant
	 */
	W at(Limit limit, int i, long nowMicros);

	/** Whether permits were counted after an instant: the clock has stepped back. */
	boolean isAheadOf(long window, long nowMicros);

	/**
	 * The number of permits that can be taken; negative if a larger plan has taken more
	 * than this limit has.
	 */
	long room(Limit limit, int i, long nowMicros);

	/** Whether any permit counts. */
	boolean isUsed();

	/** The instant from which no permit counts any more. */
	long endMicros(long window);

	/**
	 * The instant from which a release, too, changes nothing.
	 * @param window the length of the window
	 * @param lastMicros when permits were taken last, from any window
	 */
	default long idleMicros(long window, long lastMicros) {
		return endMicros(window);
	}

	/**
	 * The time until there is room for a cost that has none now, and that the threshold
	 * allows.
	 */
	default long retryMicros(Limit limit, int i, long cost, long nowMicros) {
		return endMicros(limit.windowMicros(i)) - nowMicros;
	}

	/** The receipt of the permits that are taken next. */
	long receipt(long window);

	/** Take permits. */
	W plus(long permits);

	/** Whether the permits of a receipt can be identified. */
	boolean identifies(long receipt, long window);

	/**
	 * Release permits that can be {@linkplain #identifies identified}.
	 * @param permits the number of permits
	 * @param receipt their receipt
	 * @param window the length of the window
	 * @param lastMicros when permits were taken last, from any window
	 * @return the window without those that still count
	 */
	W minus(long permits, long receipt, long window, long lastMicros);

	/** The window as it is stored when others are requested, at an instant. */
	W keptAt(long nowMicros);

}
