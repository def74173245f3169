package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Map;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.web.key.KeyResolver;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client sees of the limit that applies to it.
 */
class PlansTests {

	private static Allowance limited(String threshold) {
		return new Allowance.Limited(List.of(RLThreshold.valueOf(threshold)));
	}

	private static RLConfigBuilder rule(String planKey) {
		return RLConfig.builder("api")
			.paths("/**")
			.key("header:X-Api-Key")
			.thresholds("100/1m")
			.plans(Plans.by(planKey,
					Map.of("free", limited("200/1m"), "paid", limited("10000/1m"), "staff", Allowance.UNLIMITED,
							"banned", Allowance.BLOCKED)))
			.overrides(List.of(new KeyOverride(List.of("special"), limited("50/30s"))));
	}

	private static String policy(MockHttpServletResponse response) {
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeader("RateLimit-Policy")).contains("q=" + response.getHeader("X-RateLimit-Limit"));
		return String.valueOf(response.getHeader("RateLimit-Policy"));
	}

	@Test
	void theHeadersShowTheLimitThatApplies() {
		LimitedApp app = new LimitedApp(rule("header:X-Plan").build());
		assertThat(policy(app.get("/x", "X-Api-Key", "a"))).isEqualTo("\"api\";q=100;w=60");
		assertThat(policy(app.get("/x", "X-Api-Key", "b", "X-Plan", "Free"))).isEqualTo("\"api\";q=200;w=60");
		assertThat(policy(app.get("/x", "X-Api-Key", "c", "X-Plan", "paid"))).isEqualTo("\"api\";q=10000;w=60");
		assertThat(policy(app.get("/x", "X-Api-Key", "d", "X-Plan", "gold"))).isEqualTo("\"api\";q=100;w=60");
		assertThat(policy(app.get("/x", "X-Api-Key", "special", "X-Plan", "paid"))).isEqualTo("\"api\";q=50;w=30");
		assertThat(policy(app.get("/x", "X-Plan", "free"))).as("keyless, by address").isEqualTo("\"api\";q=200;w=60");
	}

	@Test
	void aBeanMayReturnThePlan() {
		LimitedApp app = new LimitedApp(
				new Beans(Map.of("subscriptions", (KeyResolver) (facts) -> facts.header("X-Api-Key"))),
				rule("bean:subscriptions").build());
		assertThat(policy(app.get("/x", "X-Api-Key", "paid"))).isEqualTo("\"api\";q=10000;w=60");
	}

	@Test
	void anUnlimitedClientGetsNoHeadersAndCostsNoCallOfTheStore() {
		LimitedApp app = new LimitedApp(rule("header:X-Plan").build());
		MockHttpServletResponse response = app.get("/x", "X-Api-Key", "a", "X-Plan", "staff");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeaderNames()).isEmpty();
		assertThat(app.store.acquired()).isEmpty();
	}

	@Test
	void aBlockedClientIsRefusedWithoutRetryAfterOrACallOfTheStore() throws Exception {
		LimitedApp app = new LimitedApp(rule("header:X-Plan").build(),
				RLConfig.builder("other").paths("/**").key("header:X-Api-Key").thresholds("5/1m").build());
		MockHttpServletResponse response = app.get("/x", "X-Api-Key", "a", "X-Plan", "banned");
		assertThat(response.getStatus()).isEqualTo(403);
		assertThat(response.getContentAsString())
			.isEqualTo("{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403}");
		assertThat(response.getHeaderNames()).containsExactlyInAnyOrder("Content-Type", "Content-Length",
				"Cache-Control");
		assertThat(app.store.acquired()).isEmpty();
		assertThat(app.reached).isZero();
	}

	@Test
	void permitsOfAnEarlierStageAreReleasedForABlockedClient() {
		LimitedApp app = new LimitedApp(RLConfig.builder("by-ip").paths("/**").thresholds("5/1m").build(),
				rule("header:X-Plan").build());
		assertThat(app.get("/x", "X-Plan", "banned").getStatus()).isEqualTo(403);
		assertThat(app.store.released()).containsExactly("by-ip");
	}

	@Test
	void aClientThatChangesItsPlanKeepsItsUsage() {
		LimitedApp app = new LimitedApp(rule("header:X-Plan").build());
		for (int i = 0; i < 150; i++) {
			app.get("/x", "X-Api-Key", "a", "X-Plan", "free");
		}
		assertThat(app.get("/x", "X-Api-Key", "a", "X-Plan", "paid").getHeader("X-RateLimit-Remaining"))
			.isEqualTo("9849");
		for (int i = 151; i < 200; i++) {
			app.get("/x", "X-Api-Key", "a", "X-Plan", "paid");
		}
		assertThat(app.get("/x", "X-Api-Key", "a", "X-Plan", "free").getStatus()).isEqualTo(429);
		assertThat(app.get("/x", "X-Api-Key", "a", "X-Plan", "paid").getStatus()).isEqualTo(200);
	}

}
