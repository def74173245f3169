package dev.ratelimit.backtest.log;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The summary of a log.
 *
 * @param file its name
 * @param format its format
 * @param lines the number of its lines
 * @param replayed the number of requests that were replayed
 * @param preflights the number of requests that were ignored as CORS preflights
 * @param broken the lines that could not be read
 * @param unsorted the lines that were not in the order of time
 * @param wholeSeconds whether no time is more precise than a second
 * @param from the time of the first request
 * @param to the time of the last one
 */
public record LogSummary(String file, LogFormat format, long lines, long replayed, long preflights, Broken broken,
		Unsorted unsorted, boolean wholeSeconds, Optional<Instant> from, Optional<Instant> to) {

	/**
	 * Whether the log has lines, and none of them could be read.
	 * @return whether it has another format
	 */
	public boolean hasOnlyBrokenLines() {
		return this.broken.count() > 0 && this.replayed == 0 && this.preflights == 0;
	}

	/**
	 * The lines that could not be read.
	 *
	 * @param count the number of lines
	 * @param byReason the number of lines for each reason
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
	 * @param text its beginning, with a question mark for each unprintable character
	 */
	public record Example(long line, String reason, String text) {
	}

	/**
	 * The lines whose time is before that of the preceding line.
	 *
	 * @param count the number of lines
	 * @param late the number of lines that came too late to be sorted, and were counted
	 * at the latest time so far
	 * @param furthestBackMillis the largest time by which a line was before the preceding
	 * line
	 * @param first the numbers of the first few
	 */
	public record Unsorted(long count, long late, long furthestBackMillis, List<Long> first) {

		public Unsorted {
			first = List.copyOf(first);
		}

	}

}
