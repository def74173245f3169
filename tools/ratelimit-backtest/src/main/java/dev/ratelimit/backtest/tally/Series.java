package dev.ratelimit.backtest.tally;

import java.util.Arrays;
import java.util.List;

/**
 * Counts events over a {@link Timeline}, which advances it.
 */
final class Series {

	private final long[] counts;

	private int place;

	Series(int slices) {
		this.counts = new long[slices];
	}

	void add() {
		this.counts[this.place]++;
	}

	void moveTo(int slice) {
		this.place = slice;
	}

	/**
	 * Merge several slices into one.
	 * @param offset the number of slices that the first merged slice lacks, because the
	 * series begins within it
	 * @param factor the number of slices to merge
	 */
	void merge(int offset, int factor) {
		long[] before = this.counts.clone();
		Arrays.fill(this.counts, 0);
		for (int i = 0; i < before.length; i++) {
			this.counts[(i + offset) / factor] += before[i];
		}
	}

	List<Long> counts(int slices) {
		return Arrays.stream(this.counts, 0, slices).boxed().toList();
	}

}
