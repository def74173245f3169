package dev.ratelimit.store;

/**
 * How long a question for permits can be put off, for its turn.
 *
 * @param notBeforeMicros how long from now on there is to be no turn, in microseconds;
 * zero where it may come at once
 * @param notAfterMicros when it must have come at the latest, in microseconds from now
 */
public record WaitRange(long notBeforeMicros, long notAfterMicros) {

	public WaitRange {
		if (notBeforeMicros < 0 || notAfterMicros < notBeforeMicros) {
			throw new IllegalArgumentException(
					"There is no wait from %dus to %dus".formatted(notBeforeMicros, notAfterMicros));
		}
	}

}
