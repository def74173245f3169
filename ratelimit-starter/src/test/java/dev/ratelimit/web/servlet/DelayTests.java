package dev.ratelimit.web.servlet;

import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests wait for their turns, here on threads: which requests wait, which do not, and
 * what is decided when.
 */
class DelayTests {

	private static RLConfigBuilder delay() {
		return RLConfig.builder("delay")
			.paths("/**")
			.algorithm(Algorithm.LEAKY_BUCKET)
			.thresholds(List.of(new RLThreshold(1, Duration.ofSeconds(1), 3)))
			.onLimit(OnLimit.DELAY);
	}

	private static RLConfigBuilder rare() {
		return RLConfig.builder("rare").paths("/**").thresholds("1/1h");
	}

	private static long waitMicros(LimitedApp app, String... headers) {
		long start = app.clock.micros();
		assertThat(app.get("/a", headers).getStatus()).isEqualTo(200);
		return app.clock.micros() - start;
	}

	@Test
	void aRequestIsAnsweredWhenItsTurnHasComeAndNotBefore() {
		LimitedApp app = new LimitedApp(delay().build());
		assertThat(waitMicros(app)).isZero();
		assertThat(waitMicros(app)).isBetween(1_000_000L, 1_000_010L);
		assertThat(app.listener.events()).containsExactly("delay ALLOWED by STORE", "delay DELAYED by STORE",
				"delay waits", "delay waited");
	}

	@Test
	void aRequestThatWouldWaitTooLongIsRefusedAtOnceWithRetryAfter() {
		LimitedApp app = new LimitedApp(delay().onLimit(new OnLimit.Delay(Duration.ofMillis(300), 9)).build());
		app.get("/a");
		MockHttpServletResponse refused = app.get("/a");
		assertThat(refused.getStatus()).isEqualTo(429);
		assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
		assertThat(app.reached).isEqualTo(1);
	}

	/** All its windows share the wait; only one has no permits left. */
	@Test
	void theBodyOfARefusedTurnHasTheLimitOfItsHeaders() throws UnsupportedEncodingException {
		LimitedApp app = new LimitedApp(RLConfig.builder("shop")
			.paths("/**")
			.thresholds("1/10s", "1000/1h")
			.onLimit(new OnLimit.Delay(Duration.ofMillis(300), 9))
			.build());
		app.get("/a");
		MockHttpServletResponse refused = app.get("/a");
		assertThat(refused.getHeader("X-RateLimit-Limit")).isEqualTo("1");
		assertThat(refused.getContentAsString()).contains("\"limit\":1,");
	}

	@Test
	void theTimeThatTheStoreTakesIsNoPartOfTheWait() {
		LimitedApp app = new LimitedApp(delay().thresholds(List.of(new RLThreshold(1, Duration.ofSeconds(2), 3)))
			.onLimit(new OnLimit.Delay(Duration.ofMillis(1980), 9))
			.build());
		app.store.duringCalls(() -> app.clock.advance(Duration.ofMillis(30)));
		app.get("/a");
		assertThat(app.get("/a").getStatus()).as("it has a turn in 1970 ms").isEqualTo(200);
	}

	@Test
	void otherRulesAreDecidedBeforeTheWait() {
		LimitedApp app = new LimitedApp(delay().build(), rare().thresholds("9/1h").build());
		app.get("/a");
		app.get("/a");
		assertThat(app.listener.events()).containsExactly("delay ALLOWED by STORE", "rare ALLOWED by STORE",
				"delay DELAYED by STORE", "rare ALLOWED by STORE", "delay waits", "delay waited");
		assertThat(app.store.acquired()).as("calls of the store").hasSize(4);
	}

	@Test
	void aRequestThatAnotherRuleRefusesReleasesItsTurnAtOnce() {
		LimitedApp app = new LimitedApp(delay().build(), rare().build());
		app.get("/a");
		long start = app.clock.micros();
		assertThat(app.get("/a").getStatus()).isEqualTo(429);
		assertThat(app.clock.micros()).isEqualTo(start);
		assertThat(app.store.released()).containsExactly("delay");
	}

	@Test
	void aRequestWithoutATurnIsNotCountedByOtherRules() {
		LimitedApp app = new LimitedApp(delay().onLimit(new OnLimit.Delay(Duration.ofMillis(300), 9)).build(),
				rare().build());
		app.get("/a");
		assertThat(app.get("/a").getStatus()).isEqualTo(429);
		assertThat(app.listener.events()).containsExactly("delay ALLOWED by STORE", "rare ALLOWED by STORE",
				"delay REJECTED by STORE");
	}

	@Test
	void twoRulesThatDelayShareACallAndTheLaterTurnCounts() {
		LimitedApp app = new LimitedApp(delay().build(),
				RLConfig.builder("slow").paths("/**").thresholds("1/2s").onLimit(OnLimit.DELAY).build());
		assertThat(waitMicros(app)).isZero();
		assertThat(waitMicros(app)).isBetween(2_000_000L, 2_000_010L);
		assertThat(app.store.acquired()).hasSize(2);
	}

	@Test
	void aTurnOfTheSecondStageIsTakenBeforeOtherRulesOfItAreDecided() {
		LimitedApp app = new LimitedApp(delay().key("principal").build(), rare().key("principal").build());
		assertThat(waitMicros(app, "User", "anna")).isZero();
		assertThat(waitMicros(app, "User", "bert")).isZero();
		assertThat(app.get("/a", "User", "anna").getStatus()).isEqualTo(429);
		assertThat(app.listener.events()).endsWith("delay DELAYED by STORE", "rare REJECTED by STORE",
				"delay released");
	}

	@Test
	void inShadowNoRequestWaits() {
		LimitedApp app = new LimitedApp(delay().shadow(true).build());
		app.get("/a");
		assertThat(waitMicros(app)).isZero();
		assertThat(app.listener.events()).containsExactly("delay ALLOWED by STORE", "delay DELAYED by STORE");
	}

	@Test
	void withoutTheStoreARuleThatAllowsAdmitsAtOnce() {
		LimitedApp app = new LimitedApp(delay().onStoreFailure(OnStoreFailure.ALLOW).build());
		app.store.failFor("delay");
		assertThat(waitMicros(app)).isZero();
		assertThat(waitMicros(app)).isZero();
	}

	@Test
	void withoutTheStoreARuleThatDeniesAnswers503() {
		LimitedApp app = new LimitedApp(delay().onStoreFailure(OnStoreFailure.DENY).build());
		app.store.failFor("delay");
		assertThat(app.get("/a").getStatus()).isEqualTo(503);
	}

	@Test
	void withoutTheStoreTurnsAreThoseOfThisInstance() {
		LimitedApp app = new LimitedApp(delay().build());
		app.store.failFor("delay");
		assertThat(waitMicros(app)).isZero();
		assertThat(waitMicros(app)).isBetween(1_000_000L, 1_000_010L);
		assertThat(app.listener.events()).startsWith("delay ALLOWED by LOCAL", "delay DELAYED by LOCAL");
	}

	@Test
	void aLogDelaysUntilItsWindowHasRoom() {
		LimitedApp app = new LimitedApp(RLConfig.builder("log")
			.paths("/**")
			.thresholds("2/1s")
			.onLimit(new OnLimit.Delay(Duration.ofSeconds(2), 1))
			.build());
		assertThat(waitMicros(app)).isZero();
		assertThat(waitMicros(app)).isZero();
		assertThat(waitMicros(app)).isBetween(1_000_000L, 1_000_010L);
	}

}
