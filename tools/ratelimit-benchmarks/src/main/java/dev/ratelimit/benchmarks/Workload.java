package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The keys, the rate and the quota of a benchmark.
 *
 * @param id its name on the command line
 * @param title what it shows
 * @param keys the keys, each equally likely
 * @param quota the quota of each key
 * @param threads the number of concurrent threads, each waiting for its response
 * @param virtual whether these are virtual threads
 * @param perSecond the total requests per second; nothing if each thread sends the next
 * request as soon as it has its response
 */
record Workload(String id, String title, List<String> keys, Quota quota, int threads, boolean virtual,
		OptionalInt perSecond) {

	private static final Duration WINDOW = Duration.ofSeconds(10);

	static final int THREADS = 16;

	/**
	 * More than the requests for one key in a round, and within the limits of every
	 * contender.
	 */
	private static final long AMPLE = 900_000;

	/** All requests are admitted. */
	static Workload admitted(String id, String title, int threads) {
		return closed(id, "1,000 keys, all admitted" + title, 1000, new Quota(1000, WINDOW), threads, false);
	}

	/** All requests are admitted, and the threads are virtual. */
	static Workload virtual(int threads) {
		return closed("virtual-" + threads, "1,000 keys, all admitted, " + threads + " virtual threads", 1000,
				new Quota(1000, WINDOW), threads, true);
	}

	/** All requests have the same key. */
	static Workload hot(String id, String title) {
		return closed(id, "one hot key, all admitted" + title, 1, new Quota(AMPLE, WINDOW), THREADS, false);
	}

	/** No limit is used up, so a contender that can decides from memory. */
	static Workload memory() {
		return closed("memory", "1,000 keys, from memory", 1000, new Quota(AMPLE, WINDOW), THREADS, false);
	}

	/** A few keys have far more requests than their quota. */
	static Workload refused(String id, String title) {
		return closed(id, "50 keys, nearly all refused" + title, 50, new Quota(100, WINDOW), THREADS, false);
	}

	/** Requests at a pace that leaves the machine idle time. */
	static Workload paced(int perSecond) {
		return new Workload("paced", "1,000 keys, all admitted, %,d per second".formatted(perSecond), keys(1000),
				new Quota(1000, WINDOW), THREADS, false, OptionalInt.of(perSecond));
	}

	private static Workload closed(String id, String title, int keys, Quota quota, int threads, boolean virtual) {
		return new Workload(id, title, keys(keys), quota, threads, virtual, OptionalInt.empty());
	}

	private static List<String> keys(int count) {
		return IntStream.range(0, count).mapToObj((number) -> "client-" + number).toList();
	}

	boolean isPaced() {
		return this.perSecond.isPresent();
	}

	/** Virtual threads came with Java 21. */
	boolean canRun() {
		return !this.virtual || Runtime.version().feature() >= 21;
	}

}
