package dev.ratelimit.limiter.sync;

import java.util.HashMap;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;

/**
 * Records every admission, and how far above its limit each was.
 */
final class Truth {

	private final Limit limit;

	/** By window, and by the window's index. */
	private final Map<Integer, Map<Long, Long>> counts = new HashMap<>();

	private final long[] mostAbove;

	Truth(Limit limit) {
		this.limit = limit;
		this.mostAbove = new long[limit.size()];
	}

	void admitted(long permits, long micros) {
		add(permits, micros);
		for (int i = 0; i < this.mostAbove.length; i++) {
			this.mostAbove[i] = Math.max(this.mostAbove[i], used(i, micros) - this.limit.count(i));
		}
	}

	void released(long permits, long micros) {
		add(-permits, micros);
	}

	private void add(long permits, long micros) {
		for (int i = 0; i < this.mostAbove.length; i++) {
			this.counts.computeIfAbsent(i, (window) -> new HashMap<>())
				.merge(micros / this.limit.windowMicros(i), permits, Long::sum);
		}
	}

	/** What the algorithm would have counted, had it seen everything. */
	private long used(int index, long micros) {
		long window = this.limit.windowMicros(index);
		Map<Long, Long> all = this.counts.getOrDefault(index, Map.of());
		long current = all.getOrDefault(micros / window, 0L);
		long previous = all.getOrDefault(micros / window - 1, 0L);
		return (this.limit.algorithm() == Algorithm.FIXED_WINDOW) ? current
				: current + previous * (window - micros % window) / window;
	}

	/** By how much the limit was exceeded at worst; below one, not at all. */
	long mostAbove(int index) {
		return this.mostAbove[index];
	}

}
