package dev.ratelimit.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The results of the {@link ScriptLab}, as tables in Markdown: medians over all rounds.
 */
final class ScriptTable {

	private ScriptTable() {
	}

	/**
	 * Compare how long scripts take.
	 * @param samples the samples of each script, the Gateway's first and the empty one
	 * second
	 * @return the table
	 */
	static String times(Map<ScriptCase, List<ScriptSample>> samples) {
		List<List<ScriptSample>> all = List.copyOf(samples.values());
		StringBuilder table = new StringBuilder("""
				### Scripts, inside Redis

				Microseconds of Redis per decision: in the script (`INFO commandstats`), and CPU time for everything.

				| script | us | x Gateway's | x `return 1` | CPU us |
				|---|---:|---:|---:|---:|
				""");
		samples.forEach((script,
				own) -> table.append(String.format(Locale.ROOT, "| %s | %.1f | %.2f | %.1f | %.1f |%n", script.title(),
						median(own, ScriptSample::micros), ratio(own, all.get(0)), ratio(own, all.get(1)),
						median(own, ScriptSample::cpuMicros))));
		return table.append('\n').toString();
	}

	/** Computed per round, so that a disturbance of both does not count. */
	private static double ratio(List<ScriptSample> samples, List<ScriptSample> others) {
		return median(IntStream.range(0, samples.size())
			.mapToDouble((round) -> samples.get(round).micros() / others.get(round).micros())
			.toArray());
	}

	private static double median(List<ScriptSample> samples, ToDoubleFunction<ScriptSample> figure) {
		return median(samples.stream().mapToDouble(figure).toArray());
	}

	private static double median(double[] figures) {
		double[] sorted = Arrays.stream(figures).sorted().toArray();
		return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1).average().orElseThrow();
	}

}
