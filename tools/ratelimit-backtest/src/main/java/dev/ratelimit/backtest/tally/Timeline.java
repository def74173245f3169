package dev.ratelimit.backtest.tally;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Divides the time of a log into slices of equal length. Their number is bounded: as the
 * log continues, several slices are merged into one. All series of a replay share the
 * timeline.
 */
public final class Timeline {

	/** The number that fits on a line. */
	static final int SLICES = 72;

	/** Each length divides the next one; after the last one lengths double. */
	private static final List<Duration> LENGTHS = List.of(Duration.ofSeconds(1), Duration.ofSeconds(5),
			Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(5),
			Duration.ofMinutes(10), Duration.ofMinutes(30), Duration.ofHours(1), Duration.ofHours(3),
			Duration.ofHours(6), Duration.ofHours(12), Duration.ofDays(1));

	private final List<Series> all = new ArrayList<>();

	private long sliceSeconds = LENGTHS.get(0).toSeconds();

	private Optional<Instant> start = Optional.empty();

	private int last;

	/**
	 * Start a new series over this time.
	 * @return a series
	 */
	Series newSeries() {
		Series series = new Series(SLICES);
		this.all.add(series);
		return series;
	}

	/**
	 * Advance to a time.
	 * @param now the time, never before the previous one
	 */
	public void advance(Instant now) {
		Instant first = this.start.orElse(now);
		this.start = Optional.of(first);
		long slice = slice(now, first);
		while (slice >= SLICES) {
			merge(first);
			slice = slice(now, first);
		}
		this.last = (int) slice;
		this.all.forEach((series) -> series.moveTo(this.last));
	}

	private long slice(Instant now, Instant start) {
		return Math.floorDiv(now.getEpochSecond(), this.sliceSeconds)
				- Math.floorDiv(start.getEpochSecond(), this.sliceSeconds);
	}

	private void merge(Instant start) {
		int factor = (int) (longer() / this.sliceSeconds);
		int offset = (int) Math.floorMod(Math.floorDiv(start.getEpochSecond(), this.sliceSeconds), (long) factor);
		this.all.forEach((series) -> series.merge(offset, factor));
		this.sliceSeconds *= factor;
	}

	private long longer() {
		return LENGTHS.stream()
			.mapToLong(Duration::toSeconds)
			.filter((seconds) -> seconds > this.sliceSeconds)
			.findFirst()
			.orElse(2 * this.sliceSeconds);
	}

	/**
	 * The slices of the time.
	 * @return the slices; empty before the first request
	 */
	public Optional<Slices> slices() {
		return this.start.map((instant) -> new Slices(
				Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), this.sliceSeconds) * this.sliceSeconds),
				this.sliceSeconds, this.last + 1));
	}

}
