package dev.ratelimit.backtest.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts lines that could not be read, and stores the first few.
 */
final class BrokenLines {

	private static final int EXAMPLES = 5;

	private static final int EXAMPLE_LENGTH = 80;

	private final Map<String, Long> byReason = new TreeMap<>();

	private final List<LogSummary.Example> first = new ArrayList<>();

	private long count;

	void add(RawLine line, String reason) {
		this.count++;
		this.byReason.merge(reason, 1L, Long::sum);
		if (this.first.size() < EXAMPLES) {
			this.first.add(new LogSummary.Example(line.number(), reason, beginning(line.text())));
		}
	}

	/**
	 * Removes control characters, because an untrusted line must not control the
	 * terminal.
	 */
	private static String beginning(String text) {
		return text.substring(0, Math.min(EXAMPLE_LENGTH, text.length())).replaceAll("[^\\x20-\\x7e]", "?");
	}

	long count() {
		return this.count;
	}

	LogSummary.Broken summary() {
		return new LogSummary.Broken(this.count, this.byReason, this.first);
	}

}
