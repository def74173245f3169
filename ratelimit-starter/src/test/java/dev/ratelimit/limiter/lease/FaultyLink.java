package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.Pending;

/**
 * The connection to the store: requests and replies are delayed, or lost.
 */
final class FaultyLink extends DelegatingStore {

	private final VirtualTime time;

	private final Random random;

	private final Map<String, Long> grantedMicros;

	private final long lifeMicros;

	/**
	 * Create a link.
	 * @param store the store
	 * @param time passes with each delay
	 * @param random chooses what happens
	 * @param grantedMicros receives the time at which the store decided, by permit
	 * @param lifeMicros the life of a lease, which the longest delays may exceed
	 */
	FaultyLink(RateLimitStore store, VirtualTime time, Random random, Map<String, Long> grantedMicros,
			long lifeMicros) {
		super(store);
		this.time = time;
		this.random = random;
		this.grantedMicros = grantedMicros;
		this.lifeMicros = lifeMicros;
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return Pending.of(requests.stream().map(this::acquire).toList());
	}

	private AcquireResult acquire(AcquireRequest request) {
		delay();
		if (this.random.nextInt(20) == 0) {
			return new AcquireResult.Failed(StoreFailure.TIMEOUT,
					this.random.nextBoolean() ? Fate.NOT_TAKEN : Fate.UNKNOWN);
		}
		AcquireResult result = super.acquire(List.of(request), Duration.ofMillis(50)).await().get(0);
		this.grantedMicros.put(request.permit().text(), this.time.micros());
		delay();
		if (this.random.nextInt(12) > 0) {
			return result;
		}
		if (this.random.nextBoolean()) {
			return new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN);
		}
		release(request, result);
		return new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.AWAITED);
	}

	/** What a store does about a reply that came too late. */
	private void release(AcquireRequest request, AcquireResult result) {
		if (result instanceof AcquireResult.Admitted admitted) {
			super.settle(List.of(Settlement.release(new AcquiredPermits(request, admitted.receipts()))), Duration.ZERO)
				.await();
		}
		if (result instanceof AcquireResult.Reserved reserved) {
			super.settle(
					List.of(Settlement
						.release(new AcquiredPermits(request.of(reserved.permits()), reserved.receipts()))),
					Duration.ZERO)
				.await();
		}
	}

	private void delay() {
		this.time.pass((this.random.nextInt(10) == 0) ? 2 * this.lifeMicros : this.lifeMicros / 50);
	}

	@Override
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
		delay();
		if (this.random.nextInt(10) == 0) {
			return Pending.of(settlements.stream().map((settled) -> SettlementResult.LOST).toList());
		}
		List<SettlementResult> results = super.settle(settlements, maxWait).await();
		delay();
		return Pending.of(results);
	}

}
