package dev.ratelimit.limiter.remote;

/**
 * The state of a shard since its last reply. Immutable; every outcome that changes it
 * creates a new state. Tested by {@code RemoteStoreBreakerTests}.
 *
 * @param failures how many failures have counted
 * @param firstNanos when the first of them was detected
 * @param lastNanos when the last of them was detected
 * @param pauseNanos the time without calls between two probes; zero while the shard is
 * called
 * @param probeNanos when the next probe is due
 * @param isProbing whether the probe is in progress
 */
record ShardState(int failures, long firstNanos, long lastNanos, long pauseNanos, long probeNanos, boolean isProbing) {

	/** The shard was not called, or has responded. */
	static final ShardState WELL = new ShardState(0, 0, 0, 0, 0, false);

	boolean isWell() {
		return this.failures == 0;
	}

	boolean isOpen() {
		return this.pauseNanos > 0;
	}

	boolean isProbeDue(long nowNanos) {
		return !this.isProbing && nowNanos - this.probeNanos >= 0;
	}

	ShardState probing() {
		return new ShardState(this.failures, this.firstNanos, this.lastNanos, this.pauseNanos, this.probeNanos, true);
	}

	ShardState probeLater(long nowNanos) {
		return leftAlone(nowNanos, this.pauseNanos);
	}

	ShardState afterFailure(long nowNanos, BreakerSettings settings) {
		if (isOpen()) {
			return this.isProbing ? leftAlone(nowNanos, settings.afterPauseNanos(this.pauseNanos)) : this;
		}
		if (this.failures > 0 && nowNanos - this.lastNanos < settings.apartNanos()) {
			return this;
		}
		long first = (this.failures > 0) ? this.firstNanos : nowNanos;
		ShardState next = new ShardState(this.failures + 1, first, nowNanos, 0, 0, false);
		boolean silent = next.failures > 1 && nowNanos - first >= settings.silenceNanos();
		return (silent || next.failures >= settings.failures()) ? next.leftAlone(nowNanos, settings.firstPauseNanos())
				: next;
	}

	private ShardState leftAlone(long nowNanos, long pauseNanos) {
		return new ShardState(this.failures, this.firstNanos, this.lastNanos, pauseNanos, nowNanos + pauseNanos, false);
	}

}
