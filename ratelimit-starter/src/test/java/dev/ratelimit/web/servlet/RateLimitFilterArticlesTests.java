package dev.ratelimit.web.servlet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the articles claim of a limiter in front of an application, without HTTP and
 * Redis.
 */
class RateLimitFilterArticlesTests {

	private static final String PRODUCT = "/v1/organizations/{orgId}/product/{id}";

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("2/1m");
	}

	private static List<Integer> statuses(MockHttpServletResponse... responses) {
		return Stream.of(responses).map(MockHttpServletResponse::getStatus).toList();
	}

	@Test
	@DisplayName("0.1, 0.2, 0.3 The limit is per tenant, endpoint and method, whatever the other path variables are")
	void theLimitIsPerTenantEndpointAndMethod() {
		LimitedApp app = new LimitedApp(rule("get").methods("GET").paths(PRODUCT).key("path:orgId").build(),
				rule("put").methods("PUT").paths(PRODUCT).key("path:orgId").build());
		assertThat(statuses(app.get("/v1/organizations/a/product/1"), app.get("/v1/organizations/a/product/2"),
				app.get("/v1/organizations/a/product/3")))
			.containsExactly(200, 200, 429);
		assertThat(app.get("/v1/organizations/b/product/1").getStatus()).isEqualTo(200);
		assertThat(app.send("PUT", "/v1/organizations/a/product/1").getStatus()).isEqualTo(200);
	}

	@Test
	@DisplayName("0.14 All windows must hold: 10/1s and 50/10s")
	void allWindowsMustHold() {
		LimitedApp app = new LimitedApp(rule("r").thresholds("10/1s", "50/10s").build());
		for (int second = 0; second < 5; second++) {
			for (int i = 0; i < 10; i++) {
				assertThat(app.get("/x").getStatus()).isEqualTo(200);
			}
			assertThat(app.get("/x").getStatus()).isEqualTo(429);
			app.clock.advance(Duration.ofSeconds(1));
		}
		MockHttpServletResponse refused = app.get("/x");
		assertThat(refused.getStatus()).isEqualTo(429);
		assertThat(refused.getHeader("X-RateLimit-Limit")).isEqualTo("50");
		assertThat(refused.getHeader("Retry-After")).isEqualTo("5");
	}

	@Test
	@DisplayName("0.17 Every decided response has limit, remaining and reset")
	void everyDecidedResponseHasLimitRemainingAndReset() {
		LimitedApp app = new LimitedApp(rule("r").build());
		List<MockHttpServletResponse> responses = List.of(app.get("/x"), app.get("/x"), app.get("/x"));
		assertThat(responses).extracting((response) -> response.getHeader("X-RateLimit-Limit"))
			.containsExactly("2", "2", "2");
		assertThat(responses).extracting((response) -> response.getHeader("X-RateLimit-Remaining"))
			.containsExactly("1", "0", "0");
		assertThat(responses).extracting((response) -> response.getHeader("X-RateLimit-Reset"))
			.containsExactly("60", "60", "60");
	}

	@Test
	@DisplayName("0.18 A client that waits as long as Retry-After says is admitted, and not a second before")
	void aClientThatWaitsForRetryAfterIsAdmitted() {
		LimitedApp app = new LimitedApp(rule("r").build());
		app.get("/x");
		app.clock.advance(Duration.ofMillis(1500));
		app.get("/x");
		MockHttpServletResponse refused = app.get("/x");
		assertThat(refused.getHeader("Retry-After")).isEqualTo("59");
		app.clock.advance(Duration.ofSeconds(58));
		assertThat(app.get("/x").getStatus()).isEqualTo(429);
		app.clock.advance(Duration.ofSeconds(1));
		assertThat(app.get("/x").getStatus()).isEqualTo(200);
	}

	@Test
	@DisplayName("1.1, 1.2, 1.5 Of 700 requests at a limit of 500, 200 are answered by the filter alone")
	void aRefusedRequestNeverReachesTheApplication() {
		LimitedApp app = new LimitedApp(rule("r").thresholds("500/1s").build());
		List<Integer> statuses = IntStream.range(0, 700).mapToObj((i) -> app.get("/x").getStatus()).toList();
		assertThat(statuses).filteredOn((status) -> status == 429).hasSize(200);
		assertThat(app.reached).isEqualTo(500);
	}

	@Test
	@DisplayName("1.4 A global rule stops all clients together at N")
	void aGlobalRuleIsOneBucketForAll() {
		LimitedApp app = new LimitedApp(rule("offer").key("global").build());
		assertThat(statuses(app.get("/x", "User", "a"), app.get("/x", "User", "b"), app.get("/x", "User", "c")))
			.containsExactly(200, 200, 429);
	}

	@Test
	@DisplayName("3.2, 3.11 Each address has a bucket, and all share a global one")
	void everyAddressHasABucketAndAllShareOne() {
		LimitedApp app = new LimitedApp(rule("address").key("ip").build(),
				rule("all").key("global").thresholds("3/1m").build());
		assertThat(statuses(from(app, "192.0.2.1"), from(app, "192.0.2.1"), from(app, "192.0.2.1")))
			.containsExactly(200, 200, 429);
		assertThat(statuses(from(app, "192.0.2.2"), from(app, "192.0.2.2"))).containsExactly(200, 429);
	}

	private static MockHttpServletResponse from(LimitedApp app, String address) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/x");
		request.setRemoteAddr(address);
		return app.send(request);
	}

	@Test
	@DisplayName("3.27 A flood ends at the limit of its client, and takes nothing from others")
	void aFloodOfOneClientTakesNothingFromOthers() {
		LimitedApp app = new LimitedApp(rule("r").key("header:Client").thresholds("5/1m").build());
		List<Integer> flood = new ArrayList<>();
		List<Integer> others = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			IntStream.range(0, 10).forEach((n) -> flood.add(app.get("/x", "Client", "a").getStatus()));
			others.add(app.get("/x", "Client", "b" + i % 4).getStatus());
		}
		assertThat(flood).filteredOn((status) -> status == 200).hasSize(5);
		assertThat(others).containsOnly(200);
		assertThat(app.reached).isEqualTo(5 + 20);
	}

	@Test
	void aClientThatChoosesItsKeyHasAsManyLimitsAsItLikes() {
		LimitedApp app = new LimitedApp(rule("r").key("header:Client").build());
		assertThat(IntStream.range(0, 10).mapToObj((i) -> app.get("/x", "Client", "a" + i).getStatus()))
			.containsOnly(200);
		LimitedApp covered = new LimitedApp(rule("r").key("header:Client").build(), rule("by-address").build());
		assertThat(IntStream.range(0, 10).mapToObj((i) -> covered.get("/x", "Client", "a" + i).getStatus()))
			.filteredOn((status) -> status == 200)
			.hasSize(2);
	}

	@Test
	@DisplayName("1.9, 1.10 With count-rejected the article's eleven requests pass 8 times, are refused twice and pass")
	void theWalkThroughOfTheArticle() {
		LimitedApp app = new LimitedApp(rule("product").thresholds("5/60s").countRejected(true).build());
		List<Integer> seconds = List.of(20, 25, 50, 70, 82, 105, 108, 125, 129, 135, 166);
		int now = 20;
		List<Integer> statuses = new ArrayList<>();
		for (int second : seconds) {
			app.clock.advance(Duration.ofSeconds(second - now));
			now = second;
			statuses.add(app.get("/v1/product").getStatus());
		}
		assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 200, 200, 200, 429, 429, 200);
	}

	@Test
	@DisplayName("1.17 A request without a rule passes: the store is not called, and there is no header")
	void anUncoveredRequestCostsNothing() {
		LimitedApp app = new LimitedApp(rule("r").paths("/covered").build());
		MockHttpServletResponse response = app.get("/uncovered");
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(response.getHeaderNames()).isEmpty();
		assertThat(app.store.acquired()).isEmpty();
		assertThat(app.listener.events()).isEmpty();
	}

}
