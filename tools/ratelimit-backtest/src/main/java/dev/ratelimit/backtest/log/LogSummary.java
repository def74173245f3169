package dev.ratelimit.backtest.log;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was read of a log.
 *
 * @param file its name
 * @param format its format
 * @param lines how many lines it has
 * @param replayed how many of them were replayed
 * @param preflights how many requests were passed over as CORS preflights
 * @param broken the lines that could not be read
 * @param unsorted the lines that were not in the order of time
 * @param wholeSeconds whether no time tells more than the second
 * @param from the time of the first request
 * @param to the time of the last one
 */
public record LogSummary(String file, LogFormat format, long lines, long replayed, long preflights, Broken broken,
		Unsorted unsorted, boolean wholeSeconds, Optional<Instant> from, Optional<Instant> to) {

	/**
	 * Whether it has lines, and none of them could be read.
	 * @return whether it is in another format
	 */
	public boolean hasOnlyBrokenLines() {
		return this.broken.count() > 0 && this.replayed == 0 && this.preflights == 0;
	}

	/**
	 * Lines that could not be read.
	 *
	 * @param count how many
	 * @param byReason how many of them for which reason
	 * @param first the first few
	 */
	public record Broken(long count, Map<String, Long> byReason, List<Example> first) {

		public Broken {
			byReason = Collections.unmodifiableMap(new TreeMap<>(byReason));
			first = List.copyOf(first);
		}

	}

	/**
	 * A line that could not be read.
	 *
	 * @param line its number
	 * @param reason what is wrong with it
	 * @param text how it begins, with a question mark in place of what cannot be printed
	 */
	public record Example(long line, String reason, String text) {
	}

	/**
	 * Lines whose time is before that of the line above them.
	 *
	 * @param count how many
	 * @param late how many lines came too late to be sorted in, and were counted at the
	 * latest time so far
	 * @param furthestBackMillis by how much the furthest one was before the line above it
	 * @param first the numbers of the first few
	 */
	public record Unsorted(long count, long late, long furthestBackMillis, List<Long> first) {

		public Unsorted {
			first = List.copyOf(first);
		}

	}

}
