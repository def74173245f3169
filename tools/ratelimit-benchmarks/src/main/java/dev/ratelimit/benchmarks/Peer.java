package dev.ratelimit.benchmarks;

/**
 * Somebody who takes part.
 *
 * @param title the name in tables
 * @param counts how it counts: what is exact, what is approximate
 * @param documentation the page whose way to use it is followed
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
