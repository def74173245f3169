package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleWarnings;
import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static dev.ratelimit.test.RateLimitMatcher.retryAfter;
import static dev.ratelimit.test.RateLimitMatcher.unlimited;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample's own rules, on a clock that the tests move.
 */
@SpringBootTest(properties = "sample.redis=external")
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class SampleLimitsTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RateLimitClock clock;

	private MvcTestResult get(String uri) {
		return this.mvc.get().uri(uri).exchange();
	}

	private MvcTestResult put(String uri) {
		return this.mvc.put().uri(uri).exchange();
	}

	private void useUp(int requests, String uri) {
		for (int i = 0; i < requests; i++) {
			assertThat(get(uri)).matches(allowed());
		}
	}

	@Test
	@DisplayName("A person can exhaust /hello by hand: three pass, the fourth is refused, and passes after ten seconds")
	void helloAdmitsThree() {
		for (int left = 2; left >= 0; left--) {
			assertThat(get("/hello")).hasStatusOk().matches(remaining(left));
		}
		assertThat(get("/hello")).matches(rejectedBy("hello")).matches(retryAfter(Duration.ofSeconds(10)));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(get("/hello")).matches(allowed());
	}

	@Test
	@DisplayName("1.18 The article's rules for /v1/product and /v2/product are in force")
	void articlesRulesAreInForce() {
		assertThat(get("/v1/product")).hasHeader("RateLimit-Policy",
				"\"v1-product-2s\";q=500;w=2,\"v1-product-5s\";q=1000;w=5");
		assertThat(get("/v2/product")).hasHeader("RateLimit-Policy",
				"\"v2-product-3s\";q=400;w=3,\"v2-product-10s\";q=1100;w=10");
	}

	@Test
	void productsCountRefusedRequests() {
		useUp(500, "/v1/product");
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(get("/v1/product")).matches(rejectedBy("v1-product-2s"));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(get("/v1/product")).matches(allowed())
			.hasHeader("RateLimit", "\"v1-product-2s\";r=498,\"v1-product-5s\";r=498");
	}

	@Test
	@DisplayName("0.9 The article's limits per organization are in force: 1000 reads and 100 writes in ten seconds")
	void limitsPerOrganizationAreInForce() {
		String acme = "/v1/organizations/acme/product/1";
		assertThat(get(acme)).hasHeader("RateLimit-Policy", "\"address\";q=60000;w=60,\"get-product\";q=1000;w=10");
		assertThat(put(acme)).hasHeader("RateLimit-Policy", "\"address\";q=60000;w=60,\"put-product\";q=100;w=10");
		useUp(999, acme);
		assertThat(get(acme)).matches(rejectedBy("get-product"));
		assertThat(get("/v1/organizations/acme/product/2")).matches(rejectedBy("get-product"));
		assertThat(put(acme)).matches(remaining(98));
		assertThat(get("/v1/organizations/other/product/1")).matches(remaining(999));
	}

	@Test
	@DisplayName("The start warns of plan and device, which clients choose freely without a gateway in front")
	void onlyPlanAndDeviceAreWarnedOf(@Autowired RuleWarnings warnings) {
		assertThat(warnings.current()).filteredOn((warning) -> warning.contains("clients choose freely"))
			.satisfiesExactlyInAnyOrder((warning) -> assertThat(warning).contains("list-offers", "header:X-Plan"),
					(warning) -> assertThat(warning).contains("failed-payment", "header:X-Device-Id"));
	}

	@Test
	void nothingElseIsLimited(@Autowired ActiveRules rules) {
		assertThat(rules.get().ruleSet().rules()).extracting(RLConfig::id)
			.filteredOn((id) -> !id.startsWith("play") && !id.startsWith("modes"))
			.containsExactlyInAnyOrder("address", "get-product", "put-product", "v1-product", "v2-product",
					"create-account", "failed-payment", "payment", "send-message", "risky-message", "list-offers",
					"list-offers-stricter", "redeem-offer", "orders", "reports", "report-controller-export", "hello");
		assertThat(get("/actuator/health")).matches(unlimited());
	}

}
