package dev.ratelimit.limiter.insight;

import java.util.Arrays;

/**
 * Represents a window by the counts of its parts. In a sliding window the weight of the
 * oldest part shrinks gradually, as in the sliding-window counter, which has only one
 * part. Ten parts follow a log to a tenth of its window. Tested by
 * {@code TrialWindowTests}.
 */
final class PartedWindow implements TrialWindow {

	private final double threshold;

	private final long partMicros;

	private final boolean sliding;

	private final boolean up;

	/** The counts of the last parts, and of the part that is leaving the window. */
	private final long[] counts;

	private long newest;

	PartedWindow(double threshold, long windowMicros, int parts, boolean sliding, boolean up) {
		this.threshold = threshold;
		this.partMicros = (windowMicros + parts - 1) / parts;
		this.sliding = sliding;
		this.up = up;
		this.counts = new long[parts + 1];
	}

	@Override
	public boolean hasRoom(long cost, int instances, long nowMicros) {
		long part = Math.floorDiv(nowMicros, this.partMicros);
		moveTo(part);
		// Threads may arrive in another order than they read their clocks.
		double elapsed = (part < this.newest) ? 0
				: (double) Math.floorMod(nowMicros, this.partMicros) / this.partMicros;
		return used(elapsed) * instances + cost <= this.threshold;
	}

	private void moveTo(long part) {
		long steps = Math.min(part - this.newest, this.counts.length);
		if (steps == this.counts.length) {
			Arrays.fill(this.counts, 0);
		}
		else {
			for (long i = 1; i <= steps; i++) {
				this.counts[place(this.newest + i)] = 0;
			}
		}
		this.newest = Math.max(this.newest, part);
	}

	private double used(double elapsed) {
		int leaving = place(this.newest + 1);
		double left = this.sliding ? this.counts[leaving] * (1 - elapsed) : 0;
		double used = this.up ? Math.ceil(left) : Math.floor(left);
		for (int i = 0; i < this.counts.length; i++) {
			used += (i == leaving) ? 0 : this.counts[i];
		}
		return used;
	}

	private int place(long part) {
		return Math.floorMod(part, this.counts.length);
	}

	@Override
	public void take(long cost, long nowMicros) {
		this.counts[place(this.newest)] += cost;
	}

}
