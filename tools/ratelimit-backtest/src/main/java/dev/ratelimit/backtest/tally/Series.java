package dev.ratelimit.backtest.tally;

import java.util.Arrays;
import java.util.List;

/**
 * Counts something over a {@link Timeline}, which moves it.
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
	 * Make one slice of several.
	 * @param offset how many of the first one's are missing, as it begins in between
	 * @param factor of how many
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
