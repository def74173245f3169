package dev.ratelimit.web;

import java.util.List;
import java.util.Map;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Stage;
import dev.ratelimit.web.condition.RequestCondition;
import dev.ratelimit.web.key.CostResolver;
import dev.ratelimit.web.key.KeyResolver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On which side of Spring Security a rule is decided.
 */
class RouteTests {

	private static final Beans BEANS = new Beans(Map.of("key", (KeyResolver) (facts) -> facts.header("X-Key"), "when",
			(RequestCondition) (facts) -> facts.header("X-Key").isPresent(), "cost",
			(CostResolver) (facts) -> Long.parseLong(facts.header("X-Cost").orElseThrow())));

	private static final Map<String, Allowance> PLANS = Map.of("staff", Allowance.UNLIMITED);

	private static RLConfigBuilder rule() {
		return RLConfig.builder("r").paths("/x/{id}", "/x").thresholds("5/1m");
	}

	private static boolean isBeforeSecurity(RLConfigBuilder rule) {
		return new Route(CompiledRule.of(rule.build(), 64, false), BEANS, new SubjectEncoder(64, ""), System::nanoTime)
			.isBeforeSecurity();
	}

	@Test
	void onlyRulesByAddressOrGlobalAreDecidedBeforeSecurityByDefault() {
		assertThat(isBeforeSecurity(rule())).isTrue();
		assertThat(isBeforeSecurity(rule().key("global").cost(3))).isTrue();
		assertThat(
				isBeforeSecurity(rule().overrides(List.of(new KeyOverride(List.of("10.0.0.1"), Allowance.UNLIMITED)))))
			.isTrue();
		assertThat(isBeforeSecurity(rule().key("header:X-Key"))).isFalse();
		assertThat(isBeforeSecurity(rule().key("bean:key"))).isFalse();
		assertThat(isBeforeSecurity(rule().plans(Plans.by("header:X-Plan", PLANS)))).isFalse();
		assertThat(isBeforeSecurity(rule().when("method == 'GET'"))).isFalse();
		assertThat(isBeforeSecurity(rule().when("bean:when"))).isFalse();
		assertThat(isBeforeSecurity(rule().cost("bean:cost"))).isFalse();
		assertThat(isBeforeSecurity(rule().cost("bean:cost").stage(Stage.BEFORE_SECURITY))).isTrue();
	}

}
