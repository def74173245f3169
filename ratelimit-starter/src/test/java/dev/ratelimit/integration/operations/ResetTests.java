package dev.ratelimit.integration.operations;

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
			ratelimit.rules.log: {key: 'header:X-Api-Key', thresholds: 1/1h}
			""";

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
