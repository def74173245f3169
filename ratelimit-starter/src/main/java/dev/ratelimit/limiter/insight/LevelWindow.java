package dev.ratelimit.limiter.insight;

/**
 * A bucket: how much was taken out of it or poured into it, and how fast that passes.
 * Tested by {@code TrialWindowTests}.
 */
final class LevelWindow implements TrialWindow {

	private final double capacity;

	private final double perMicro;

	private double level;

	private long lastMicros;

	LevelWindow(double capacity, double perMicro) {
		this.capacity = capacity;
		this.perMicro = perMicro;
	}

	@Override
	public boolean hasRoom(long cost, int instances, long nowMicros) {
		if (nowMicros > this.lastMicros) {
			this.level = Math.max(0, this.level - (nowMicros - this.lastMicros) * this.perMicro / instances);
			this.lastMicros = nowMicros;
		}
		return this.level * instances + cost <= this.capacity;
	}

	@Override
	public void take(long cost, long nowMicros) {
		this.level += cost;
	}

}
