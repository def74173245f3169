package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.ratelimit.embeddedredis.RedisServer;

/**
 * Decisions over a real Redis and in memory, side by side with the peers: prints the
 * tables and writes them, with charts, into a directory. Brings its own Redis.
 */
public final class Benchmarks {

	private Benchmarks() {
	}

	/**
	 * Run them.
	 * @param args {@code --rounds=3}, {@code --millis=1500} of each sample,
	 * {@code --workloads=admitted,hot}, {@code --directory=target/benchmarks}
	 * @throws IOException if the results cannot be written
	 * @throws InterruptedException if somebody interrupts
	 */
	public static void main(String... args) throws IOException, InterruptedException {
		Options options = Options.of(args);
		Report report = new Report(Path.of(options.text("directory", "target/benchmarks")));
		List<String> chosen = options.names("workloads",
				"admitted,hot,refused,paced,virtual-64,virtual-256,http,http-hot,http-refused,local");
		StringBuilder tables = new StringBuilder();
		try (RedisServer server = RedisServer.start("--save", "", "--appendonly", "no")) {
			PairedRounds rounds = new PairedRounds(new Redis(server.host(), server.port()), options.number("rounds", 3),
					Duration.ofMillis(options.number("millis", 1500)), Benchmarks::tell);
			for (Suite suite : Suite.all()) {
				if (chosen.contains(suite.workload().id()) && suite.canRun()) {
					tables.append(report.write(suite, rounds.run(suite)));
				}
			}
		}
		if (chosen.contains("local")) {
			tables.append(report.write("local", LocalRun.table()));
		}
		System.out.println(tables);
	}

	private static void tell(String format, Object... arguments) {
		System.err.printf(Locale.ROOT, format + "%n", arguments);
	}

}
