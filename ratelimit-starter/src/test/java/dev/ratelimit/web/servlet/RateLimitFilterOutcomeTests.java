package dev.ratelimit.web.servlet;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which permits are released when the outcome is known; ways to end a request are in
 * OutcomeHandlersTests.
 */
class RateLimitFilterOutcomeTests {

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("2/1m");
	}

	@Test
	void permitsThatDoNotCountAreReleasedInAllStagesAndOthersStay() {
		LimitedApp app = new LimitedApp(rule("all").build(), rule("failures").countOn("failure").build(),
				rule("successes").countOn("success").build(),
				rule("user-failures").key("principal").countOn("failure").build());
		app.get("/x", "User", "a");
		assertThat(app.store.released()).containsExactly("failures", "user-failures");
		app.status = 402;
		app.get("/x", "User", "a");
		assertThat(app.store.released()).containsExactly("failures", "user-failures", "successes");
	}

	@Test
	void ourOwnRefusalIsNoOutcome() {
		LimitedApp app = new LimitedApp(rule("failures").countOn("failure").build(),
				rule("narrow").key("principal").thresholds("1/1m").build());
		app.status = 402;
		assertThat(app.get("/x", "User", "a").getStatus()).isEqualTo(402);
		assertThat(app.get("/x", "User", "a").getStatus()).isEqualTo(429);
		assertThat(app.store.released()).containsExactly("failures");
		assertThat(app.get("/x", "User", "b").getStatus()).isEqualTo(402);
		assertThat(app.get("/x", "User", "c").getStatus()).isEqualTo(429);
	}

	@Test
	void aRefusalOfSecurityIsAnOutcome() {
		LimitedApp app = new LimitedApp(rule("successes").countOn("success").build());
		assertThat(app.get("/x", "User", "forged").getStatus()).isEqualTo(401);
		assertThat(app.store.released()).containsExactly("successes");
	}

	/** A filter behind ours may serve it, which has no check at its handler. */
	@Test
	void aWebSocketThatPassesSecurityCountsByItsStatusToo() {
		LimitedApp app = new LimitedApp(rule("successes").countOn("success").build());
		app.get("/x", "User", "unknown");
		assertThat(app.store.released()).containsExactly("successes");
		app.get("/x", "User", "unknown", "Upgrade", "websocket");
		assertThat(app.store.released()).containsExactly("successes");
	}

	@Test
	void onlyARequestUnderSuchARuleIsWatched() {
		LimitedApp app = new LimitedApp(rule("all").build(), rule("failures").paths("/pay").countOn("failure").build());
		app.get("/x");
		assertThat(app.watched).isFalse();
		app.get("/pay");
		assertThat(app.watched).isTrue();
	}

	@Test
	void aRuleInShadowSettlesToo() {
		LimitedApp app = new LimitedApp(rule("failures").countOn("failure").shadow(true).build());
		app.get("/x");
		assertThat(app.store.released()).containsExactly("failures");
	}

}
