package dev.ratelimit.benchmarks;

/**
 * A participant of a benchmark.
 *
 * @param title the name in tables
 * @param counts how it counts: what is exact, what is approximate
 * @param documentation the page that describes the usage
 * @param factory opens it
 */
record Peer(String title, String counts, String documentation, Factory factory) {

	Contender open(Redis redis, Workload workload) {
		return this.factory.open(redis, workload);
	}

	/** Opens a contender for one workload. */
	@FunctionalInterface
	interface Factory {

		Contender open(Redis redis, Workload workload);

	}

}
