package dev.ratelimit.proof;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.BareCapabilities;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.support.Pending;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * A limiter that spends three times what it has leased, and reports one permit to Redis
 * of all that it counted itself. A proof that our limiter stays within its limits must
 * fail with this one.
 */
final class GenerousLimiter implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof RateLimitStore store) ? new Store(store) : bean;
	}

	private static final class Store extends DelegatingStore {

		private final RateLimitStore store;

		Store(RateLimitStore store) {
			super(store);
			this.store = store;
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			return Pending.of(super.acquire(requests, maxWait).await().stream().map(Store::threefold).toList());
		}

		private static AcquireResult threefold(AcquireResult result) {
			return (result instanceof AcquireResult.Reserved reserved)
					? new AcquireResult.Reserved(reserved.usage(), reserved.receipts(), 3 * reserved.permits())
					: result;
		}

		@Override
		public StoreCapabilities capabilities() {
			Optional<PermitCounter> counter = this.store.capabilities()
				.counter()
				.map((counts) -> (permits, maxWait) -> counts
					.count(permits.stream().map((taken) -> taken.of(1)).toList(), maxWait));
			return BareCapabilities.with(this.store.capabilities().instances(), counter);
		}

	}

}
