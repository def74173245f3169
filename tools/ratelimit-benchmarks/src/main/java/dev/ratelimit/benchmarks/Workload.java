package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
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
 * @param perSecond how often they ask in all; nothing where each asks as soon as it has
 * its answer
 */
record Workload(String id, String title, List<String> keys, Quota quota, int threads, boolean virtual,
		OptionalInt perSecond) {

	private static final Duration WINDOW = Duration.ofSeconds(10);

	static final int THREADS = 16;

	/** More than one key is asked for in a round, little enough for every contender. */
	private static final long AMPLE = 900_000;

	/** Everybody is admitted. */
	static Workload admitted(String id, String title, int threads) {
		return closed(id, "1,000 keys, all admitted" + title, 1000, new Quota(1000, WINDOW), threads, false);
	}

	/** Everybody is admitted, and the threads are virtual. */
	static Workload virtual(int threads) {
		return closed("virtual-" + threads, "1,000 keys, all admitted, " + threads + " virtual threads", 1000,
				new Quota(1000, WINDOW), threads, true);
	}

	/** Everybody asks for the same key. */
	static Workload hot(String id, String title) {
		return closed(id, "one hot key, all admitted" + title, 1, new Quota(AMPLE, WINDOW), THREADS, false);
	}

	/** A few ask for much more than they get. */
	static Workload refused(String id, String title) {
		return closed(id, "50 keys, nearly all refused" + title, 50, new Quota(100, WINDOW), THREADS, false);
	}

	/** Everybody asks at a pace that leaves the machine time to rest. */
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
