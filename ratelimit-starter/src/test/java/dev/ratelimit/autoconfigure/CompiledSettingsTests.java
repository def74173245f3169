package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.web.condition.RequestCondition;
import dev.ratelimit.web.key.CostResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Errors that only appear when a rule is combined with the other settings and the beans
 * of the application stop the start too, with property, value and cure.
 */
class CompiledSettingsTests {

	private final WebApplicationContextRunner web = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitWebAutoConfiguration.class))
		.withBean("requests", RequestCondition.class, () -> (request) -> true)
		.withBean("pages", CostResolver.class, () -> (request) -> 1)
		.withPropertyValues("ratelimit.store=memory");

	private WebApplicationContextRunner withRule(RLConfigBuilder rule) {
		RuleSet rules = new RuleSet(List.of(rule.build()));
		return this.web.withBean(RuleSource.class, () -> () -> rules);
	}

	private static RLConfigBuilder rule() {
		return RLConfig.builder("r").paths("/**").thresholds("1/s");
	}

	private static RLConfigBuilder overriding(String address) {
		return rule().overrides(List.of(new KeyOverride(List.of(address), Allowance.UNLIMITED)));
	}

	private static void assertFails(WebApplicationContextRunner runner, String... parts) {
		runner.run((context) -> {
			assertThat(context).hasFailed();
			assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.isInstanceOf(InvalidSettingsException.class)
				.hasMessageContainingAll(parts);
		});
	}

	@Test
	void anOverrideThatIsNoAddressStopsTheStart() {
		assertFails(withRule(overriding("customer.example")),
				"ratelimit.rules.r.overrides[0].key 'customer.example' is not an address or CIDR range",
				"Write for example 10.0.0.0/8");
	}

	@Test
	void anOverrideForAPartOfOneClientStopsTheStart() {
		assertFails(withRule(overriding("2001:db8::1/128")), "ratelimit.rules.r.overrides[0].key '2001:db8::1/128'",
				"ratelimit.ipv6-prefix", "Write 2001:db8:0:0::/64 or a wider range");
	}

	@Test
	void anOverrideForOneAddressIsAllowedIfEveryAddressIsAClient() {
		withRule(overriding("2001:db8::1/128")).withPropertyValues("ratelimit.ipv6-prefix=128")
			.run((context) -> assertThat(context).hasSingleBean(ActiveRules.class));
	}

	@ParameterizedTest
	@CsvSource({ "bean:nope, names no bean of type RequestCondition, The RequestCondition beans are [requests]",
			"bean:pages, names no bean of type RequestCondition, The RequestCondition beans are [requests]",
			"T(java.lang.System), uses what no condition can at character 1, Write for example headers['X-Plan']" })
	void anInvalidConditionStopsTheStart(String when, String reason, String cure) {
		assertFails(withRule(rule().when(when)), "ratelimit.rules.r.when '" + when + "' " + reason, cure);
	}

	@Test
	void anInvalidCostStopsTheStart() {
		assertFails(withRule(rule().cost("bean:requests")),
				"ratelimit.rules.r.cost 'bean:requests' names no bean of type CostResolver",
				"The CostResolver beans are [pages]");
	}

	@Test
	void anInvalidPlanKeyStopsTheStart() {
		assertFails(withRule(rule().plans(Plans.by("bean:pages", Map.of("free", Allowance.BLOCKED)))),
				"ratelimit.rules.r.plan-key 'bean:pages' names no bean of type KeyResolver");
	}

	@Test
	void beansOfTheRightTypeAreFound() {
		withRule(rule().when("bean:requests").cost("bean:pages")).run((context) -> assertThat(context).hasNotFailed());
	}

}
