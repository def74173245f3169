package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Writes the results as a table in Markdown, with a chart.
 */
final class Report {

	private final Path directory;

	Report(Path directory) {
		this.directory = directory;
	}

	/**
	 * Write results.
	 * @param suite the workload and its contenders
	 * @param results the results
	 * @return the table
	 */
	String write(Suite suite, List<Result> results) throws IOException {
		Workload workload = suite.workload();
		String table = write(workload.id(), workload.isPaced() ? latencies(suite, results) : rates(suite, results));
		Files.writeString(this.directory.resolve(workload.id() + ".svg"), BarChart.of(suite, results));
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

	private static String latencies(Suite suite, List<Result> results) {
		StringBuilder table = new StringBuilder(heading(suite, results));
		table
			.append("| contender | counts | p50/p99 us | p50 x %s | p99 x %1$s | decisions/s |%n"
				.formatted(suite.floor().title()))
			.append("|---|---|---:|---:|---:|---:|\n");
		for (Result result : results) {
			table.append(String.format(Locale.ROOT, "| %s | %s | %,.0f/%,.0f | %.2f | %.2f | %,.0f |%n",
					link(result.peer()), result.peer().counts(), result.p50Micros(), result.p99Micros(),
					result.p50TimesFloor(), result.p99TimesFloor(), result.perSecond()));
		}
		return table.append('\n').toString();
	}

	private static String rates(Suite suite, List<Result> results) {
		Result reference = results.stream()
			.filter((result) -> suite.isReference(result.peer()))
			.findFirst()
			.orElse(results.get(0));
		StringBuilder table = new StringBuilder(heading(suite, results));
		table
			.append("| contender | counts | per second | x %s | x %s | p50/p99 us | admitted%s | heap bytes |%n"
				.formatted(suite.floor().title(), reference.peer().title(), more(suite)))
			.append("|---|---|---:|---:|---:|---:|---:|---:%s|%n"
				.formatted("|---:".repeat((int) more(suite).chars().filter((character) -> character == '|').count())));
		for (Result result : results) {
			table.append(row(suite, result, reference));
		}
		return table.append('\n').toString();
	}

	private static String heading(Suite suite, List<Result> results) {
		Workload workload = suite.workload();
		double stolen = results.stream().mapToDouble(Result::stolenShare).max().orElse(0);
		return String.format(Locale.ROOT,
				"### %s%n%n%d threads, %s per key. The host took at most %.1f %% of the processors during any sample.%n%n",
				workload.title(), workload.threads(), workload.quota().text(), 100 * stolen);
	}

	private static String row(Suite suite, Result result, Result reference) {
		return String.format(Locale.ROOT, "| %s | %s | %,.0f | %.2f | %.2f | %,.0f/%,.0f | %.0f %%%s | %,.0f |%n",
				link(result.peer()), result.peer().counts(), result.perSecond(), result.timesFloor(),
				result.timesFloor() / reference.timesFloor(), result.p50Micros(), result.p99Micros(),
				100 * result.admittedShare(), more(suite, result), result.heapBytes());
	}

	private static String more(Suite suite) {
		if (suite.isOverHttp()) {
			return " | CPU us of Tomcat's threads | x %s".formatted(suite.floor().title());
		}
		return suite.isInRedis() ? " | commands | bytes to/from Redis | Redis CPU us" : "";
	}

	private static String more(Suite suite, Result result) {
		if (suite.isOverHttp()) {
			return String.format(Locale.ROOT, " | %.1f | %.2f", result.serverMicros(), result.serverTimesFloor());
		}
		return suite.isInRedis() ? redis(result) : "";
	}

	private static String redis(Result result) {
		return String.format(Locale.ROOT, " | %.1f | %.0f/%.0f | %.1f", result.commands(), result.bytesIn(),
				result.bytesOut(), result.redisCpuMicros());
	}

	private static String link(Peer peer) {
		return "[" + peer.title() + "](" + peer.documentation() + ")";
	}

}
