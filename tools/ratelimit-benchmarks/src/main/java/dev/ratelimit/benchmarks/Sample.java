package dev.ratelimit.benchmarks;

import org.HdrHistogram.Histogram;

/**
 * The measurements of one contender in one round.
 *
 * @param decisions the number of decisions
 * @param admitted the number of admissions among them
 * @param seconds the duration in seconds
 * @param latencies the duration of each decision, in nanoseconds
 * @param heapBytes the heap that all threads of this JVM allocated meanwhile
 * @param serverNanos the processor time of the threads of Tomcat meanwhile
 * @param redis the usage of Redis meanwhile
 * @param stolenShare the share of the processors' time that the host of this machine gave
 * to others meanwhile
 */
record Sample(long decisions, long admitted, double seconds, Histogram latencies, long heapBytes, long serverNanos,
		RedisUsage redis, double stolenShare) {

	double perSecond() {
		return this.decisions / this.seconds;
	}

	double admittedShare() {
		return (double) this.admitted / this.decisions;
	}

	double p50Micros() {
		return this.latencies.getValueAtPercentile(50) / 1000.0;
	}

	double p99Micros() {
		return this.latencies.getValueAtPercentile(99) / 1000.0;
	}

	double serverMicros() {
		return perDecision(this.serverNanos / 1000.0);
	}

	double perDecision(double total) {
		return total / this.decisions;
	}

}
