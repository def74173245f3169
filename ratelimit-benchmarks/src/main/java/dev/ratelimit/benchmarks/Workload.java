package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who asks, how often, and what is allowed.
 *
 * @param id its name on the command line
 * @param title what it shows
 * @param keys the keys, each as likely as the others
 * @param quota what each key is allowed
 * @param threads how many ask at the same time, each waiting for its answer
 * @param virtual whether these are virtual threads
 */
record Workload(String id, String title, List<String> keys, Quota quota, int threads, boolean virtual) {

	private static final Duration WINDOW = Duration.ofSeconds(10);

	/** More than one key is asked for in a round, little enough for every contender. */
	private static final long AMPLE = 900_000;

	static List<Workload> all() {
		return List.of(
				new Workload("admitted", "1,000 keys, all admitted", keys(1000), new Quota(1000, WINDOW), 16, false),
				new Workload("hot", "one hot key, all admitted", keys(1), new Quota(AMPLE, WINDOW), 16, false),
				new Workload("refused", "50 keys, nearly all refused", keys(50), new Quota(100, WINDOW), 16, false),
				new Workload("virtual-64", "1,000 keys, all admitted, 64 virtual threads", keys(1000),
						new Quota(1000, WINDOW), 64, true),
				new Workload("virtual-256", "1,000 keys, all admitted, 256 virtual threads", keys(1000),
						new Quota(1000, WINDOW), 256, true));
	}

	private static List<String> keys(int count) {
		return IntStream.range(0, count).mapToObj((number) -> "client-" + number).toList();
	}

	/** Virtual threads came with Java 21. */
	boolean canRun() {
		return !this.virtual || Runtime.version().feature() >= 21;
	}

}
