package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Redis stores after histories that are always the same: instances of two versions
 * with the same format count in the same keys while an application is deployed.
 */
class GoldenKeysTests {

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	private int permits;

	@BeforeEach
	void begin() {
		this.redis.flushAll();
	}

	@AfterEach
	void empty() {
		this.redis.flushAll();
		this.redis.close();
	}

	@Test
	void theKeysOfEachAlgorithmAreUnchanged() {
		StringBuilder text = new StringBuilder();
		for (Algorithm algorithm : Algorithm.values()) {
			text.append(history(RLConfig.builder("plain").algorithm(algorithm), Optional.empty()));
		}
		text.append(history(RLConfig.builder("refusals").countRejected(true), Optional.empty()));
		text.append(history(RLConfig.builder("intervals").algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL),
				Optional.empty()));
		Optional<WaitRange> patient = Optional.of(new WaitRange(0, Duration.ofMinutes(10).toMillis() * 1000));
		for (Algorithm algorithm : List.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.LEAKY_BUCKET)) {
			text.append(history(RLConfig.builder("turns").algorithm(algorithm).onLimit(OnLimit.DELAY), patient));
		}
		text.append(synced());
		Golden.assertUnchanged("redis-keys.txt", text.toString());
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SLIDING_WINDOW_LOG")
	void instancesWithAnotherFormatCountForThemselves(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "deployed", "4/400d");
		RateLimitStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);
		String key = StoreRequests.key(request(limit, 1, Optional.empty()));
		String older = key.substring(0, key.length() - 1) + "1";
		this.redis.set(older, "what an older version has counted");
		assertThat(store.acquire(List.of(request(limit, 4, Optional.empty())), Patience.LONG).await().get(0))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(store.acquire(List.of(request(limit, 1, Optional.empty())), Patience.LONG).await().get(0))
			.isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.redis.get(older)).isEqualTo("what an older version has counted");
	}

	/**
	 * Two permits, one that is released, more than there are, one refusal, and one permit
	 * later.
	 */
	private String history(RLConfigBuilder builder, Optional<WaitRange> turn) {
		RLConfig rule = builder.thresholds("4/60s", "6/600s").build();
		Limit limit = Limits.of(rule);
		try (RateLimitStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX)) {
			take(store, limit, 2, turn);
			this.clock.advanceMicros(1_000_001);
			AcquireRequest released = request(limit, 1, Optional.empty());
			if (store.acquire(List.of(released), Patience.LONG)
				.await()
				.get(0) instanceof AcquireResult.Admitted admitted) {
				store
					.settle(List.of(Settlement.release(new AcquiredPermits(released, admitted.receipts()))),
							Patience.LONG)
					.await();
			}
			take(store, limit, 2, turn);
			take(store, limit, 1, turn);
			this.clock.advance(Duration.ofSeconds(61));
			take(store, limit, 1, turn);
		}
		return "== " + rule.counting().algorithm().text() + ", " + rule.id() + "\n" + stored();
	}

	private void take(RateLimitStore store, Limit limit, long cost, Optional<WaitRange> turn) {
		store.acquire(List.of(request(limit, cost, turn)), Patience.LONG).await();
	}

	private AcquireRequest request(Limit limit, long cost, Optional<WaitRange> turn) {
		return new AcquireRequest(limit, SUBJECT, cost, new PermitId("p" + ++this.permits), cost, turn);
	}

	/** Permits that are reported to Redis and not requested from it. */
	private String synced() {
		StringBuilder text = new StringBuilder();
		for (Algorithm algorithm : Mode.ModeKind.SYNCED.algorithms()) {
			Limit limit = Limits.of(algorithm, "synced", "4/60s", "6/600s");
			RateLimitStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);
			AcquireRequest request = request(limit, 1, Optional.empty());
			AcquireResult.Admitted admitted = (AcquireResult.Admitted) store.acquire(List.of(request), Patience.LONG)
				.await()
				.get(0);
			InjectedTime.counter(SharedRedis.runner(), this.clock, SharedRedis.PREFIX)
				.count(List.of(new AcquiredPermits(request.of(3), admitted.receipts())), Patience.LONG);
			text.append("== ").append(algorithm.text()).append(", synced\n").append(stored());
		}
		return text.toString();
	}

	@Test
	void theKeyOfTheInstancesIsUnchanged() {
		for (String name : List.of("a", "b")) {
			InjectedTime.instances(SharedRedis.runner(), this.clock).beat(name, Duration.ofMinutes(1));
			this.clock.advance(Duration.ofSeconds(1));
		}
		Golden.assertUnchanged("redis-key-of-the-instances.txt", stored());
	}

	private String stored() {
		String text = StoredKeys.describe(this.redis);
		this.redis.flushAll();
		return text;
	}

}
