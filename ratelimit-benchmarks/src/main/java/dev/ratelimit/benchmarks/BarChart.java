package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * Draws results as bars: how many times the floor each contender reached.
 */
final class BarChart {

	private static final int ROW = 26;

	private static final int LABEL = 300;

	private static final int WIDTH = 420;

	private BarChart() {
	}

	static String of(String title, List<Result> results) {
		double longest = results.stream().mapToDouble(Result::timesFloor).max().orElse(1);
		int height = ROW * (results.size() + 2);
		StringBuilder svg = new StringBuilder();
		svg.append(("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
				+ "font-family=\"sans-serif\" font-size=\"13\">%n")
			.formatted(LABEL + WIDTH + 80, height));
		svg.append("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n".formatted());
		svg.append("<text x=\"8\" y=\"18\" font-weight=\"bold\">%s: decisions per second, INCR = 1</text>%n"
			.formatted(escape(title)));
		for (int i = 0; i < results.size(); i++) {
			svg.append(bar(results.get(i), ROW * (i + 1) + 8, longest));
		}
		return svg.append("</svg>\n").toString();
	}

	private static String bar(Result result, int y, double longest) {
		boolean ours = result.peer().title().startsWith("ratelimit-starter");
		double length = WIDTH * result.timesFloor() / longest;
		return String.format(Locale.ROOT,
				"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
						+ "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
						+ "<text x=\"%.1f\" y=\"%d\">%.2f</text>%n",
				LABEL - 8, y + 14, escape(result.peer().title()), LABEL, y, length, ROW - 8,
				ours ? "#2c7fb8" : "#bdbdbd", LABEL + length + 6, y + 14, result.timesFloor());
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "");
	}

}
