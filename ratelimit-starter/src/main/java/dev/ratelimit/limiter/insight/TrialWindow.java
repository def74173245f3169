package dev.ratelimit.limiter.insight;

import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.Limit;

/**
 * One window of a client on trial, in a few numbers: its state if its threshold were
 * different. Not safe for concurrent use.
 */
interface TrialWindow {

	/** The number of parts in which the window of a log is recorded. */
	int LOG_PARTS = 10;

	/**
	 * Create an empty window.
	 * @param limit the limit of the client
	 * @param index the place of the window in the limit
	 * @param factor the factor of its threshold
	 * @return the window
	 */
	static TrialWindow of(Limit limit, int index, double factor) {
		long window = limit.windowMicros(index);
		double capacity = Math.max(1, limit.capacity(index) * factor);
		boolean up = limit.rounding() == Rounding.UP;
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW_LOG -> new PartedWindow(capacity, window, LOG_PARTS, true, false);
			case SLIDING_WINDOW_COUNTER -> new PartedWindow(capacity, window, 1, true, up);
			case FIXED_WINDOW -> new PartedWindow(capacity, window, 1, false, up);
			case TOKEN_BUCKET -> (limit.refill() == Refill.INTERVAL) ? new IntervalWindow(capacity, window)
					: new LevelWindow(capacity, limit.count(index) * factor / window);
			case LEAKY_BUCKET -> new LevelWindow(capacity, limit.count(index) * factor / window);
		};
	}

	/**
	 * Whether a request would be admitted.
	 * @param cost how many permits it costs
	 * @param instances how many instances share the limit; each is assumed to have
	 * admitted as much as this one
	 * @param nowMicros the time
	 * @return whether there is room
	 */
	boolean hasRoom(long cost, int instances, long nowMicros);

	/**
	 * Count permits, after {@link #hasRoom} was called with this time.
	 * @param cost how many
	 * @param nowMicros the time
	 */
	void take(long cost, long nowMicros);

}
