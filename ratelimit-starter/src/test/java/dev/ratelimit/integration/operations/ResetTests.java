package dev.ratelimit.integration.operations;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A reset of a client applies to all instances that share its limit.
 */
@ExtendWith(SharedCluster.class)
class ResetTests {

	private static final String RULES = SharedCluster.yaml() + """
			ratelimit.deny-cache: %s
			management.endpoint.ratelimits.access: unrestricted
			ratelimit.rules.leased: {key: 'header:X-Api-Key', thresholds: 100/1h, mode: leased}
			ratelimit.rules.log: {key: 'header:X-Api-Key', thresholds: 1/1h}
			""";

	@Test
	@DisplayName("2.13 Code looks at a client and resets it, on a Cluster and with a key-secret")
	void codePeeksAndResets() {
		try (App app = App.start(RULES.formatted("1m") + "ratelimit.key-secret: of-all-instances-and-long-enough\n")) {
			RateLimiter limiter = app.bean(RateLimiter.class);
			assertThat(limiter.peek("log", "customer").isAllowed()).isTrue();
			assertThat(tryAcquire(app)).isTrue();
			assertThat(limiter.peek("log", "customer")).isInstanceOf(RateLimitDecision.Rejected.class);
			assertThat(tryAcquire(app)).isFalse();
			assertThat(limiter.reset("log", "customer")).isTrue();
			assertThat(limiter.peek("log", "customer").isAllowed()).isTrue();
			assertThat(tryAcquire(app)).as("not from the deny cache").isTrue();
			limiter.tryAcquire("leased", "customer");
			limiter.tryAcquire("leased", "customer");
			assertThat(limiter.reset("leased", "customer")).isTrue();
			assertThat(limiter.peek("leased", "customer").quotas().get(0).remaining()).as("leases are gone")
				.isEqualTo(100);
			assertThat(limiter.tryAcquire("leased", "customer").source()).isEqualTo(Source.STORE);
		}
	}

	@Test
	@DisplayName("2.13 A store that does not answer makes neither of them throw")
	void aStoreThatDoesNotAnswer() {
		try (App app = App.start("""
				spring.data.redis: {host: 127.0.0.1, port: 1}
				ratelimit.rules:
				  local: {key: global, thresholds: 1/1h}
				  open: {key: global, thresholds: 1/1h, on-store-failure: allow}
				""")) {
			RateLimiter limiter = app.bean(RateLimiter.class);
			assertThat(limiter.peek("local")).isInstanceOf(RateLimitDecision.Unavailable.class);
			assertThat(limiter.peek("open").isAllowed()).isTrue();
			assertThat(limiter.reset("open")).isFalse();
		}
	}

	private static boolean tryAcquire(App app) {
		return app.bean(RateLimiter.class).tryAcquire("log", "customer").isAllowed();
	}

	@Test
	@DisplayName("A reset acts on another instance when that calls the store again, which depends on deny-cache")
	void aResetActsElsewhereWhenTheStoreIsCalledAgain() {
		String prefix = App.newPrefix();
		try (App one = App.start(prefix, RULES.formatted("1m"));
				App caching = App.start(prefix, RULES.formatted("1m"));
				App calling = App.start(prefix, RULES.formatted("0"))) {
			assertThat(tryAcquire(one)).isTrue();
			assertThat(tryAcquire(caching)).isFalse();
			assertThat(tryAcquire(calling)).isFalse();
			assertThat(one.send("DELETE", "/actuator/ratelimits/log?key=customer").statusCode()).isEqualTo(204);
			assertThat(tryAcquire(caching)).as("from memory, for a minute at most").isFalse();
			assertThat(tryAcquire(calling)).isTrue();
		}
	}

}
