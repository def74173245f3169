package dev.ratelimit.benchmarks;

import org.HdrHistogram.Histogram;

/**
 * What one contender did in one round.
 *
 * @param decisions how many decisions it made
 * @param admitted how many of them were admissions
 * @param seconds in how many seconds
 * @param latencies how long each took, in nanoseconds
 * @param heapBytes what all threads of this JVM allocated meanwhile
 * @param redis what Redis did meanwhile
 * @param stolenShare which share of the processors' time the host of this machine gave to
 * others meanwhile
 */
record Sample(long decisions, long admitted, double seconds, Histogram latencies, long heapBytes, RedisUsage redis,
		double stolenShare) {

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

	double perDecision(double total) {
		return total / this.decisions;
	}

}
