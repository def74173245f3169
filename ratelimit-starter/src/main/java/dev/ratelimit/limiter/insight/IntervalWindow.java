package dev.ratelimit.limiter.insight;

/**
 * A bucket that is full again one window after its first token was taken. Tested by
 * {@code TrialWindowTests}.
 */
final class IntervalWindow implements TrialWindow {

	private final double capacity;

	private final long windowMicros;

	private double used;

	private long endMicros;

	IntervalWindow(double capacity, long windowMicros) {
		this.capacity = capacity;
		this.windowMicros = windowMicros;
	}

	@Override
	public boolean hasRoom(long cost, int instances, long nowMicros) {
		if (this.used > 0 && nowMicros >= this.endMicros) {
			this.used = 0;
		}
		return this.used * instances + cost <= this.capacity;
	}

	@Override
	public void take(long cost, long nowMicros) {
		if (this.used == 0) {
			this.endMicros = nowMicros + this.windowMicros;
		}
		this.used += cost;
	}

}
