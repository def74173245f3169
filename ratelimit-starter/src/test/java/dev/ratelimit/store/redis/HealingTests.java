package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.XAddParams;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Foreign and damaged values under a key of the limiter: requests are decided all the
 * same, the value is replaced and the key expires, and no client is locked out for longer
 * than counted permits would have mattered. After each test all keys expire.
 */
@ExtendWith(SharedRedis.class)
class HealingTests {

	private static final long SEED = 20261121;

	private static final int RANDOM_VALUES = 300;

	private final MovableClock clock = new MovableClock();

	private final RedisStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	private enum Kind {

		LOG(Algorithm.SLIDING_WINDOW_LOG, 2), COUNTER(Algorithm.SLIDING_WINDOW_COUNTER, 2),
		FIXED(Algorithm.FIXED_WINDOW, 2), TOKENS(Algorithm.TOKEN_BUCKET, 2), INTERVALS(Algorithm.TOKEN_BUCKET, 2),
		LEAKY(Algorithm.LEAKY_BUCKET, 2), COUNTER_OF_ONE(Algorithm.SLIDING_WINDOW_COUNTER, 1),
		FIXED_OF_ONE(Algorithm.FIXED_WINDOW, 1), TOKENS_OF_ONE(Algorithm.TOKEN_BUCKET, 1),
		LEAKY_OF_ONE(Algorithm.LEAKY_BUCKET, 1);

		private final Algorithm algorithm;

		private final int windows;

		Kind(Algorithm algorithm, int windows) {
			this.algorithm = algorithm;
			this.windows = windows;
		}

		Limit limit() {
			RLConfigBuilder rule = RLConfig.builder("healing" + this.windows)
				.algorithm(this.algorithm)
				.thresholds((this.windows == 1) ? new String[] { "3/60s" } : new String[] { "3/60s", "5/600s" });
			return Limits.of((this == INTERVALS) ? rule.refill(Refill.INTERVAL) : rule);
		}

	}

