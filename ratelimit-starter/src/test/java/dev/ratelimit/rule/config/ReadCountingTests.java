package dev.ratelimit.rule.config;

import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which requests count, and how much: cost, outcomes, condition and shadow.
 */
class ReadCountingTests {

	@Test
	void everyKeyIsRead() {
		assertThat(read("""
				ratelimit.rules.a:
				  thresholds: 50/1m
				  cost: 5
				  count-on: failure
				  when: bean:isBatch
				  shadow: true
				""")).containsExactly(
				rule("a").thresholds("50/1m").cost(5).countOn("failure").when("bean:isBatch").shadow(true).build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "402,5xx", "\"402, 5xx\"", "[402, 5xx]", "[402, 5XX]" })
	void outcomesAreOneTextOrAList(String written) {
		assertThat(read("ratelimit.rules.a: {thresholds: 5/1m, count-on: %s}".formatted(
				written.contains(",") && !written.startsWith("[") ? "\"" + written.replace("\"", "") + "\"" : written)))
			.containsExactly(rule("a").countOn("402,5xx").build());
	}

	@ParameterizedTest
	@CsvSource({ "402,402", "FAILURE,failure", "always,always" })
	void aSingleOutcomeNeedsNoList(String written, String outcome) {
		assertThat(read("ratelimit.rules.a: {thresholds: 5/1m, count-on: " + written + "}"))
			.containsExactly(rule("a").countOn(outcome).build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "method == 'POST' && {'a', 'b'}.contains(headers['X-Kind'])", "bean:isBatch",
			"query['q'] matches '[a-z]{1,3},#'" })
	void aConditionIsTakenWhole(String condition) {
		assertThat(read("ratelimit.rules.a:\n  thresholds: 5/1m\n  when: \"" + condition + "\""))
			.containsExactly(rule("a").when(condition).build());
	}

	@Test
	void aCostMayBeABean() {
		assertThat(read("ratelimit.rules.a: {thresholds: 5/1m, cost: 'bean:cost'}"))
			.containsExactly(rule("a").cost("bean:cost").build());
	}

	@Test
	void defaultsApplyUnlessTheRuleOverridesThem() {
		assertThat(read("""
				ratelimit:
				  defaults: {cost: 2, count-on: [success], when: 'bean:a', shadow: true}
				  rules:
				    plain: {thresholds: 5/1m}
				    own: {thresholds: 5/1m, cost: 3, count-on: always, when: 'bean:b', shadow: no}
				""")).containsExactly(rule("plain").cost(2).countOn("success").when("bean:a").shadow(true).build(),
				rule("own").cost(3).when("bean:b").build());
	}

	@Test
	void aRuleWinsOverADefaultThatContradictsIt() {
		assertThat(read("""
				ratelimit:
				  defaults: {count-on: failure}
				  rules:
				    plain: {thresholds: 5/1m}
				    hammered: {thresholds: 5/1m, count-rejected: true}
				""")).containsExactly(rule("plain").countOn("failure").build(),
				rule("hammered").countRejected(true).build());
		assertThat(read("""
				ratelimit:
				  defaults: {count-rejected: true}
				  rules:
				    plain: {thresholds: 5/1m}
				    failures: {thresholds: 5/1m, count-on: failure}
				    all: {thresholds: 5/1m, count-on: always}
				""")).containsExactly(rule("plain").countRejected(true).build(),
				rule("failures").countOn("failure").build(), rule("all").countRejected(true).build());
	}

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).thresholds("5/1m");
	}

	private static List<RLConfig> read(String yaml) {
		return TestSources.yaml(yaml).read().rules().rules();
	}

}
