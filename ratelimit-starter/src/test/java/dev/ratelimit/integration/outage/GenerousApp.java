package dev.ratelimit.integration.outage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.InstanceRegistry;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A limiter that spends three times what it has leased, and reports one permit to Redis
 * of all that it counted itself. A proof that our limiter stays within its limits must
 * fail with this one.
 */
@Configuration(proxyBeanMethods = false)
class GenerousApp {

	@Bean
	static BeanPostProcessor countsWrong() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof RateLimitStore store) ? new Generous(store) : bean;
			}

		};
	}

	private static final class Generous extends DelegatingStore {

		private final RateLimitStore store;

		Generous(RateLimitStore store) {
			super(store);
			this.store = store;
		}

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
			return super.acquire(requests, maxWait).stream().map(Generous::threefold).toList();
		}

		private static AcquireResult threefold(AcquireResult result) {
			return (result instanceof AcquireResult.Reserved reserved)
					? new AcquireResult.Reserved(reserved.usage(), reserved.receipts(), 3 * reserved.permits())
					: result;
		}

		@Override
		public Optional<PermitCounter> counter() {
			return this.store.counter()
				.map((counter) -> (permits, maxWait) -> counter
					.count(permits.stream().map((taken) -> taken.of(1)).toList(), maxWait));
		}

		@Override
		public Optional<InstanceRegistry> instances() {
			return this.store.instances();
		}

	}

}
