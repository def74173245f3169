package dev.ratelimit.store;

/**
 * How long a request for permits can be delayed until its turn. Tested by
 * {@code AcquireTests}.
 *
 * @param notBeforeMicros the earliest turn, in microseconds from now; zero if it may come
 * at once
 * @param notAfterMicros the latest turn, in microseconds from now
 * @param maxQueue the maximum number of requests that wait for their turns; a leaky
 * bucket is bounded by its burst instead
 */
public record WaitRange(long notBeforeMicros, long notAfterMicros, long maxQueue) {

	public WaitRange {
		if (maxQueue < 1 || notBeforeMicros < 0 || notAfterMicros < notBeforeMicros) {
			throw new IllegalArgumentException(
					"There is no wait from %dus to %dus for %d".formatted(notBeforeMicros, notAfterMicros, maxQueue));
		}
	}

	/**
	 * A range without a bound on the number of waiting requests.
	 * @param notBeforeMicros the earliest turn, in microseconds from now
	 * @param notAfterMicros the latest turn, in microseconds from now
	 */
	public WaitRange(long notBeforeMicros, long notAfterMicros) {
		this(notBeforeMicros, notAfterMicros, Long.MAX_VALUE);
	}

}
