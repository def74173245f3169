package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Stage;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitFilterTests {

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("2/1m");
	}

	private static List<Integer> statuses(MockHttpServletResponse... responses) {
		return Stream.of(responses).map(MockHttpServletResponse::getStatus).toList();
	}

	@Test
	void allRulesOfARequestShareOneCallOfTheStore() {
		LimitedApp app = new LimitedApp(rule("a").build(), rule("b").build(), rule("c").key("global").build());
		app.get("/x");
		assertThat(app.store.acquired()).singleElement().satisfies((requests) -> assertThat(requests).hasSize(3));
	}

	@Test
	void aRefusalReleasesThePermitsOfOtherRules() {
		LimitedApp app = new LimitedApp(rule("wide").thresholds("3/1m").build(),
				rule("narrow").paths("/narrow").build());
		assertThat(statuses(app.get("/narrow"), app.get("/narrow"), app.get("/narrow"), app.get("/narrow")))
			.containsExactly(200, 200, 429, 429);
		assertThat(statuses(app.get("/wide"), app.get("/wide"))).containsExactly(200, 429);
	}

	@Test
	void aRefusalOfALaterStageReleasesThePermitsOfAnEarlierOne() {
		LimitedApp app = new LimitedApp(rule("by-ip").thresholds("3/1m").build(),
				rule("by-user").key("principal").build());
		assertThat(statuses(app.get("/x", "User", "a"), app.get("/x", "User", "a"), app.get("/x", "User", "a")))
			.containsExactly(200, 200, 429);
		assertThat(app.store.released()).containsExactly("by-ip");
		assertThat(statuses(app.get("/x", "User", "b"), app.get("/x", "User", "b"))).containsExactly(200, 429);
	}

	@Test
	void aRuleByPrincipalIsDecidedBehindSecurity() {
		LimitedApp app = new LimitedApp(rule("by-ip").build(), rule("by-user").key("principal").build());
		app.get("/x", "User", "a");
		assertThat(app.store.acquired()).extracting((requests) -> requests.get(0).limit().rule())
			.containsExactly("by-ip", "by-user");
	}

	@Test
	void theStageOfARuleCanBeChosen() {
		LimitedApp app = new LimitedApp(rule("early").key("header:X-Key").stage(Stage.BEFORE_SECURITY).build(),
				rule("late").stage(Stage.AFTER_SECURITY).build());
		app.get("/x", "X-Key", "k");
		assertThat(app.store.acquired()).extracting((requests) -> requests.get(0).limit().rule())
			.containsExactly("early", "late");
	}

	@Test
	void aRequestThatSecurityRefusesStaysCounted() {
		LimitedApp app = new LimitedApp(rule("by-ip").build());
		assertThat(statuses(app.get("/x", "User", "forged"), app.get("/x", "User", "forged"),
				app.get("/x", "User", "forged")))
			.containsExactly(401, 401, 429);
	}

	/** Refusals of the limiter, exempt clients and preflights say nothing of Security. */
	@Test
	void aRuleThatSecurityAnswersBeforeIsUnreached() {
		LimitedApp app = new LimitedApp(List.of("9.9.9.9"), rule("by-ip").build(),
				rule("by-user").key("principal").thresholds("1/1m").build());
		MockHttpServletRequest exempt = new MockHttpServletRequest("GET", "/x");
		exempt.setRemoteAddr("9.9.9.9");
		exempt.addHeader("User", "forged");
		app.send(exempt);
		app.send("OPTIONS", "/x", "User", "forged", "Origin", "https://a.example", "Access-Control-Request-Method",
				"GET");
		assertThat(app.listener.events()).isEmpty();
		app.get("/x", "User", "forged");
		app.get("/x", "User", "forged");
		app.get("/x", "User", "forged");
		assertThat(app.listener.events()).containsExactly("by-ip ALLOWED by STORE", "by-user unreached",
				"by-ip ALLOWED by STORE", "by-user unreached", "by-ip REJECTED by STORE");
	}

	/** It may still come back, in another dispatch. */
	@Test
	void aRuleIsNotUnreachedWhileItsRequestIsUnderWay() {
		LimitedApp app = new LimitedApp(rule("by-user").key("principal").thresholds("1/1m").build());
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/x");
		request.addHeader("User", "forged");
		request.setAsyncStarted(true);
		app.send(request);
		app.get("/x", "User", "a");
		app.get("/x", "User", "a");
		assertThat(app.listener.events()).containsExactly("by-user ALLOWED by STORE", "by-user REJECTED by STORE");
	}

	@Test
	void noRequestIsCountedTwiceByARuleHoweverManyFiltersItPasses() {
		LimitedApp app = new LimitedApp(rule("r").build());
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/x");
		app.send(request);
		app.send(request);
		assertThat(app.store.acquired()).hasSize(1);
		assertThat(app.get("/x").getStatus()).isEqualTo(200);
	}

	@Test
	void theHeadersCoverAllStagesTogether() {
		LimitedApp app = new LimitedApp(rule("by-ip").thresholds("9/1m").build(),
				rule("by-user").key("principal").build());
		MockHttpServletResponse response = app.get("/x", "User", "a");
		assertThat(response.getHeaders("RateLimit")).containsExactly("\"by-ip\";r=8,\"by-user\";r=1");
		assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"by-ip\";q=9;w=60,\"by-user\";q=2;w=60");
		assertThat(response.getHeaders("X-RateLimit-Limit")).containsExactly("2");
	}

	@Test
	void theHeadersStayExposedWhateverTheApplicationExposes() {
		MockHttpServletResponse response = new LimitedApp(rule("by-ip").build(),
				rule("by-user").key("principal").build())
			.get("/x", "User", "a", "Origin", "https://a.example");
		assertThat(response.getHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)).isEqualTo("https://a.example");
		assertThat(response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS)).containsExactly(
				"Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Retry-After, "
						+ "RateLimit-Policy, RateLimit",
				"X-Own");
	}

	@Test
	void aRequestWithoutTheKeyIsCountedByItsAddressByDefault() {
		LimitedApp app = new LimitedApp(rule("r").key("header:X-Key").build());
		app.get("/x");
		app.get("/x", "X-Key", " ");
		assertThat(app.get("/x").getStatus()).isEqualTo(429);
		assertThat(app.get("/x", "X-Key", "127.0.0.1").getStatus()).isEqualTo(200);
	}

	@Test
	void keylessRequestsMayShareOneBucket() {
		LimitedApp app = new LimitedApp(rule("r").key("header:X-Key").onMissingKey(OnMissingKey.SHARED).build());
		MockHttpServletRequest other = new MockHttpServletRequest("GET", "/x");
		other.setRemoteAddr("9.9.9.9");
		assertThat(statuses(app.get("/x"), app.get("/x"), app.send(other))).containsExactly(200, 200, 429);
		assertThat(app.get("/x", "X-Key", "k").getStatus()).isEqualTo(200);
	}

	@Test
	void keylessRequestsMayBeDeniedAndThenTakeNothing() {
		LimitedApp app = new LimitedApp(rule("early").build(), rule("other").key("header:X-Other").build(),
				rule("strict").key("header:X-Key").onMissingKey(OnMissingKey.DENY).build());
		MockHttpServletResponse denied = app.get("/x", "X-Other", "o");
		assertThat(denied.getStatus()).isEqualTo(403);
		assertThat(denied.getHeader("Retry-After")).isNull();
		assertThat(app.reached).isZero();
		assertThat(app.store.released()).containsExactly("early");
		assertThat(app.listener.events()).containsExactly("early ALLOWED by STORE", "strict REJECTED",
				"early released");
		assertThat(app.get("/x", "X-Key", "k", "X-Other", "o").getHeader("RateLimit"))
			.isEqualTo("\"early\";r=1,\"other\";r=1,\"strict\";r=1");
	}

	@Test
	void keylessRequestsMayBeSkipped() {
		LimitedApp app = new LimitedApp(rule("r").key("header:X-Key").onMissingKey(OnMissingKey.SKIP).build());
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeaderNames()).isEmpty();
		assertThat(app.store.acquired()).isEmpty();
		assertThat(app.listener.events()).containsExactly("r SKIPPED");
	}

	@Test
	void preflightsAreNeitherCountedNorRefused() {
		LimitedApp app = new LimitedApp(rule("r").thresholds("1/1m").build());
		for (int i = 0; i < 3; i++) {
			MockHttpServletResponse response = app.send("OPTIONS", "/x", "Origin", "https://a.example",
					"Access-Control-Request-Method", "PUT");
			assertThat(response.getStatus()).isEqualTo(200);
			assertThat(response.getHeaderNames()).isEmpty();
		}
		assertThat(app.store.acquired()).isEmpty();
		assertThat(statuses(app.send("OPTIONS", "/x"), app.send("OPTIONS", "/x"))).containsExactly(200, 429);
	}

	@Test
	void exemptAddressesAreNeverLimited() {
		LimitedApp app = new LimitedApp(List.of("127.0.0.0/8"), rule("r").thresholds("1/1m").build());
		assertThat(statuses(app.get("/x"), app.get("/x"))).containsExactly(200, 200);
		assertThat(app.store.acquired()).isEmpty();
		MockHttpServletRequest other = new MockHttpServletRequest("GET", "/x");
		other.setRemoteAddr("9.9.9.9");
		assertThat(app.send(other).getHeader("X-RateLimit-Remaining")).isEqualTo("0");
	}

	@Test
	void aRefusalIsNotCached() {
		LimitedApp app = new LimitedApp(rule("r").thresholds("1/1m").build());
		assertThat(app.get("/x").getHeader(HttpHeaders.CACHE_CONTROL)).isNull();
		assertThat(app.get("/x").getHeader(HttpHeaders.CACHE_CONTROL)).isEqualTo("no-store");
	}

	@Test
	void allowAdmitsWithoutHeadersWhileTheStoreIsAway() {
		LimitedApp app = new LimitedApp(rule("r").thresholds("1/1m").onStoreFailure(OnStoreFailure.ALLOW).build());
		app.store.failFor("r");
		for (int i = 0; i < 3; i++) {
			MockHttpServletResponse response = app.get("/x");
			assertThat(response.getStatus()).isEqualTo(200);
			assertThat(response.getHeaderNames()).isEmpty();
		}
	}

	@Test
	void denyRefusesWith503WhileTheStoreIsAway() {
		LimitedApp app = new LimitedApp(rule("r").onStoreFailure(OnStoreFailure.DENY).build());
		app.store.failFor("r");
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getStatus()).isEqualTo(503);
		assertThat(response.getHeader("Retry-After")).isEqualTo("1");
		assertThat(app.reached).isZero();
		app.store.recover();
		assertThat(app.get("/x").getStatus()).isEqualTo(200);
	}

	@Test
	void localLimitsOnThisInstanceWhileTheStoreIsAway() {
		LimitedApp app = new LimitedApp(rule("r").build());
		app.store.failFor("r");
		assertThat(statuses(app.get("/x"), app.get("/x"), app.get("/x"))).containsExactly(200, 200, 429);
	}

	@Test
	void aReachedLimitOutweighsAnAbsentStore() {
		LimitedApp app = new LimitedApp(rule("away").onStoreFailure(OnStoreFailure.DENY).build(),
				rule("full").thresholds("1/1m").build());
		app.get("/x");
		app.store.failFor("away");
		MockHttpServletResponse response = app.get("/x");
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(response.getHeader("Retry-After")).isEqualTo("60");
	}

	@Test
	void aPathThatMvcCannotParseIsStillCoveredAndNoErrorOfOurs() {
		LimitedApp app = new LimitedApp(rule("all").thresholds("1/1m").build());
		MockHttpServletRequest broken = new MockHttpServletRequest("GET", "/%zz");
		MockHttpServletRequest strayed = new MockHttpServletRequest("GET", "/elsewhere/x");
		strayed.setContextPath("/context");
		assertThat(statuses(app.send(broken), app.send(strayed))).containsExactly(200, 429);
	}

	@Test
	void theContextPathIsNoPartOfThePath() {
		LimitedApp app = new LimitedApp(rule("r").paths("/x").thresholds("1/1m").build());
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/%63ontext/x");
		request.setContextPath("/%63ontext");
		assertThat(app.send(request).getHeader("X-RateLimit-Remaining")).isEqualTo("0");
	}

}
