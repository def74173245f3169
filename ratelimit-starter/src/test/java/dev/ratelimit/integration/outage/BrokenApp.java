package dev.ratelimit.integration.outage;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Pending;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A limiter as one should not be: it waits for Redis for longer than it may, and throws
 * when Redis fails. A proof of the promises of our limiter must fail with this one.
 */
@Configuration(proxyBeanMethods = false)
class BrokenApp {

	private static final Duration TOO_LONG = Duration.ofSeconds(1);

	@Bean
	static BeanPostProcessor breaksTheStore() {
		// The exceptions that it throws are of no interest.
		LoggingSystem.get(BrokenApp.class.getClassLoader()).setLogLevel("org.apache.catalina.core", LogLevel.OFF);
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof RateLimitStore store) ? new Broken(store) : bean;
			}

		};
	}

	/**
	 * Has neither deadline nor policy.
	 */
	private static final class Broken extends DelegatingStore {

		Broken(RateLimitStore store) {
			super(store);
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			return super.acquire(requests, TOO_LONG).map((results) -> results.stream()
				.filter(AcquireResult.Failed.class::isInstance)
				.findFirst()
				.<List<AcquireResult>>map((failed) -> new Unreadable(failed, results.size()))
				.orElse(results));
		}

		@Override
		public Pending<List<ReleaseResult>> release(List<AcquiredPermits> permits, Duration maxWait) {
			return super.release(permits, TOO_LONG);
		}

	}

	/**
	 * Throws where it is read: the limiter decides by policy what a store itself throws.
	 */
	private static final class Unreadable extends AbstractList<AcquireResult> {

		private final AcquireResult failed;

		private final int size;

		Unreadable(AcquireResult failed, int size) {
			this.failed = failed;
			this.size = size;
		}

		@Override
		public AcquireResult get(int index) {
			throw new IllegalStateException("Redis failed: " + this.failed);
		}

		@Override
		public int size() {
			return this.size;
		}

	}

}
