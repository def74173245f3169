package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.web.key.KeyResolver;
import jakarta.servlet.http.HttpSession;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read of a request and its container, and for which rules.
 */
class CollectedFactsTests {

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("9/1m");
	}

	private static List<String> reads(RLConfigBuilder... rules) {
		return reads(Beans.NONE, rules);
	}

	private static List<String> reads(Beans beans, RLConfigBuilder... rules) {
		RLConfig[] built = new RLConfig[rules.length];
		for (int i = 0; i < rules.length; i++) {
			built[i] = rules[i].build();
		}
		LimitedApp app = new LimitedApp(beans, built);
		RecordedRequest request = new RecordedRequest();
		assertThat(app.send(request).getStatus()).isEqualTo(200);
		return request.reads;
	}

	@Test
	void aRuleByAddressReadsNeitherUserNorSession() {
		assertThat(reads(rule("ip"))).isEmpty();
	}

	@Test
	void rulesBySessionReadItOnceAndCreateNone() {
		assertThat(reads(rule("one").key("session"), rule("two").key("session"), rule("ip")))
			.containsExactly("session");
	}

	@Test
	void rulesByPrincipalReadTheUserOnce() {
		assertThat(reads(rule("one").key("principal"), rule("two").key("principal"))).containsExactly("user");
	}

	@Test
	void aRuleOnOtherPathsReadsNothing() {
		assertThat(reads(rule("one").key("session").paths("/other"), rule("ip"))).isEmpty();
	}

	@Test
	void aRuleWhoseConditionDoesNotHoldReadsNoSession() {
		assertThat(reads(rule("one").key("session").when("method == 'POST'"))).isEmpty();
		assertThat(reads(rule("one").key("session").when("method == 'GET'"))).containsExactly("session");
	}

	@Test
	void aBeanReadsWhatItUses() {
		Beans beans = new Beans(Map.of("header", (KeyResolver) (facts) -> facts.header("X-Key"), "session",
				(KeyResolver) (facts) -> facts.session()));
		assertThat(reads(beans, rule("one").key("bean:header"))).isEmpty();
		assertThat(reads(beans, rule("one").key("bean:session"))).containsExactly("session");
	}

	@Test
	void onlyADelayedRequestIsAskedWhetherItMayWaitAtItsHandler() {
		LimitedApp app = new LimitedApp(rule("delaying").algorithm(Algorithm.LEAKY_BUCKET)
			.thresholds(List.of(new RLThreshold(1, Duration.ofSeconds(1), 3)))
			.onLimit(OnLimit.DELAY)
			.build());
		RecordedRequest first = new RecordedRequest();
		app.send(first);
		assertThat(first.reads).isEmpty();
		RecordedRequest second = new RecordedRequest();
		app.send(second);
		assertThat(second.reads).containsExactly("asynchronous");
	}

	/** A request with a user, but without a session. */
	private static final class RecordedRequest extends MockHttpServletRequest {

		private final List<String> reads = new ArrayList<>();

		RecordedRequest() {
			super("GET", "/a");
		}

		@Override
		public Principal getUserPrincipal() {
			this.reads.add("user");
			return () -> "anna";
		}

		@Override
		public HttpSession getSession(boolean create) {
			this.reads.add(create ? "new session" : "session");
			return super.getSession(create);
		}

		@Override
		public boolean isAsyncSupported() {
			this.reads.add("asynchronous");
			return super.isAsyncSupported();
		}

	}

}
