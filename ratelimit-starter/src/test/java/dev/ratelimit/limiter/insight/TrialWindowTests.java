package dev.ratelimit.limiter.insight;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * A trial decides as the store does that counts the requests.
 */
class TrialWindowTests {

	private static final int REQUESTS = 5000;

	private static final Subject CLIENT = new Subject("c");

	private final MovableClock clock = new MovableClock();

	private final MemoryStore store = new MemoryStore(this.clock);

	private final PermitIds ids = new PermitIds(new SplittableRandom(1));

	static Stream<RLConfigBuilder> exact() {
		return Stream.of(rule(Algorithm.FIXED_WINDOW), rule(Algorithm.SLIDING_WINDOW_COUNTER),
				rule(Algorithm.SLIDING_WINDOW_COUNTER).rounding(Rounding.UP), rule(Algorithm.LEAKY_BUCKET),
				rule(Algorithm.TOKEN_BUCKET), rule(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL));
	}

	private static RLConfigBuilder rule(Algorithm algorithm) {
		return RLConfig.builder("r").algorithm(algorithm).thresholds("20/1s", "50/7s");
	}

	@ParameterizedTest
	@MethodSource
	void exact(RLConfigBuilder rule) {
		Limit limit = Limits.of(rule);
		ClientOnTrial trial = new ClientOnTrial(limit);
		SplittableRandom random = new SplittableRandom(3);
		int refused = 0;
		for (int i = 0; i < REQUESTS; i++) {
			this.clock.advanceMicros(pause(random));
			long cost = random.nextLong(1, 4);
			boolean inStore = isRefused(limit, cost);
			assertThat(isRefused(trial, limit, cost, 1)).as("request %d", i).isEqualTo(inStore);
			refused += inStore ? 1 : 0;
		}
		assertThat(refused).isBetween(REQUESTS / 20, REQUESTS * 19 / 20);
	}

	/** Bursts and breaks. */
	private static long pause(SplittableRandom random) {
		return (random.nextInt(20) == 0) ? random.nextLong(3_000_000) : random.nextLong(60_000);
	}

	private boolean isRefused(Limit limit, long cost) {
		AcquireRequest request = new AcquireRequest(limit, CLIENT, cost, this.ids.next());
		return this.store.acquire(List.of(request), Patience.LONG).await().get(0) instanceof AcquireResult.Refused;
	}

	private boolean isRefused(ClientOnTrial trial, Limit limit, long cost, int factor) {
		return (trial.attempt(limit, cost, 1, this.clock.micros()) & 1 << factor) != 0;
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.limiter.insight.Arrivals#values")
	void aLogIsFollowedToAFewPercent(Arrivals arrivals) {
		for (int threshold : new int[] { 5, 20, 100 }) {
			for (boolean countRejected : new boolean[] { false, true }) {
				Limit limit = countRejected ? Limits.countingRefusals("r", threshold + "/1s")
						: Limits.of("r", threshold + "/1s");
				ClientOnTrial trial = new ClientOnTrial(limit);
				SplittableRandom random = new SplittableRandom(5);
				MemoryStore fresh = new MemoryStore(this.clock);
				int inStore = 0;
				int onTrial = 0;
				for (int i = 0; i < REQUESTS; i++) {
					this.clock.advanceMicros(arrivals.pauseMicros(i, threshold, random));
					AcquireRequest request = new AcquireRequest(limit, CLIENT, 1, this.ids.next());
					inStore += (fresh.acquire(List.of(request), Patience.LONG)
						.await()
						.get(0) instanceof AcquireResult.Refused) ? 1 : 0;
					onTrial += isRefused(trial, limit, 1, 1) ? 1 : 0;
				}
				assertThat((double) onTrial / REQUESTS).as("%d, %s", threshold, countRejected)
					.isCloseTo((double) inStore / REQUESTS, within(0.05));
			}
		}
	}

	@Test
	void halfAndTwiceAreLimitsOfThatSize() {
		Limit limit = Limits.of(rule(Algorithm.FIXED_WINDOW));
		Limit half = Limits.of(RLConfig.builder("h").algorithm(Algorithm.FIXED_WINDOW).thresholds("10/1s", "25/7s"));
		Limit twice = Limits.of(RLConfig.builder("t").algorithm(Algorithm.FIXED_WINDOW).thresholds("40/1s", "100/7s"));
		ClientOnTrial trial = new ClientOnTrial(limit);
		SplittableRandom random = new SplittableRandom(9);
		for (int i = 0; i < REQUESTS; i++) {
			this.clock.advanceMicros(pause(random));
			int refused = trial.attempt(limit, 1, 1, this.clock.micros());
			assertThat((refused & 1) != 0).isEqualTo(isRefused(half, 1));
			assertThat((refused & 4) != 0).isEqualTo(isRefused(twice, 1));
		}
	}

	@Test
	void anIntervalIsOverToTheMicrosecond() {
		Limit limit = Limits
			.of(RLConfig.builder("i").algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL).thresholds("1/1s"));
		ClientOnTrial trial = new ClientOnTrial(limit);
		assertThat(isRefused(trial, limit, 1, 1)).isFalse();
		this.clock.advanceMicros(999_999);
		assertThat(isRefused(trial, limit, 1, 1)).isTrue();
		this.clock.advanceMicros(1);
		assertThat(isRefused(trial, limit, 1, 1)).isFalse();
	}

	@Test
	void aThresholdOfOneHasNoHalf() {
		Limit limit = Limits.of("one", "1/1s");
		assertThat(new ClientOnTrial(limit).attempt(limit, 1, 1, 0)).isZero();
	}

	@Test
	void otherInstancesAreAssumedToAdmitTheSame() {
		Limit limit = Limits.of("shared", "6/1s");
		ClientOnTrial trial = new ClientOnTrial(limit);
		for (int i = 0; i < 2; i++) {
			assertThat(trial.attempt(limit, 1, 3, 0) & 2).isZero();
		}
		assertThat(trial.attempt(limit, 1, 3, 0) & 2).isNotZero();
	}

}
