package dev.ratelimit.benchmarks;

/** Reports the progress. */
@FunctionalInterface
interface Progress {

	void report(String format, Object... arguments);

}
