package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What only the buckets in Redis promise, with injected time: of the bytes under a key,
 * and on the clock of Redis.
 */
@ExtendWith(SharedRedis.class)
class RedisBucketTests {

	private static final String KEY = SharedRedis.PREFIX + ":{bucket:s}:";

	private static RateLimitStore open(MovableClock clock) {
		return InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void foreignValuesUnderTheKeyCountAsNothing(Algorithm algorithm) {
		Limit limit = limitOf(algorithm, "2/60s");
		byte[][] corrupt = { {}, "nonsense".getBytes(StandardCharsets.UTF_8), new byte[24], new byte[42], new byte[33],
				new byte[43], new byte[60] };
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone());
				RateLimitStore store = open(new MovableClock())) {
			for (byte[] value : corrupt) {
				String key = KEY + algorithm.letter() + "2";
				redis.set(key.getBytes(StandardCharsets.UTF_8), value, SetParams.setParams().px(1000));
				AcquireRequest request = StoreRequests.request(limit, "s", 2);
				AcquireResult result = StoreRequests.acquire(store, request);
				assertThat(result).isInstanceOf(AcquireResult.Admitted.class);
				redis.set(key.getBytes(StandardCharsets.UTF_8), value, SetParams.setParams().px(1000));
				assertThat(store
					.settle(List.of(Settlement
						.release(new AcquiredPermits(request, ((AcquireResult.Admitted) result).receipts()))),
							Patience.LONG)
					.await()).containsExactly(SettlementResult.ACKNOWLEDGED);
			}
		}
	}

	/** As while instances with other rules run side by side. */
	@Test
	void bucketsOfAnotherRefillCountApart() {
		List<Limit> both = Stream.of(Refill.values())
			.map((refill) -> Limits
				.of(RLConfig.builder("bucket").algorithm(Algorithm.TOKEN_BUCKET).refill(refill).thresholds("5/60s")))
			.toList();
		try (RateLimitStore store = open(new MovableClock())) {
			assertThat(IntStream.range(0, 30)
				.filter((i) -> StoreRequests.isAdmitted(StoreRequests.acquire(store, both.get(i % 2), "s")))
				.count()).isEqualTo(10);
		}
	}

	@Test
	void whatALargerPlanHasUsedLivesOnWhereTheClockStepsBack() {
		List<Limit> plans = Limits.ofPlans(RLConfig.builder("bucket")
			.algorithm(Algorithm.TOKEN_BUCKET)
			.thresholds(List.of(RLThreshold.valueOf("1/1s").withBurst(10)))
			.plans(Plans.by("principal",
					Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("1/1s").withBurst(1000))))))
			.build());
		MovableClock clock = new MovableClock();
		clock.advanceMicros(1_000_000);
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone()); RateLimitStore store = open(clock)) {
			AcquireRequest all = StoreRequests.request(plans.get(1), "s", 1000);
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, all))).isTrue();
			clock.advanceMicros(-1);
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, plans.get(0), "s"))).isFalse();
			assertThat(redis.pttl(KEY + "t2")).isGreaterThan(900_000);
			redis.flushAll();
		}
	}

	@Test
	void aRefusalWritesNothing() {
		Limit limit = limitOf(Algorithm.TOKEN_BUCKET, "1/60s");
		MovableClock clock = new MovableClock();
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone()); RateLimitStore store = open(clock)) {
			StoreRequests.acquire(store, limit, "s");
			byte[] before = redis.get((KEY + "t2").getBytes(StandardCharsets.UTF_8));
			clock.advanceMicros(1_000_000);
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, limit, "s"))).isFalse();
			assertThat(redis.get((KEY + "t2").getBytes(StandardCharsets.UTF_8))).isEqualTo(before);
		}
	}

	@Test
	@DisplayName("4.11: 64 threads on Redis' own clock, while refills fall due: no interval has more than one refill")
	void noRefillHappensTwiceWhileRefillsFallDue() throws Exception {
		int permits = 10;
		int windowMicros = 20_000;
		Limit limit = Limits.of(RLConfig.builder("bucket")
			.algorithm(Algorithm.TOKEN_BUCKET)
			.refill(Refill.INTERVAL)
			.thresholds(permits + "/20ms"));
		RateLimitStore store = InjectedTime.shipped(SharedRedis.runner());
		ExecutorService threads = Executors.newFixedThreadPool(64);
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			AtomicInteger admitted = new AtomicInteger();
			long start = micros(redis);
			Callable<Object> client = Executors.callable(() -> {
				while (admitted.get() < 10 * permits) {
					if (StoreRequests.isAdmitted(StoreRequests.acquire(store, limit, "s"))) {
						admitted.incrementAndGet();
					}
				}
			});
			for (Future<Object> done : threads.invokeAll(Collections.nCopies(64, client))) {
				done.get();
			}
			long intervals = (micros(redis) - start) / windowMicros + 1;
			assertThat(admitted.get()).as("in %d intervals", intervals).isLessThanOrEqualTo((int) intervals * permits);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static long micros(Jedis redis) {
		List<String> time = redis.time();
		return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void aDamagedBucketRefusesNoLongerThanItTakesToFill(Algorithm algorithm) {
		Limit limit = limitOf(algorithm, "2/60s");
		MovableClock clock = new MovableClock();
		byte[] value = new byte[42];
		Arrays.fill(value, (byte) 0xff);
		System.arraycopy(new byte[] { 0x60, (byte) 0xea, 0, 0, 0 }, 0, value, 24, 5);
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone()); RateLimitStore store = open(clock)) {
			redis.set((KEY + algorithm.letter() + "2").getBytes(StandardCharsets.UTF_8), value,
					SetParams.setParams().px(60_000));
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, limit, "s"))).isFalse();
			clock.advance(Duration.ofMinutes(1));
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, StoreRequests.request(limit, "s", 2))))
				.isTrue();
		}
	}

	private static Limit limitOf(Algorithm algorithm, String... thresholds) {
		return Limits.of(RLConfig.builder("bucket").algorithm(algorithm).thresholds(thresholds).build());
	}

}
