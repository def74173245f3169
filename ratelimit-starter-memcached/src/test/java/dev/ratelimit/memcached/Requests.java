package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;

/**
 * Requests for permits, as tests write them.
 */
final class Requests {

	static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final PermitId PERMIT = new PermitId("p");

	private Requests() {
	}

	static Limit limit(Algorithm algorithm, String rule, String... thresholds) {
		return Limit.of(RLConfig.builder(rule).algorithm(algorithm).thresholds(thresholds).build());
	}

	static Limit synced(Algorithm algorithm, String rule, String... thresholds) {
		return Limit.of(RLConfig.builder(rule)
			.algorithm(algorithm)
			.thresholds(thresholds)
			.mode(new Mode.Synced(Duration.ofSeconds(1), 10))
			.build());
	}

	static AcquireRequest request(Limit limit, String subject, long cost) {
		return new AcquireRequest(limit, new Subject(subject), cost, PERMIT);
	}

	static AcquireResult acquire(RateLimitStore store, AcquireRequest request) {
		return store.acquire(List.of(request), PATIENCE).await().get(0);
	}

	static boolean admits(RateLimitStore store, AcquireRequest request) {
		return acquire(store, request) instanceof AcquireResult.Admitted;
	}

	static SettlementResult release(RateLimitStore store, AcquireRequest request, AcquireResult admitted) {
		AcquiredPermits taken = new AcquiredPermits(request, ((AcquireResult.Admitted) admitted).receipts());
		return store.settle(List.of(Settlement.release(taken)), PATIENCE).await().get(0);
	}

}
