package dev.ratelimit.store;

/**
 * How long a question for permits can be put off, for its turn.
 *
 * @param notBeforeMicros how long from now on there is to be no turn, in microseconds;
 * zero where it may come at once
 * @param notAfterMicros when it must have come at the latest, in microseconds from now
 * @param maxQueue how many may wait for their turns; a leaky bucket is bounded by its
 * burst instead
 */
public record WaitRange(long notBeforeMicros, long notAfterMicros, long maxQueue) {

	public WaitRange {
		if (maxQueue < 1 || notBeforeMicros < 0 || notAfterMicros < notBeforeMicros) {
			throw new IllegalArgumentException(
					"There is no wait from %dus to %dus for %d".formatted(notBeforeMicros, notAfterMicros, maxQueue));
		}
	}

	/**
	 * However many wait already.
	 * @param notBeforeMicros how long from now on there is to be no turn
	 * @param notAfterMicros when it must have come at the latest
	 */
	public WaitRange(long notBeforeMicros, long notAfterMicros) {
		this(notBeforeMicros, notAfterMicros, Long.MAX_VALUE);
	}

}
