package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Draws results as bars, in multiples of the floor. If they differ by more than ten
 * times, the axis is logarithmic, and bars begin at the floor: short ones could not be
 * read otherwise.
 */
final class BarChart {

	private static final int ROW = 26;

	private static final int LABEL = 370;

	private static final int WIDTH = 360;

	private static final int WIDE_APART = 10;

	private BarChart() {
	}

	static String of(Suite suite, List<Result> results) {
		boolean paced = suite.workload().isPaced();
		ToDoubleFunction<Result> figure = paced ? Result::p50TimesFloor : Result::timesFloor;
		String title = "%s: %s, %s = 1".formatted(suite.workload().title(),
				paced ? "median of the latency" : "per second", suite.floor().title());
		return of(title,
				results.stream()
					.map((result) -> new Bar(result.peer().title(), figure.applyAsDouble(result)))
					.toList());
	}

	static String of(String title, List<Bar> bars) {
		double longest = bars.stream().mapToDouble(Bar::times).max().orElse(1);
		double shortest = bars.stream().mapToDouble(Bar::times).min().orElse(1);
		boolean logarithmic = longest > WIDE_APART * shortest;
		int low = (int) Math.floor(Math.log10(shortest));
		int high = (int) Math.ceil(Math.log10(longest));
		DoubleUnaryOperator x = logarithmic ? (times) -> LABEL + WIDTH * (Math.log10(times) - low) / (high - low)
				: (times) -> LABEL + WIDTH * times / longest;
		int bottom = ROW * (bars.size() + 1) + 4;
		StringBuilder svg = new StringBuilder();
		svg.append(("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
				+ "font-family=\"sans-serif\" font-size=\"13\">%n")
			.formatted(LABEL + WIDTH + 70, bottom + ROW));
		svg.append("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n".formatted());
		svg.append("<text x=\"8\" y=\"18\" font-weight=\"bold\">%s%s</text>%n".formatted(escape(title),
				logarithmic ? " (logarithmic)" : ""));
		if (logarithmic) {
			IntStream.rangeClosed(low, high).forEach((decade) -> svg.append(grid(decade, x, bottom)));
		}
		for (int i = 0; i < bars.size(); i++) {
			svg.append(bar(bars.get(i), ROW * (i + 1) + 8, x, logarithmic ? x.applyAsDouble(1) : LABEL));
		}
		return svg.append("</svg>\n").toString();
	}

	private static String grid(int decade, DoubleUnaryOperator x, int bottom) {
		double at = x.applyAsDouble(Math.pow(10, decade));
		String label = (decade < 0) ? "0." + "0".repeat(-decade - 1) + "1" : "1" + "0".repeat(decade);
		return String.format(Locale.ROOT,
				"<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>"
						+ "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
				at, at, ROW + 4, bottom, (decade == 0) ? "#333333" : "#dddddd", at, bottom + 16, label);
	}

	private static String bar(Bar bar, int y, DoubleUnaryOperator x, double begin) {
		boolean ours = bar.title().startsWith("ratelimit-starter");
		double end = x.applyAsDouble(bar.times());
		return String.format(Locale.ROOT,
				"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
						+ "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
						+ "<text x=\"%.1f\" y=\"%d\">%.2f</text>%n",
				LABEL - 8, y + 14, escape(bar.title()), Math.min(begin, end), y, Math.max(1, Math.abs(end - begin)),
				ROW - 8, ours ? "#2c7fb8" : "#bdbdbd", Math.max(begin, end) + 6, y + 14, bar.times());
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "");
	}

	/**
	 * A bar.
	 *
	 * @param title what was measured
	 * @param times its figure, in multiples of the floor
	 */
	record Bar(String title, double times) {
	}

}
