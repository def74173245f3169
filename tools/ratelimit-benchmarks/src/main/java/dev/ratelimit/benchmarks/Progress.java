package dev.ratelimit.benchmarks;

/** Tells whoever waits how far it is. */
@FunctionalInterface
interface Progress {

	void tell(String format, Object... arguments);

}
