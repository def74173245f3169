package dev.ratelimit.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.ratelimit.benchmarks.PairedRounds.Paired;

/**
 * The result of one contender: medians over all rounds.
 *
 * @param peer the contender
 * @param perSecond decisions per second
 * @param timesFloor the same, as a multiple of the adjacent floor
 * @param p50Micros the median of the latency
 * @param p99Micros the 99th percentile of the latency
 * @param p50TimesFloor the median, as a multiple of the floor's
 * @param p99TimesFloor the 99th percentile, as a multiple of the floor's
 * @param admittedShare the share that was admitted
 * @param commands commands of Redis per decision, including those of scripts
 * @param bytesIn bytes to Redis per decision
 * @param bytesOut bytes from Redis per decision
 * @param redisCpuMicros CPU time of Redis per decision
 * @param heapBytes the heap that this JVM allocated per decision
 * @param serverMicros the processor time of the threads of Tomcat per request
 * @param serverTimesFloor the same, as a multiple of the floor's
 * @param stolenShare the largest share of the processors' time that the host of this
 * machine gave to others while a sample or one of its neighbours was taken
 */
record Result(Peer peer, double perSecond, double timesFloor, double p50Micros, double p99Micros, double p50TimesFloor,
		double p99TimesFloor, double admittedShare, double commands, double bytesIn, double bytesOut,
		double redisCpuMicros, double heapBytes, double serverMicros, double serverTimesFloor, double stolenShare) {

	static Result of(Peer peer, List<Paired> pairs) {
		return new Result(peer, median(pairs, (pair) -> pair.sample().perSecond()), median(pairs, Paired::timesFloor),
				median(pairs, (pair) -> pair.sample().p50Micros()), median(pairs, (pair) -> pair.sample().p99Micros()),
				median(pairs, (pair) -> pair.times(Sample::p50Micros)),
				median(pairs, (pair) -> pair.times(Sample::p99Micros)),
				median(pairs, (pair) -> pair.sample().admittedShare()),
				median(pairs, (pair) -> pair.sample().perDecision(pair.sample().redis().commands())),
				median(pairs, (pair) -> pair.sample().perDecision(pair.sample().redis().bytesIn())),
				median(pairs, (pair) -> pair.sample().perDecision(pair.sample().redis().bytesOut())),
				median(pairs, (pair) -> pair.sample().perDecision(pair.sample().redis().cpuMicros())),
				median(pairs, (pair) -> pair.sample().perDecision((double) pair.sample().heapBytes())),
				median(pairs, (pair) -> pair.sample().serverMicros()),
				median(pairs, (pair) -> pair.times(Sample::serverMicros)),
				pairs.stream().mapToDouble(Paired::stolenShare).max().orElseThrow());
	}

	private static double median(List<Paired> pairs, ToDoubleFunction<Paired> figure) {
		double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
		return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1).average().orElseThrow();
	}

}
