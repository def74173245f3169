package dev.ratelimit.backtest.report;

import java.util.List;

/**
 * Draws numbers as blocks of different heights.
 */
final class Sparkline {

	private static final String BLOCKS = "▁▂▃▄▅▆▇█";

	private Sparkline() {
	}

	/**
	 * Draw numbers.
	 * @param values the numbers
	 * @param highest the number with the full height
	 * @return one character for each; a blank for zero, and at least the lowest block for
	 * every other number
	 */
	static String of(List<Long> values, long highest) {
		StringBuilder line = new StringBuilder();
		for (long value : values) {
			int height = (int) Math.ceil((double) value * BLOCKS.length() / Math.max(1, highest));
			line.append((value == 0) ? ' ' : BLOCKS.charAt(Math.min(height, BLOCKS.length()) - 1));
		}
		return line.toString();
	}

}
