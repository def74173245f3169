package dev.ratelimit.benchmarks;

/** Reports the progress. */
@FunctionalInterface
interface Progress {

	void tell(String format, Object... arguments);

}
