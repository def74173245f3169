package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permits that are counted without a decision, on Redis' own clock: for many keys in one
 * call, on one server or on all masters of a cluster.
 */
@ExtendWith(SharedRedis.class)
class RedisCounterTests {

	private static final int KEYS = 30;

	@ParameterizedTest
	@CsvSource({ "FIXED_WINDOW, false", "FIXED_WINDOW, true", "SLIDING_WINDOW_COUNTER, false",
			"SLIDING_WINDOW_COUNTER, true" })
	void aStrictRuleFindsTheCountedPermits(Algorithm algorithm, boolean cluster) {
		RateLimitStore store = InjectedTime.shipped(cluster ? SharedRedis.clusterRunner() : SharedRedis.runner());
		Limit limit = Limits.of(algorithm, "counted", "100/400d");
		List<AcquiredPermits> permits = new ArrayList<>();
		for (int i = 0; i < KEYS; i++) {
			AcquireRequest request = request(limit, i, 1);
			List<Long> receipts = ((AcquireResult.Admitted) StoreRequests.acquire(store, request)).receipts();
			permits.add(new AcquiredPermits(request(limit, i, 10 + i), receipts));
		}
		assertThat(store.capabilities().counter().orElseThrow().count(permits, Patience.LONG)).hasSize(KEYS)
			.allMatch(AcquireResult.Admitted.class::isInstance);
		for (int i = 0; i < KEYS; i++) {
			AcquireResult result = StoreRequests.acquire(store, request(limit, i, 1));
			assertThat(((AcquireResult.Admitted) result).usage().get(0).remaining()).isEqualTo(100 - 12 - i);
		}
	}

	@Test
	void fiveHundredCountsAreEightCommands() {
		RateLimitStore store = InjectedTime.shipped(SharedRedis.runner());
		Limit limit = Limits.of(Algorithm.FIXED_WINDOW, "counted", "100/400d");
		AcquireRequest any = request(limit, 0, 1);
		List<Long> receipts = ((AcquireResult.Admitted) StoreRequests.acquire(store, any)).receipts();
		List<AcquiredPermits> permits = IntStream.range(0, 500)
			.mapToObj((i) -> new AcquiredPermits(request(limit, i, 1), receipts))
			.toList();
		PermitCounter counter = store.capabilities().counter().orElseThrow();
		counter.count(permits.subList(0, 1), Patience.LONG);
		SharedRedis.inspection().configResetStat();
		assertThat(counter.count(permits, Patience.LONG)).allMatch(AcquireResult.Admitted.class::isInstance);
		assertThat(SharedRedis.inspection().info("commandstats")).contains("cmdstat_evalsha:calls=8,");
	}

	private static AcquireRequest request(Limit limit, int subject, long cost) {
		return new AcquireRequest(limit, new Subject("counted" + subject), cost, new PermitId("p"));
	}

}
