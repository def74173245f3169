package dev.ratelimit.rule.lint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PointlessThresholdsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			// A window that lies within another one, or that one within it.
			"SLIDING_WINDOW_COUNTER | 100/1s, 100/10s | 100/1s", "SLIDING_WINDOW_COUNTER | 10/1s, 100/10s | 100/10s",
			"FIXED_WINDOW | 100/1s, 100/10s | 100/1s", "FIXED_WINDOW | 10/1s, 100/10s | 100/10s",
			// Twice the threshold of another window, which fits around its edge.
			"FIXED_WINDOW | 200/2s, 100/3s | 200/2s", "FIXED_WINDOW | 100/2s, 300/3s | 300/3s",
			// At least the capacity and the rate of another bucket.
			"TOKEN_BUCKET | 100/1s, 50/10s | 100/1s", "TOKEN_BUCKET | 100/1s, 1000/10s | 1000/10s",
			"LEAKY_BUCKET | 100/1s, 1000/10s | 1000/10s" })
	void aThresholdThatCanNeverBeReachedIsReported(Algorithm algorithm, String thresholds, String pointless) {
		assertThat(warnings(RLConfig.builder("a").algorithm(algorithm), thresholds)).singleElement()
			.asString()
			.contains("the threshold " + pointless + " can never be reached");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			// With a log, one threshold of each pair could never be reached.
			"SLIDING_WINDOW_COUNTER | 100/2s, 100/3s", "SLIDING_WINDOW_COUNTER | 100/2s, 200/3s",
			"FIXED_WINDOW | 100/2s, 100/3s", "FIXED_WINDOW | 199/2s, 100/3s", "FIXED_WINDOW | 100/2s, 299/3s",
			// All of these matter with every algorithm.
			"SLIDING_WINDOW_COUNTER | 500/2s, 2000/10s, 10000/60s", "FIXED_WINDOW | 500/2s, 2000/10s, 10000/60s",
			"TOKEN_BUCKET | 500/2s, 2000/10s, 10000/60s", "LEAKY_BUCKET | 500/2s, 2000/10s, 10000/60s" })
	void aThresholdThatCanBeReachedAroundAnEdgeIsNotReported(Algorithm algorithm, String thresholds) {
		assertThat(warnings(RLConfig.builder("a").algorithm(algorithm), thresholds)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "100,100,1", "101,100,1", "99,100,0", "10,50,0", "1,1,1" })
	void aBurstMakesABucketMatter(long burst, long longerBurst, int expected) {
		RLConfig rule = RLConfig.builder("a")
			.algorithm(Algorithm.TOKEN_BUCKET)
			.thresholds(List.of(RLThreshold.valueOf("10/1s").withBurst(burst),
					RLThreshold.valueOf("50/10s").withBurst(longerBurst)))
			.build();
		assertThat(PointlessThresholds.warnings(rule)).hasSize(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "100/1s, 100/10s | 0", "200/1s, 100/10s | 1", "10/1s, 100/10s | 0", "10/1s, 110/10s | 1" })
	void anIntervalBucketBeginsItsWindowsAnywhere(String thresholds, int expected) {
		assertThat(
				warnings(RLConfig.builder("a").algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL), thresholds))
			.hasSize(expected);
	}

	/** The store verifies each finding. */
	@Property(tries = 2000)
	void aPointlessThresholdNeverRefusesAlone(@ForAll("rules") RLConfig rule,
			@ForAll("requests") List<Request> requests) {
		Limit limit = Limit.of(rule);
		Optional<Integer> pointless = pointless(rule, limit);
		if (pointless.isEmpty()) {
			return;
		}
		MovableClock clock = new MovableClock();
		MemoryStore store = new MemoryStore(clock);
		int id = 0;
		for (Request request : requests) {
			clock.advance(Duration.ofMillis(request.afterMillis()));
			AcquireResult result = store
				.acquire(List.of(new AcquireRequest(limit, new Subject("s"), request.cost(), new PermitId("p" + id++))),
						Patience.LONG)
				.await()
				.get(0);
			if (result instanceof AcquireResult.Refused refused) {
				List<Boolean> refusing = refused.usage().stream().map(Usage::refuses).toList();
				assertThat(refusing.get(1 - pointless.get())).as("%s: %s", rule, refusing).isTrue();
			}
		}
	}

	private static Optional<Integer> pointless(RLConfig rule, Limit limit) {
		return Stream.of(0, 1)
			.filter((index) -> PointlessThresholds.neverRefuses(rule, limit.thresholds().get(index),
					limit.thresholds().get(1 - index)))
			.findFirst();
	}

	@Provide
	Arbitrary<RLConfig> rules() {
		Arbitrary<Long> few = Arbitraries.longs().between(1, 8);
		Arbitrary<Long> windows = Arbitraries.of(1L, 2L, 3L, 4L, 6L, 9L, 12L);
		Arbitrary<List<RLThreshold>> thresholds = Combinators.combine(few, few, windows)
			.as((threshold, burst, window) -> new RLThreshold(threshold, Duration.ofMillis(window), burst))
			.list()
			.ofSize(2)
			.uniqueElements(RLThreshold::window);
		return Combinators.combine(Arbitraries.of(Algorithm.values()), Arbitraries.of(true, false), thresholds)
			.as(PointlessThresholdsTests::rule);
	}

	private static RLConfig rule(Algorithm algorithm, boolean option, List<RLThreshold> thresholds) {
		RLConfigBuilder rule = RLConfig.builder("a").algorithm(algorithm);
		boolean interval = option && algorithm.takes(Option.REFILL);
		if (option && algorithm.takes(Option.ROUNDING)) {
			rule.rounding(Rounding.UP);
		}
		if (option && algorithm.takes(Option.COUNT_REJECTED)) {
			rule.countRejected(true);
		}
		if (interval) {
			rule.refill(Refill.INTERVAL);
		}
		boolean bursts = algorithm.takes(Option.BURST) && !interval;
		return rule
			.thresholds(bursts ? thresholds
					: thresholds.stream().map((threshold) -> threshold.withBurst(threshold.threshold())).toList())
			.build();
	}

	@Provide
	Arbitrary<List<Request>> requests() {
		return Combinators.combine(Arbitraries.longs().between(0, 15), Arbitraries.longs().between(1, 3))
			.as(Request::new)
			.list()
			.ofSize(40);
	}

	private static List<String> warnings(RLConfigBuilder rule, String thresholds) {
		return PointlessThresholds.warnings(rule.thresholds(thresholds.split(", ")).build());
	}

	/**
	 * A request.
	 *
	 * @param afterMillis how long after the one before
	 * @param cost its cost
	 */
	record Request(long afterMillis, long cost) {
	}

}
