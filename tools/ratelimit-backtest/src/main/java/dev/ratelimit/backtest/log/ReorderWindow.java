package dev.ratelimit.backtest.log;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Sorts lines by time, as far as they are close together: a server writes a line when its
 * request ends, but may record the time when it began. The window holds a fixed number of
 * lines and returns the earliest first, so a line with a time in the future stays until
 * the end and does not affect the others.
 */
final class ReorderWindow {

	private static final Comparator<LogLine> BY_TIME = Comparator.comparing(LogLine::time)
		.thenComparingLong(LogLine::number);

	private final PriorityQueue<LogLine> waiting = new PriorityQueue<>(BY_TIME);

	private final int size;

	/**
	 * Create a window.
	 * @param size the number of lines it holds
	 */
	ReorderWindow(int size) {
		this.size = size;
	}

	/**
	 * Add a line.
	 * @param line the line
	 * @return the earliest one, if there are more than the window holds
	 */
	Optional<LogLine> add(LogLine line) {
		this.waiting.add(line);
		return (this.waiting.size() > this.size) ? next() : Optional.empty();
	}

	/**
	 * Remove the earliest line.
	 * @return the line; empty if none is left
	 */
	Optional<LogLine> next() {
		return Optional.ofNullable(this.waiting.poll());
	}

}
