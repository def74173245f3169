package dev.ratelimit.backtest.log;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Brings lines into the order of their times, as far as they lie close together: a server
 * writes a line when its request ends, but may date it when it began. It holds a fixed
 * number of lines and lets the earliest go first, so that a line from the future waits
 * until the end and harms no other.
 */
final class ReorderWindow {

	private static final Comparator<LogLine> BY_TIME = Comparator.comparing(LogLine::time)
		.thenComparingLong(LogLine::number);

	private final PriorityQueue<LogLine> waiting = new PriorityQueue<>(BY_TIME);

	private final int size;

	/**
	 * Create a window.
	 * @param size how many lines it holds
	 */
	ReorderWindow(int size) {
		this.size = size;
	}

	/**
	 * Take a line in.
	 * @param line the line
	 * @return the earliest one, if there are more than the window holds
	 */
	Optional<LogLine> add(LogLine line) {
		this.waiting.add(line);
		return (this.waiting.size() > this.size) ? next() : Optional.empty();
	}

	/**
	 * Let the earliest one go.
	 * @return the line; nothing where none is left
	 */
	Optional<LogLine> next() {
		return Optional.ofNullable(this.waiting.poll());
	}

}
