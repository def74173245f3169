package dev.ratelimit.store.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;

/**
 * Short forms of requests to a store.
 */
public final class StoreRequests {

	private static final PermitIds IDS = new PermitIds(new SecureRandom());

	private StoreRequests() {
	}

	public static AcquireRequest request(Limit limit, String subject) {
		return request(limit, subject, 1);
	}

	public static AcquireRequest request(Limit limit, String subject, long cost) {
		return new AcquireRequest(limit, new Subject(subject), cost, IDS.next());
	}

	public static AcquireResult acquire(RateLimitStore store, Limit limit, String subject) {
		return acquire(store, request(limit, subject));
	}

	public static AcquireResult acquire(RateLimitStore store, AcquireRequest request) {
		return acquire(store, request, Patience.LONG);
	}

	public static AcquireResult acquire(RateLimitStore store, AcquireRequest request, Duration maxWait) {
		return store.acquire(List.of(request), maxWait).await().get(0);
	}

	public static boolean isAdmitted(AcquireResult result) {
		return result instanceof AcquireResult.Admitted;
	}

	public static AcquireResult failed(StoreFailure failure, Fate fate) {
		return new AcquireResult.Failed(failure, fate);
	}

	public static String key(AcquireRequest request) {
		Limit limit = request.limit();
		return SharedRedis.PREFIX + ":{" + limit.rule() + ":" + request.subject().text() + "}:"
				+ ((limit.refill() == Refill.INTERVAL) ? 'i' : limit.algorithm().letter())
				+ ((limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG) ? "1" : "2");
	}

}
