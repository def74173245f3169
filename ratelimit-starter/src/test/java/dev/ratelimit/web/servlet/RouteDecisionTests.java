package dev.ratelimit.web.servlet;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Stage;
import dev.ratelimit.web.condition.RequestCondition;
import dev.ratelimit.web.key.CostResolver;
import dev.ratelimit.web.key.KeyResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How conditions, keys and costs affect the decision of a request.
 */
class RouteDecisionTests {

	private static final Beans BEANS = new Beans(Map.of("key", (KeyResolver) (facts) -> facts.header("X-Key"), "when",
			(RequestCondition) (facts) -> facts.header("X-Key").isPresent(), "cost",
			(CostResolver) (facts) -> Long.parseLong(facts.header("X-Cost").orElseThrow())));

	private static final Beans BROKEN = new Beans(Map.of("key", (KeyResolver) (facts) -> {
		throw new IllegalStateException("no idea");
	}, "cost", (CostResolver) (facts) -> {
		throw new IllegalStateException("no idea");
	}, "when", (RequestCondition) (facts) -> {
		throw new IllegalStateException("no idea");
	}));

	private static final Map<String, Allowance> PLANS = Map.of("staff", Allowance.UNLIMITED);

	private static RLConfigBuilder rule() {
		return RLConfig.builder("r").paths("/x/{id}", "/x").thresholds("5/1m");
	}

	@Test
	void aPlanOfThePrincipalIsNotKnownBeforeSecurity() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> rule().plans(Plans.by("principal", PLANS)).stage(Stage.BEFORE_SECURITY).build())
			.withMessageContaining("stage 'before-security' does not go with plan-key principal");
	}

	@ParameterizedTest
	@ValueSource(strings = { "headers['X-Key'] != null", "bean:when" })
	void whereTheConditionDoesNotHoldTheRuleDoesNotApply(String when) {
		LimitedApp app = new LimitedApp(BEANS, rule().when(when).build());
		MockHttpServletResponse skipped = app.get("/x");
		assertThat(skipped.getStatus()).isEqualTo(200);
		assertThat(skipped.getHeaderNames()).isEmpty();
		assertThat(app.store.acquired()).isEmpty();
		assertThat(app.get("/x", "X-Key", "k").getHeader("X-RateLimit-Remaining")).isEqualTo("4");
		assertThat(app.listener.events()).containsExactly("r SKIPPED", "r ALLOWED by STORE");
	}

	@Test
	void aConditionSeesTheVariablesOfThePathThatMatched() {
		LimitedApp app = new LimitedApp(rule().when("pathVariables['id'] == 'a b'").build());
		assertThat(app.get("/x/a%20b").getHeader("X-RateLimit-Limit")).isEqualTo("5");
		assertThat(app.get("/x/c").getHeaderNames()).isEmpty();
		assertThat(app.get("/x").getHeaderNames()).isEmpty();
	}

	@Test
	void aRequestCostsWhatTheRuleSays() {
		LimitedApp app = new LimitedApp(rule().cost(2).build());
		assertThat(app.get("/x").getHeader("X-RateLimit-Remaining")).isEqualTo("3");
		assertThat(app.get("/x").getHeader("X-RateLimit-Remaining")).isEqualTo("1");
		assertThat(app.get("/x").getStatus()).isEqualTo(429);
	}

	@Test
	void aBeanMayReturnTheCostOfARequest() {
		LimitedApp app = new LimitedApp(BEANS, rule().cost("bean:cost").build());
		assertThat(app.get("/x", "X-Cost", "3").getHeader("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(app.get("/x", "X-Cost", "3").getHeader("Retry-After")).isEqualTo("60");
		assertThat(app.get("/x", "X-Cost", "-3").getHeader("X-RateLimit-Remaining")).isEqualTo("1");
	}

	@ParameterizedTest
	@ValueSource(longs = { 6, 1_000_000_000_000_000L, 9_007_199_254_740_993L, Long.MAX_VALUE })
	void aCostAboveTheThresholdIsRefusedWithoutATimeToWaitAndTakesNothing(long cost) throws Exception {
		LimitedApp app = new LimitedApp(BEANS, rule().cost("bean:cost").build());
		MockHttpServletResponse response = app.get("/x", "X-Cost", Long.toString(cost));
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(response.getHeader("Retry-After")).isNull();
		assertThat(response.getHeader("X-RateLimit-Retry-After")).isNull();
		assertThat(response.getContentAsString()).contains("\"violated-policies\":[\"r\"]");
		assertThat(app.get("/x", "X-Cost", "5").getStatus()).isEqualTo(200);
	}

	@Test
	void aRequestWhoseCostConditionAndPlanFailCountsAsOneByOwnThresholds() {
		BROKEN.failures().clear();
		LimitedApp app = new LimitedApp(BROKEN,
				rule().cost("bean:cost").when("bean:when").plans(Plans.by("bean:key", PLANS)).build());
		assertThat(app.get("/x").getHeader("X-RateLimit-Remaining")).isEqualTo("4");
		assertThat(BROKEN.failures()).containsExactly("r when", "r plan-key", "r cost");
	}

	@ParameterizedTest
	@CsvSource({ "IP, 200 200 200 200 200 429", "SHARED, 200 200 200 200 200 429", "DENY, 403 403 403 403 403 403",
			"SKIP, 200 200 200 200 200 200" })
	void aRequestWhoseKeyFailsHasNone(OnMissingKey onMissingKey, String statuses) {
		LimitedApp app = new LimitedApp(BROKEN, rule().key("bean:key").onMissingKey(onMissingKey).build());
		assertThat(IntStream.range(0, 6)
			.mapToObj((i) -> Integer.toString(app.get("/x").getStatus()))
			.collect(Collectors.joining(" "))).isEqualTo(statuses);
	}

	@Test
	void theCostOfASkippedRequestIsNotComputed() {
		LimitedApp app = new LimitedApp(BEANS,
				rule().key("header:X-Key").onMissingKey(OnMissingKey.SKIP).cost("bean:cost").build());
		assertThat(app.get("/x").getStatus()).isEqualTo(200);
	}

}
