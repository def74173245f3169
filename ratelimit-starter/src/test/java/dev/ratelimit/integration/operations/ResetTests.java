package dev.ratelimit.integration.operations;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
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
			ratelimit.key-secret: of-all-instances-and-long-enough
			ratelimit.deny-cache: %s
			management.endpoint.ratelimits.access: unrestricted
			ratelimit.rules.leased: {key: 'header:X-Api-Key', thresholds: 100/1h, mode: leased}
			ratelimit.rules.log: {key: 'header:X-Api-Key', thresholds: 1/1h}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(RULES.formatted("1m"));
	}

	@Test
	@DisplayName("2.13 Code looks at a client and resets it, on a Cluster and with a key-secret")
	void codePeeksAndResets() {
		RateLimiter limiter = app.bean(RateLimiter.class);
		assertThat(limiter.peek("log", "customer").isAllowed()).isTrue();
		assertThat(tryAcquire(app, "customer")).isTrue();
		assertThat(limiter.peek("log", "customer")).isInstanceOf(RateLimitDecision.Rejected.class);
		assertThat(tryAcquire(app, "customer")).isFalse();
		assertThat(limiter.reset("log", "customer")).isTrue();
		assertThat(limiter.peek("log", "customer").isAllowed()).isTrue();
		assertThat(tryAcquire(app, "customer")).as("not from the deny cache").isTrue();
		limiter.tryAcquire("leased", "customer");
		limiter.tryAcquire("leased", "customer");
		assertThat(limiter.reset("leased", "customer")).isTrue();
		assertThat(limiter.peek("leased", "customer").quotas().get(0).remaining()).as("leases are gone").isEqualTo(100);
		assertThat(limiter.tryAcquire("leased", "customer").source()).isEqualTo(Source.STORE);
	}

	private static boolean tryAcquire(App instance, String customer) {
		return instance.bean(RateLimiter.class).tryAcquire("log", customer).isAllowed();
	}

	@Test
	@DisplayName("A reset acts on another instance when that calls the store again, which depends on deny-cache")
	void aResetActsElsewhereWhenTheStoreIsCalledAgain() {
		try (App caching = App.start(app.prefix(), RULES.formatted("1m"));
				App calling = App.start(app.prefix(), RULES.formatted("0"))) {
			assertThat(tryAcquire(app, "elsewhere")).isTrue();
			assertThat(tryAcquire(caching, "elsewhere")).isFalse();
			assertThat(tryAcquire(calling, "elsewhere")).isFalse();
			assertThat(app.send("DELETE", "/actuator/ratelimits/log?key=elsewhere").statusCode()).isEqualTo(204);
			assertThat(tryAcquire(caching, "elsewhere")).as("from memory, for a minute at most").isFalse();
			assertThat(tryAcquire(calling, "elsewhere")).isTrue();
		}
	}

}
