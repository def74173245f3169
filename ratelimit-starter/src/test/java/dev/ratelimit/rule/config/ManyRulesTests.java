package dev.ratelimit.rule.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Heap;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reading rules takes work in proportion to their number. Twice as many rules take four
 * times the memory if each is compared with all others.
 */
class ManyRulesTests {

	private static final int FEW = 150;

	private static TestSources yaml(int rules) {
		return TestSources.yaml(IntStream.range(0, rules).mapToObj("""
				  rule-%1$d:
				    paths: /rule-%1$d/**
				    plan-key: principal
				    plans: {gold: 9/1m}
				    thresholds: [{threshold: 5, window: 1m}, {threshold: 50, window: 1h}]
				"""::formatted).collect(Collectors.joining("", "ratelimit.rules:\n", "")));
	}

	private static TestSources overridden(int rules) {
		Map<String, Object> variables = new LinkedHashMap<>();
		for (int i = 0; i < rules; i++) {
			variables.put("RATELIMIT_RULES_RULE_%d_PLANS_GOLD".formatted(i), "8/1m");
		}
		return new TestSources().andVariables(variables);
	}

	private static TestSources variables(int rules) {
		Map<String, Object> variables = new LinkedHashMap<>();
		for (int i = 0; i < rules; i++) {
			variables.put("RATELIMIT_RULES_RULE%d_THRESHOLDS".formatted(i), "8/1m");
		}
		return new TestSources().andVariables(variables);
	}

	private static TestSources overrides(int number) {
		return TestSources.yaml(IntStream.range(0, number)
			.mapToObj("    - {key: c%d, thresholds: 9/1m}\n"::formatted)
			.collect(Collectors.joining("", """
					ratelimit.rules.a:
					  key: principal
					  thresholds: 5/1m
					  overrides:
					""", "")));
	}

	private static double growth(TestSources few, TestSources many) {
		return (double) Heap.bytesOfOne(many::read) / Heap.bytesOfOne(few::read);
	}

	@Test
	void twiceAsManyRulesTakeTwiceTheWork() {
		assertThat(growth(yaml(FEW), yaml(2 * FEW))).isLessThan(2.5);
	}

	@Test
	void twiceAsManyRulesInVariablesTakeTwiceTheWork() {
		assertThat(growth(variables(FEW), variables(2 * FEW))).isLessThan(2.5);
	}

	@Test
	void twiceAsManyOverridesTakeTwiceTheWork() {
		assertThat(growth(overrides(FEW), overrides(2 * FEW))).isLessThan(2.5);
	}

	/** A variable has the longest id that it may mean. */
	@Test
	void everyVariableFindsItsRule() {
		Allowance overridden = new Allowance.Limited(List.of(RLThreshold.valueOf("8/1m")));
		List<RLConfig> rules = overridden(3)
			.andYaml(Stream.of("rule-0", "rule", "rule-1-plans", "rule-1", "rule-2")
				.map("  %s: {plan-key: principal, plans: {gold: 9/1m}, thresholds: 5/1m}\n"::formatted)
				.collect(Collectors.joining("", "ratelimit.rules:\n", "")))
			.read()
			.rules()
			.rules();
		assertThat(rules).hasSize(5)
			.filteredOn((rule) -> overridden.equals(rule.allowances().plans().allowances().get("gold")))
			.extracting(RLConfig::id)
			.containsExactly("rule-0", "rule-1", "rule-2");
	}

}