	@ParameterizedTest
	@EnumSource
	void aValueOfAnotherTypeIsReplacedByOurs(Kind kind) {
		AcquireRequest request = StoreRequests.request(kind.limit(), "a", 3);
		String key = StoreRequests.key(request);
		List<Runnable> others = new ArrayList<>(List.of(() -> this.redis.lpush(key, "value"),
				() -> this.redis.hset(key, "field", "value"), () -> this.redis.sadd(key, "value"),
				() -> this.redis.xadd(key, Map.of("field", "value"), XAddParams.xAddParams())));
		others.add((kind == Kind.LOG) ? () -> this.redis.set(key, "value") : () -> this.redis.zadd(key, 1, "value"));
		for (Runnable other : others) {
			other.run();
			AcquireResult result = StoreRequests.acquire(this.store, request);
			assertThat(result).isInstanceOf(AcquireResult.Admitted.class);
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(this.store, kind.limit(), "a"))).as("a fourth")
				.isFalse();
			assertThat(this.redis.pttl(key)).isPositive();
			this.redis.del(key);
			other.run();
			assertThat(release(request, ((AcquireResult.Admitted) result).receipts())).isTrue();
			this.redis.del(key);
		}
	}

	@Test
	void aTurnReplacesAValueOfAnotherType() {
		AcquireRequest request = StoreRequests.request(Kind.LOG.limit(), "a");
		this.redis.set(StoreRequests.key(request), "value");
		Optional<WaitRange> later = Optional.of(new WaitRange(5_000_000, 60_000_000, 1));
		AcquireRequest turn = new AcquireRequest(request.limit(), request.subject(), 1, request.permit(), 1, later);
		assertThat(StoreRequests.acquire(this.store, turn)).isInstanceOfSatisfying(AcquireResult.Turn.class,
				(given) -> assertThat(given.waitMicros()).isEqualTo(5_000_000));
		assertThat(this.redis.pttl(StoreRequests.key(request))).isPositive();
	}

	/** {@link CounterKeyTests} covers the others. */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = { "COUNTER.*", "FIXED.*" })
	void aKeyThatHasLostItsExpiryGetsOneAgain(Kind kind) {
		AcquireRequest request = StoreRequests.request(kind.limit(), "a");
		StoreRequests.acquire(this.store, request);
		this.redis.persist(StoreRequests.key(request));
		if (kind.windows == 1) {
			this.clock.advance(Duration.ofSeconds(16));
		}
		StoreRequests.acquire(this.store, request.limit(), "a");
		assertThat(this.redis.pttl(StoreRequests.key(request))).isPositive();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOG")
	void foreignTextCountsAsNothing(Kind kind) {
		for (String text : List.of("", "abc", "-5", "9223372036854775807", "{\"count\":3}")) {
			AcquireRequest request = StoreRequests.request(kind.limit(), "a", 3);
			plant(request, text.getBytes(StandardCharsets.UTF_8));
			assertThat(StoreRequests.acquire(this.store, request)).as(text).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	/**
	 * A stored value, cut off anywhere or with any bit flipped; and noise, some of it as
	 * long as a stored value.
	 */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOG")
	void damagedValuesAreDecidedAndAge(Kind kind) {
		AcquireRequest request = StoreRequests.request(kind.limit(), "a", 3);
		StoreRequests.acquire(this.store, request);
		byte[] ours = value(request);
		for (int bit = 0; bit < 8 * ours.length; bit++) {
			byte[] flipped = ours.clone();
			flipped[bit / 8] ^= (byte) (1 << bit % 8);
			assertItAges(kind, flipped);
		}
		for (int length = 1; length < ours.length; length++) {
			assertItAges(kind, Arrays.copyOf(ours, length));
		}
		Random random = new Random(SEED);
		for (int i = 0; i < RANDOM_VALUES; i++) {
			byte[] noise = new byte[(i % 2 == 0) ? ours.length : random.nextInt(100)];
			random.nextBytes(noise);
			assertItAges(kind, noise);
		}
	}

	private void assertItAges(Kind kind, byte[] value) {
		Limit limit = kind.limit();
		AcquireRequest request = StoreRequests.request(limit, "b", 3);
		String description = kind + " " + HexFormat.of().formatHex(value);
		plant(request, value);
		assertSound(StoreRequests.acquire(this.store, request), limit, description);
		Duration longest = limit.thresholds().get(limit.size() - 1).windowLength();
		this.clock.advance(longest);
		if (limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER) {
			// A count of the last window has weight for another one.
			this.clock.advance(longest);
		}
		AcquireResult later = StoreRequests.acquire(this.store, StoreRequests.request(limit, "b", 3));
		assertThat(later).as(description).isInstanceOf(AcquireResult.Admitted.class);
		assertSound(later, limit, description);
	}

	private static void assertSound(AcquireResult result, Limit limit, String description) {
		assertThat(result).as(description).isNotInstanceOf(AcquireResult.Failed.class);
		List<Usage> usage = (result instanceof AcquireResult.Admitted admitted) ? admitted.usage()
				: ((AcquireResult.Refused) result).usage();
		for (int i = 0; i < usage.size(); i++) {
			long window = limit.thresholds().get(i).windowLength().toNanos() / 1000;
			assertThat(usage.get(i).remaining()).as(description).isBetween(0L, limit.capacity(i));
			assertThat(usage.get(i).resetMicros()).as(description).isBetween(0L, 2 * window);
			assertThat(usage.get(i).retryMicros()).as(description).isBetween(0L, 2 * window);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-inf", "0", "1795166420000000.5", "9007199254740993", "1e300", "+inf" })
	void foreignEntriesInALogCountForAWindowAtMost(String score) {
		Limit limit = Kind.LOG.limit();
		AcquireRequest request = StoreRequests.request(limit, "a");
		for (int i = 0; i < 9; i++) {
			this.redis.zadd(StoreRequests.key(request), Double.parseDouble(score.replace("inf", "Infinity")),
					"other" + i);
		}
		assertSound(StoreRequests.acquire(this.store, request), limit, score);
		this.clock.advance(limit.thresholds().get(1).windowLength());
		assertThat(StoreRequests.acquire(this.store, StoreRequests.request(limit, "a", 3)))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.redis.zcard(StoreRequests.key(request))).as("foreign entries are gone").isEqualTo(3);
	}

	/** It once made the script run for ever. */
	@Test
	void aCountBeyondEveryThresholdIsNotComputedWith() {
		Limit limit = Limits.of(Algorithm.SLIDING_WINDOW_COUNTER, "healing-large", "1000000/1d");
		AcquireRequest request = StoreRequests.request(limit, "a");
		// 86400000, the day, 2^56 - 1 twice, 0
		byte day = (byte) (this.clock.micros() / 86_400_000_000L);
		byte nextDigit = (byte) ((this.clock.micros() / 86_400_000_000L) >> 8);
		byte[] value = HexFormat.of()
			.parseHex("005c260500" + HexFormat.of().formatHex(new byte[] { day, nextDigit }) + "00".repeat(5)
					+ "ff".repeat(14) + "0000");
		plant(request, value);
		assertThat(StoreRequests.acquire(this.store, request)).isInstanceOf(AcquireResult.Admitted.class);
	}

	private void plant(AcquireRequest request, byte[] value) {
		this.redis.set(StoreRequests.key(request).getBytes(StandardCharsets.UTF_8), value);
	}

	private byte[] value(AcquireRequest request) {
		return this.redis.get(StoreRequests.key(request).getBytes(StandardCharsets.UTF_8));
	}

	private boolean release(AcquireRequest request, List<Long> receipts) {
		return this.store.settle(List.of(Settlement.release(new AcquiredPermits(request, receipts))), Patience.LONG)
			.await()
			.get(0) == SettlementResult.ACKNOWLEDGED;
	}

}
