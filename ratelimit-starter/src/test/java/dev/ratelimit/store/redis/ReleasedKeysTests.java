package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.WaitRange;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where one rule refuses, the permits of the others are released: a client whose key is
 * new in each request must not fill Redis with what is left of them.
 */
@ExtendWith(SharedRedis.class)
class ReleasedKeysTests {

	private static final WaitRange NO_WAIT = new WaitRange(0, 0);

	private final RedisStore store = InjectedTime.shipped(SharedRedis.runner());

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	static Stream<AcquireRequest> requests() {
		List<AcquireRequest> requests = new ArrayList<>();
		// The scripts have a short form for one window.
		for (String[] thresholds : List.of(new String[] { "7/10d" }, new String[] { "7/10d", "9/100d" })) {
			for (Algorithm algorithm : Algorithm.values()) {
				requests
					.add(request(RLConfig.builder("released-" + algorithm.letter()).algorithm(algorithm), thresholds));
			}
			requests
				.add(request(RLConfig.builder("released-i").algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL),
						thresholds));
			for (Algorithm algorithm : List.of(Algorithm.LEAKY_BUCKET, Algorithm.SLIDING_WINDOW_LOG)) {
				AcquireRequest paced = request(
						RLConfig.builder("turn-" + algorithm.letter()).algorithm(algorithm).onLimit(OnLimit.DELAY),
						thresholds);
				requests.add(
						new AcquireRequest(paced.limit(), paced.subject(), 1, paced.permit(), 1, Optional.of(NO_WAIT)));
			}
		}
		return requests.stream();
	}

	private static AcquireRequest request(RLConfigBuilder rule, String... thresholds) {
		return StoreRequests.request(Limits.of(rule.thresholds(thresholds)), "s");
	}

	private AcquiredPermits acquire(AcquireRequest request) {
		AcquireRequest next = new AcquireRequest(request.limit(), request.subject(), 1,
				StoreRequests.request(request.limit(), "s").permit(), 1, request.turn());
		AcquireResult result = StoreRequests.acquire(this.store, next);
		return new AcquiredPermits(next, (result instanceof AcquireResult.Admitted admitted) ? admitted.receipts()
				: ((AcquireResult.Turn) result).receipts());
	}

	private void release(AcquiredPermits permits) {
		this.store.settle(List.of(Settlement.release(permits)), Patience.LONG).await();
	}

	@ParameterizedTest
	@MethodSource("requests")
	void nothingStaysWhereTheLastPermitIsReleased(AcquireRequest request) {
		AcquiredPermits only = acquire(request);
		assertThat(this.redis.exists(StoreRequests.key(request))).isTrue();
		release(only);
		Awaitility.await().until(() -> !this.redis.exists(StoreRequests.key(request)));
	}

	/** The key ends a millisecond later. */
	@ParameterizedTest
	@MethodSource("requests")
	void aPermitThatIsAcquiredRightAfterwardsCountsForItsWholeTime(AcquireRequest request) {
		for (int i = 0; i < 20; i++) {
			release(acquire(request));
			AcquiredPermits next = acquire(request);
			assertThat(this.redis.pttl(StoreRequests.key(request))).isGreaterThan(Duration.ofHours(1).toMillis());
			release(next);
		}
	}

	@ParameterizedTest
	@MethodSource("requests")
	void whatOthersHoldStays(AcquireRequest request) {
		AcquiredPermits first = acquire(request);
		AcquireRequest second = StoreRequests.request(request.limit(), "s");
		assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(this.store, second))).isTrue();
		long expiry = this.redis.pttl(StoreRequests.key(request));
		release(first);
		assertThat(this.redis.pttl(StoreRequests.key(request))).isBetween(expiry - 10_000, expiry);
	}

}
