package dev.ratelimit.rule.lint;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.rule.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rule that another one makes pointless. Each test changes one thing about a pair of
 * rules of which one never refuses.
 */
class RedundantRulesTests {

	private static RLConfigBuilder loose() {
		return RLConfig.builder("loose").paths("/v1/{id}/x").methods("GET").key("ip").thresholds("100/1s", "500/10s");
	}

	private static RLConfigBuilder strict() {
		return RLConfig.builder("strict").paths("/v1/**").key("ip").thresholds("50/1s");
	}

	private static Optional<String> warning(RLConfigBuilder rule, RLConfigBuilder by) {
		RLConfig one = rule.build();
		return warning(one, List.of(one, by.build()));
	}

	private static Optional<String> warning(RLConfig rule, List<RLConfig> rules) {
		return new RedundantRules(new Coverage(rules)).warning(rule);
	}

	@Test
	void aRuleIsReportedIfAnotherAlwaysRefusesFirst() {
		assertThat(warning(loose(), strict())).hasValue("Rule 'loose' refuses nothing on its paths, unless code names "
				+ "it too: rule 'strict' (thresholds 50/1s) covers the same requests and clients and always refuses "
				+ "first. Remove it, or make its thresholds stricter.");
		assertThat(warning(strict(), loose())).isEmpty();
	}

	@Test
	void onlyTheSecondOfTwoEqualRulesIsReported() {
		RLConfig a = RLConfig.builder("a").paths("/x").thresholds("1/s").build();
		RLConfig b = RLConfig.builder("b").paths("/x").thresholds("1/s").build();
		assertThat(warning(a, List.of(a, b))).isEmpty();
		assertThat(warning(b, List.of(a, b))).get().asString().startsWith("Rule 'b'");
	}

	@Test
	void aRuleWithOneThresholdThatMattersIsNotReported() {
		assertThat(warning(loose().thresholds("100/1s", "400/10s"), strict())).isEmpty();
		assertThat(warning(loose().plans(Plans.by("principal", Map.of("free", Allowance.BLOCKED))), strict()))
			.isEmpty();
		assertThat(
				warning(loose().overrides(List.of(new KeyOverride(List.of("10.0.0.1"), Allowance.BLOCKED))), strict()))
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ip | global | ip | true", "header:X | global | ip | true",
			"ip, header:X | ip | ip | true", "ip, header:X | ip | shared | false", "header:X | header:X | ip | true",
			"header:X | ip | ip | false", "ip | header:X | ip | false", "header:X, header:Y | header:X | ip | false" })
	void theOtherRuleCountsTheSameClientsOrMoreOfThemTogether(String key, String by, String onMissingKey,
			boolean expected) {
		OnMissingKey missing = "shared".equals(onMissingKey) ? OnMissingKey.SHARED : OnMissingKey.IP;
		assertThat(warning(loose().key(key.split(", ")).onMissingKey(missing), strict().key(by)).isPresent())
			.isEqualTo(expected);
	}

	@Test
	void theOtherRuleCoversTheSameRequests() {
		assertThat(warning(loose(), strict().paths("/v2/**"))).isEmpty();
		assertThat(warning(loose(), strict().methods("POST"))).isEmpty();
		assertThat(warning(loose().methods().paths(), strict())).isEmpty();
		assertThat(warning(loose().key("header:X"), strict().key("header:X").onMissingKey(OnMissingKey.SKIP)))
			.isEmpty();
	}

	@Test
	void theOtherRuleIsAlwaysEnforced() {
		assertThat(warning(loose(), strict().shadow(true))).isEmpty();
		assertThat(warning(loose(), strict().when("bean:sometimes"))).isEmpty();
		assertThat(warning(loose(), strict().countOn("failure"))).isEmpty();
		assertThat(warning(loose(), strict().plans(Plans.by("principal", Map.of("vip", Allowance.UNLIMITED)))))
			.isEmpty();
		assertThat(warning(loose(),
				strict().overrides(List.of(new KeyOverride(List.of("10.0.0.1"), Allowance.UNLIMITED)))))
			.isEmpty();
	}

	@Test
	void theOtherRuleCountsInTheSameWay() {
		assertThat(warning(loose().cost("2"), strict())).isEmpty();
		assertThat(warning(loose().algorithm(Algorithm.TOKEN_BUCKET), strict())).isEmpty();
		assertThat(warning(loose().stage(Stage.BEFORE_SECURITY), strict())).isEmpty();
		assertThat(warning(loose().countRejected(true), strict())).isEmpty();
		assertThat(warning(loose(), strict().mode(Mode.LEASED))).isEmpty();
		assertThat(warning(counter(loose()).rounding(Rounding.UP), counter(strict()))).isEmpty();
		assertThat(warning(counter(loose()), counter(strict()))).isPresent();
	}

	private static RLConfigBuilder counter(RLConfigBuilder rule) {
		return rule.algorithm(Algorithm.SLIDING_WINDOW_COUNTER);
	}

	/** While Redis is unavailable, the rule that denies is the stricter one. */
	@Test
	void theOtherRuleIsNoMoreLenientWithoutAStore() {
		assertThat(warning(loose().onStoreFailure(OnStoreFailure.DENY), strict())).isEmpty();
		assertThat(warning(loose(), strict().onStoreFailure(OnStoreFailure.DENY))).isPresent();
	}

	@Test
	void aRuleInShadowIsNotReported() {
		assertThat(warning(loose().shadow(true), strict())).isEmpty();
	}

}
