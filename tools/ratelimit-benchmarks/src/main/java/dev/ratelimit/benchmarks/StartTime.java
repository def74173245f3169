package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The processor time that an application takes to start in its own JVM: a web application
 * as Boot configures it, with the starter and without, each as it is and with what the
 * JVM and Spring can prepare. Wall-clock time is less meaningful, because the machine
 * runs other processes too.
 */
final class StartTime {

	private static final List<String> WITHOUT = List.of(StartedApplication.WITHOUT);

	private static final List<String> ONE_RULE = List.of("with", "--ratelimit.store=memory",
			"--ratelimit.rules.bench.paths=/**", "--ratelimit.rules.bench.thresholds=100/1s");

	private StartTime() {
	}

	/**
	 * Start each application in turn, after one start of each that does not count.
	 * @param rounds the number of rounds
	 * @return the medians as a table
	 */
	static String table(int rounds) throws IOException, InterruptedException {
		try (StartPreparations preparations = StartPreparations.create()) {
			Map<Row, List<Double>> seconds = new LinkedHashMap<>();
			for (Row row : rows(preparations)) {
				seconds.put(row, new ArrayList<>());
			}
			for (int round = 0; round <= rounds; round++) {
				for (Map.Entry<Row, List<Double>> row : seconds.entrySet()) {
					double start = preparations.start(row.getKey().command());
					if (round > 0) {
						row.getValue().add(start);
					}
				}
			}
			return table(seconds);
		}
	}

	/** Each preparation begins with the application without the starter. */
	private static List<Row> rows(StartPreparations preparations) throws IOException, InterruptedException {
		List<Row> rows = new ArrayList<>();
		for (boolean springAot : new boolean[] { false, true }) {
			for (StartPreparations.Archive archive : preparations.archives()) {
				String title = archive.title + (springAot ? ", Spring AOT" : "");
				rows.add(new Row(title, "without the starter", preparations.command(WITHOUT, archive, springAot)));
				if (archive == StartPreparations.Archive.NONE && !springAot) {
					rows.add(new Row(title, "with it, no rule",
							preparations.command(List.of("with"), archive, springAot)));
					rows.add(new Row(title, "one rule, Redis away",
							preparations.command(
									List.of("with", "--spring.data.redis.port=1", ONE_RULE.get(2), ONE_RULE.get(3)),
									archive, springAot)));
				}
				rows.add(new Row(title, "one rule, `store: memory`",
						preparations.command(ONE_RULE, archive, springAot)));
			}
		}
		return rows;
	}

	private static String table(Map<Row, List<Double>> seconds) {
		StringBuilder table = new StringBuilder("### Processor time of a start\n\nJDK ")
			.append(Runtime.version().feature())
			.append("\n\n| preparation | application | s | x |\n|---|---|---:|---:|\n");
		double floor = 0;
		for (Map.Entry<Row, List<Double>> row : seconds.entrySet()) {
			double median = median(row.getValue());
			floor = row.getKey().application().startsWith("without") ? median : floor;
			table.append(String.format(Locale.ROOT, "| %s | %s | %.2f | %.2f |%n", row.getKey().preparation(),
					row.getKey().application(), median, median / floor));
		}
		return table.append('\n').toString();
	}

	private static double median(List<Double> seconds) {
		return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
	}

	private record Row(String preparation, String application, List<String> command) {
	}

}
