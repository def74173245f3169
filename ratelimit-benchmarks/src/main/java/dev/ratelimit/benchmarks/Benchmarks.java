package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
		List<Peer> peers = new ArrayList<>(List.of(Floors.EMPTY_SCRIPT));
		peers.addAll(Ours.all());
		peers.add(Ours.withoutDenyCache());
		peers.addAll(Peers.all());
		Report report = new Report(Path.of(options.text("directory", "target/benchmarks")));
		List<String> chosen = List
			.of(options.text("workloads", "admitted,hot,refused,virtual-64,virtual-256,local").split(",", -1));
		StringBuilder tables = new StringBuilder();
		try (RedisServer server = RedisServer.start("--save", "", "--appendonly", "no")) {
			PairedRounds rounds = new PairedRounds(new Redis(server.host(), server.port()), options.number("rounds", 3),
					Duration.ofMillis(options.number("millis", 1500)), Benchmarks::tell);
			for (Workload workload : Workload.all()) {
				if (chosen.contains(workload.id()) && workload.canRun()) {
					tables.append(report.write(workload, rounds.run(workload, Floors.INCR, peers)));
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
