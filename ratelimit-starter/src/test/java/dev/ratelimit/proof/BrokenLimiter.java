package dev.ratelimit.proof;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.support.Pending;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * A limiter as one should not be: it waits for Redis for longer than it may, and throws
 * when Redis fails. A proof of the promises of our limiter must fail with this one.
 */
final class BrokenLimiter implements BeanPostProcessor, Filter {

	private static final Duration TOO_LONG = Duration.ofSeconds(1);

	/** How the store failed for the request of this thread. */
	private static final ThreadLocal<AcquireResult> FAILED = new ThreadLocal<>();

	BrokenLimiter() {
		// The exceptions that it throws are of no interest.
		LoggingSystem.get(getClass().getClassLoader()).setLogLevel("org.apache.catalina.core", LogLevel.OFF);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof RateLimitStore store) ? new Store(store) : bean;
	}

	/**
	 * A store that throws would be decided by policy, so what the limiter admits without
	 * it throws.
	 */
	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (FAILED.get() != null) {
			throw new IllegalStateException("Redis failed: " + FAILED.get());
		}
		chain.doFilter(request, response);
	}

	/** Has neither deadline nor policy. */
	private static final class Store extends DelegatingStore {

		Store(RateLimitStore store) {
			super(store);
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			return super.acquire(requests, TOO_LONG).map((results) -> {
				FAILED.set(results.stream().filter(AcquireResult.Failed.class::isInstance).findFirst().orElse(null));
				return results;
			});
		}

		@Override
		public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
			return super.settle(settlements, TOO_LONG);
		}

	}

}
