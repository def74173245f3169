package dev.ratelimit.web.servlet;

import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rule in shadow decides and reports. Clients do not see it: they should not adapt to a
 * limit that is not in force.
 */
class ShadowTests {

	private static RLConfigBuilder shadow() {
		return RLConfig.builder("shadow").paths("/**").thresholds("1/1m").shadow(true);
	}

	@Test
	void itRefusesNoRequestAndShowsNoHeaders() {
		LimitedApp app = new LimitedApp(shadow().build());
		app.get("/x");
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeaderNames()).isEmpty();
		assertThat(app.reached).isEqualTo(2);
		assertThat(app.listener.events()).containsExactly("shadow ALLOWED by STORE", "shadow REJECTED by STORE");
	}

	@Test
	void theHeadersAreThoseOfTheRulesInForce() {
		LimitedApp app = new LimitedApp(shadow().build(),
				RLConfig.builder("r").paths("/**").thresholds("2/1m").build());
		app.get("/x");
		assertThat(app.get("/x").getHeader("RateLimit")).isEqualTo("\"r\";r=0;t=60");
		MockHttpServletResponse refused = app.get("/x");
		assertThat(refused.getStatus()).isEqualTo(429);
		assertThat(refused.getHeader("RateLimit-Policy")).isEqualTo("\"r\";q=2;w=60");
	}

	@Test
	void itRefusesNoRequestForLackOfAKey() {
		LimitedApp app = new LimitedApp(shadow().key("header:X-Key").onMissingKey(OnMissingKey.DENY).build(),
				RLConfig.builder("r").paths("/**").key("header:X-Other").thresholds("2/1m").build());
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("2");
		assertThat(app.listener.events()).containsExactly("shadow REJECTED", "r ALLOWED by STORE");
	}

	@Test
	void itRefusesNoRequestWhileTheStoreIsAway() {
		LimitedApp app = new LimitedApp(shadow().onStoreFailure(OnStoreFailure.DENY).build());
		app.store.failFor("shadow");
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeaderNames()).isEmpty();
	}

}
