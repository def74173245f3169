package dev.ratelimit.memcached;

/**
 * A fixed window.
 *
 * @param threshold its threshold
 * @param used what is counted
 * @param endsInMicros the time until it has certainly ended
 */
record FixedState(long threshold, long used, long endsInMicros) implements WindowState {

	@Override
	public long room() {
		return this.threshold - this.used;
	}

	@Override
	public long resetMicros() {
		return (this.used > 0) ? this.endsInMicros : 0;
	}

	@Override
	public long retryMicros(long cost) {
		return this.endsInMicros;
	}

	@Override
	public FixedState plus(long permits) {
		return new FixedState(this.threshold, Math.max(0, this.used + permits), this.endsInMicros);
	}

}
