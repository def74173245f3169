package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import redis.clients.jedis.HostAndPort;

/**
 * Measures decisions with a real Redis and in memory, side by side with the peers. Prints
 * the tables and writes them, with charts, into a directory. Starts its own Redis, and a
 * Memcached where there is one.
 */
public final class Benchmarks {

	private static final int FULL_LOG = 1000;

	private static final int MANY_KEYS = 1_000_000;

	private Benchmarks() {
	}

	/**
	 * Run the benchmarks.
	 * @param args {@code --rounds=3}, {@code --millis=1500} of each sample,
	 * {@code --calls=1000} of each script, {@code --keys=1000000} of the growth,
	 * {@code --workloads=admitted,hot,scripts}, {@code --contenders=bucket4j,log} by
	 * parts of their titles, {@code --directory=target/benchmarks}
	 * @throws IOException if the results cannot be written
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static void main(String... args) throws IOException, InterruptedException {
		Options options = Options.of(args);
		Report report = new Report(Path.of(options.text("directory", "target/benchmarks")));
		List<String> chosen = options.names("workloads",
				"admitted,hot,memory,refused,paced,virtual-64,virtual-256,memcached,cluster,cluster-two-rules,http,http-hot,http-refused,local,scripts,types,start,growth,worst-window");
		StringBuilder tables = new StringBuilder();
		try (RedisServer server = RedisServer.start("--save", "", "--appendonly", "no")) {
			Redis redis = new Redis(server.host(), server.port());
			PairedRounds rounds = rounds(redis, options);
			for (Suite suite : Suite.all()) {
				if (chosen.contains(suite.workload().id()) && suite.canRun()) {
					Suite some = suite.only(options.names("contenders", ""));
					tables.append(report.write(some, rounds.run(some)));
				}
			}
			if (chosen.contains("memcached")) {
				tables.append(memcached(rounds, report, options));
			}
			if (chosen.contains("growth")) {
				tables.append(report.write("growth", growth(redis, options)));
			}
			if (chosen.contains("types")) {
				tables.append(report.write("types", RequestTypes.table(redis)));
			}
			if (chosen.contains("scripts")) {
				tables.append(report.write("scripts", scripts(redis, options)));
			}
		}
		for (Suite suite : List.of(Suite.cluster(), Suite.clusterWithTwoRules())) {
			if (chosen.contains(suite.workload().id())) {
				Suite some = suite.only(options.names("contenders", ""));
				tables.append(report.write(some, cluster(some, options)));
			}
		}
		if (chosen.contains("local")) {
			tables.append(report.write("local", LocalRun.table()));
		}
		if (chosen.contains("start")) {
			tables.append(report.write("start", StartTime.table(options.number("rounds", 3))));
		}
		if (chosen.contains("worst-window")) {
			tables.append(report.write("worst-window", WorstWindow.table()));
		}
		System.out.println(tables);
	}

	private static PairedRounds rounds(Redis redis, Options options) {
		return new PairedRounds(redis, options.number("rounds", 3), Duration.ofMillis(options.number("millis", 1500)),
				Benchmarks::report);
	}

	private static String memcached(PairedRounds rounds, Report report, Options options)
			throws IOException, InterruptedException {
		Optional<Memcached> started = Memcached.start();
		if (started.isEmpty()) {
			report("There is no memcached on the PATH, and MEMCACHED_SERVER names none: left out");
			return "";
		}
		try (Memcached server = started.get()) {
			Suite suite = Suite.memcached(server).only(options.names("contenders", ""));
			return report.write(suite, rounds.run(suite));
		}
	}

	private static List<Result> cluster(Suite suite, Options options) throws InterruptedException {
		try (RedisCluster cluster = RedisCluster.start(3, 0, "--save", "", "--appendonly", "no")) {
			Redis redis = new Redis(
					cluster.nodes().stream().map((node) -> new HostAndPort(node.host(), node.port())).toList());
			return rounds(redis, options).run(suite);
		}
	}

	private static String growth(Redis redis, Options options) throws InterruptedException {
		report("growth: keys, instances, rules and a large log, about five minutes");
		return new ManyKeys(redis, options.number("keys", MANY_KEYS)).table() + ManyInstances.table(redis)
				+ ManyRules.table() + LargeLog.table(redis);
	}

	/** The samples are short, so there are more rounds. */
	private static String scripts(Redis redis, Options options) {
		try (ScriptLab lab = new ScriptLab(redis, 10 * options.number("rounds", 3), options.number("calls", 1000),
				Benchmarks::report)) {
			return ScriptTable.times(lab.run(ScriptCases.all(FULL_LOG))) + KeyMemory.table(redis, FULL_LOG);
		}
	}

	private static void report(String format, Object... arguments) {
		System.err.printf(Locale.ROOT, format + "%n", arguments);
	}

}
