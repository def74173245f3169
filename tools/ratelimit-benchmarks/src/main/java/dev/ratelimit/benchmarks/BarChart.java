package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws results as bars, in multiples of the floor.
 */
final class BarChart {

	private static final int ROW = 26;

	private static final int LABEL = 300;

	private static final int WIDTH = 420;

	private BarChart() {
	}

	static String of(Suite suite, List<Result> results) {
		boolean paced = suite.workload().isPaced();
		ToDoubleFunction<Result> figure = paced ? Result::p50TimesFloor : Result::timesFloor;
		double longest = results.stream().mapToDouble(figure).max().orElse(1);
		int height = ROW * (results.size() + 2);
		StringBuilder svg = new StringBuilder();
		svg.append(("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
				+ "font-family=\"sans-serif\" font-size=\"13\">%n")
			.formatted(LABEL + WIDTH + 80, height));
		svg.append("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n".formatted());
		svg.append("<text x=\"8\" y=\"18\" font-weight=\"bold\">%s: %s, %s = 1</text>%n".formatted(
				escape(suite.workload().title()), paced ? "median of the latency" : "per second",
				escape(suite.floor().title())));
		for (int i = 0; i < results.size(); i++) {
			Result result = results.get(i);
			svg.append(bar(result.peer().title(), figure.applyAsDouble(result), ROW * (i + 1) + 8, longest));
		}
		return svg.append("</svg>\n").toString();
	}

	private static String bar(String title, double times, int y, double longest) {
		boolean ours = title.startsWith("ratelimit-starter");
		double length = WIDTH * times / longest;
		return String.format(Locale.ROOT,
				"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
						+ "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
						+ "<text x=\"%.1f\" y=\"%d\">%.2f</text>%n",
				LABEL - 8, y + 14, escape(title), LABEL, y, length, ROW - 8, ours ? "#2c7fb8" : "#bdbdbd",
				LABEL + length + 6, y + 14, times);
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "");
	}

}
