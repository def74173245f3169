package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Writes what came out as a table in Markdown, beside a chart.
 */
final class Report {

	/** Everybody is compared with this peer, too. */
	private static final String REFERENCE = "bucket4j, Jedis";

	private final Path directory;

	Report(Path directory) {
		this.directory = directory;
	}

	/**
	 * Write the results of a workload.
	 * @param workload the workload
	 * @param results its results
	 * @return the table
	 */
	String write(Workload workload, List<Result> results) throws IOException {
		String table = write(workload.id(), table(workload, results));
		Files.writeString(this.directory.resolve(workload.id() + ".svg"), BarChart.of(workload.title(), results));
		return table;
	}

	/**
	 * Write a table.
	 * @param name the name of its file
	 * @param table the table
	 * @return the table
	 */
	String write(String name, String table) throws IOException {
		Files.createDirectories(this.directory);
		Files.writeString(this.directory.resolve(name + ".md"), table);
		return table;
	}

	private static String table(Workload workload, List<Result> results) {
		double reference = results.stream()
			.filter((result) -> result.peer().title().equals(REFERENCE))
			.mapToDouble(Result::timesFloor)
			.findFirst()
			.orElse(Double.NaN);
		StringBuilder table = new StringBuilder("### ").append(workload.title())
			.append("\n\n%d threads, %s per key.%n%n".formatted(workload.threads(), workload.quota().text()))
			.append("| contender | counts | decisions/s | x INCR | x bucket4j | p50/p99 us | admitted "
					+ "| commands | bytes to/from Redis | Redis CPU us | heap bytes |\n")
			.append("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
		for (Result result : results) {
			table.append(row(result, reference));
		}
		return table.append('\n').toString();
	}

	private static String row(Result result, double reference) {
		return String.format(Locale.ROOT,
				"| [%s](%s) | %s | %,.0f | %.2f | %.2f | %,.0f/%,.0f | %.0f %% | %.1f | %.0f/%.0f | %.1f | %,.0f |%n",
				result.peer().title(), result.peer().documentation(), result.peer().counts(), result.perSecond(),
				result.timesFloor(), result.timesFloor() / reference, result.p50Micros(), result.p99Micros(),
				100 * result.admittedShare(), result.commands(), result.bytesIn(), result.bytesOut(),
				result.redisCpuMicros(), result.heapBytes());
	}

}
