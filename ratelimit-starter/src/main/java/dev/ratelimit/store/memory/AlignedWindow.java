package dev.ratelimit.store.memory;

/**
 * A window that begins at a whole multiple of its length. A receipt is its end, plus the
 * steps back of the clock, so that permits of before and after a step can be
 * distinguished.
 *
 * @param <W> the algorithm
 */
interface AlignedWindow<W extends AlignedWindow<W>> extends CountedWindow<W> {

	/** The number of distinct steps: less than the shortest window has microseconds. */
	long STEPS = 1000;

	/** The largest count: as in the script, larger ones are not distinguished. */
	long MOST = 999_999_999_999_999L;

	/** The number of windows before it. */
	long index();

	/** How often the clock has stepped back behind it. */
	long steps();

	/**
	 * Add permits of this window or of an earlier one.
	 * @param permits the number of permits; negative to release them
	 * @param age the number of windows since they were taken
	 * @return the window
	 */
	W plus(long permits, long age);

	@Override
	default W plus(long permits) {
		return plus(permits, 0);
	}

	@Override
	default W minus(long permits, long receipt, long window, long lastMicros) {
		return plus(-permits, age(receipt, window));
	}

	@Override
	default boolean isAheadOf(long window, long nowMicros) {
		return index() > nowMicros / window;
	}

	@Override
	default long receipt(long window) {
		return (index() + 1) * window + steps();
	}

	@Override
	default boolean identifies(long receipt, long window) {
		return age(receipt, window) >= 0 && receipt % window == steps();
	}

	/** The number of windows since the permits of a receipt were taken. */
	default long age(long receipt, long window) {
		return index() + 1 - receipt / window;
	}

	/** A count that the script can store. */
	static long counted(long permits) {
		return Math.max(0, Math.min(MOST, permits));
	}

}
