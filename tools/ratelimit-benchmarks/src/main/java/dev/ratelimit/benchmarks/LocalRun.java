package dev.ratelimit.benchmarks;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link LocalPaths}, {@link ModePaths} and {@link RepeatedRefusals} under JMH and
 * formats a table of the results.
 */
final class LocalRun {

	private static final String FLOOR = "mapAndIncrement";

	private LocalRun() {
	}

	static String table() {
		try {
			return table(new Runner(new OptionsBuilder().include(LocalPaths.class.getName() + ".*")
				.include(ModePaths.class.getName() + ".*")
				.include(RepeatedRefusals.class.getName() + ".*")
				.addProfiler(GCProfiler.class)
				.build()).run());
		}
		catch (RunnerException ex) {
			throw new IllegalStateException("JMH failed", ex);
		}
	}

	private static String table(Collection<RunResult> results) {
		List<RunResult> sorted = results.stream().sorted(Comparator.comparingDouble(LocalRun::nanos)).toList();
		double floor = sorted.stream()
			.filter((result) -> result.getPrimaryResult().getLabel().equals(FLOOR))
			.mapToDouble(LocalRun::nanos)
			.findFirst()
			.orElseThrow();
		StringBuilder table = new StringBuilder(
				"### In memory, one thread%n%n| contender | ns per decision | x floor | heap bytes |%n|---|---:|---:|---:|%n"
					.formatted());
		for (RunResult result : sorted) {
			table.append(String.format(Locale.ROOT, "| %s | %.0f | %.1f | %.0f |%n",
					result.getPrimaryResult().getLabel(), nanos(result), nanos(result) / floor,
					Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore()));
		}
		return table.append('\n').toString();
	}

	private static double nanos(RunResult result) {
		return result.getPrimaryResult().getScore();
	}

}
