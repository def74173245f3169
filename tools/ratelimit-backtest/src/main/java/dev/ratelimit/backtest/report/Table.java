package dev.ratelimit.backtest.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Text in rows and columns. The first column is left-aligned, the others are
 * right-aligned.
 */
final class Table {

	private static final String GAP = "  ";

	private final List<List<String>> rows = new ArrayList<>();

	void row(List<String> cells) {
		this.rows.add(List.copyOf(cells));
	}

	String write() {
		int columns = this.rows.stream().mapToInt(List::size).max().orElse(0);
		int[] widths = new int[columns];
		for (List<String> row : this.rows) {
			for (int i = 0; i < row.size(); i++) {
				widths[i] = Math.max(widths[i], row.get(i).length());
			}
		}
		StringBuilder text = new StringBuilder();
		for (List<String> row : this.rows) {
			StringBuilder line = new StringBuilder();
			for (int i = 0; i < row.size(); i++) {
				String blanks = " ".repeat(widths[i] - row.get(i).length());
				line.append((i == 0) ? row.get(i) + blanks : GAP + blanks + row.get(i));
			}
			text.append(line.toString().stripTrailing()).append('\n');
		}
		return text.toString();
	}

}
