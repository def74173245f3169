package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.ratelimit.rule.Algorithm.Option;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RLConfigTests {

	private static final Map<Option, UnaryOperator<RLConfigBuilder>> OPTIONS = Map.of(Option.ROUNDING,
			(rule) -> rule.rounding(Rounding.UP), Option.REFILL, (rule) -> rule.refill(Refill.INTERVAL), Option.BURST,
			(rule) -> rule.thresholds(List.of(RLThreshold.valueOf("5/1m").withBurst(4))), Option.COUNT_REJECTED,
			(rule) -> rule.countRejected(true));

	@ParameterizedTest
	@ValueSource(strings = { "a", "2", "get-product", "a-", "a--b",
			"a12345678901234567890123456789012345678901234567890123456789abcd" })
	void idsAreLowerCaseWithDashes(String id) {
		assertThat(RLConfig.builder(id).thresholds("1/s").build().id()).isEqualTo(id);
	}

	@ParameterizedTest
	@ValueSource(strings = { "explain", "queue" })
	void pathsOfTheEndpointAreNoRuleIds(String word) {
		assertInvalid(RLConfig.builder(word).thresholds("1/s"), "id");
		assertThat(RLConfig.builder(word + "-1").thresholds("1/s").build().id()).isEqualTo(word + "-1");
	}

	@Test
	void aRuleMadeInCodeIsCheckedLikeOneInYaml() {
		assertInvalid(RLConfig.builder("A").thresholds("1/s"), "id");
		assertInvalid(RLConfig.builder("a"), "thresholds");
		assertInvalid(RLConfig.builder("a").methods("get").paths("/x").thresholds("1/s"), "methods");
		assertInvalid(RLConfig.builder("a").methods("GET").thresholds("1/s"), "methods");
		assertInvalid(RLConfig.builder("a").paths("x").thresholds("1/s"), "paths");
		assertInvalid(RLConfig.builder("a").key().thresholds("1/s"), "key");
		assertInvalid(RLConfig.builder("a").paths("/a").key("path:id").thresholds("1/s"), "key");
		assertInvalid(RLConfig.builder("a").paths("/a").key("arg:id").thresholds("1/s"), "key");
		assertInvalid(RLConfig.builder("a").key("principal").stage(Stage.BEFORE_SECURITY).thresholds("1/s"), "stage");
	}

	@ParameterizedTest
	@EnumSource
	void anOptionOfAnotherAlgorithmIsRefused(Algorithm algorithm) {
		for (Map.Entry<Option, UnaryOperator<RLConfigBuilder>> option : OPTIONS.entrySet()) {
			RLConfigBuilder rule = option.getValue()
				.apply(RLConfig.builder("a").algorithm(algorithm).thresholds("5/1m"));
			if (algorithm.takes(option.getKey())) {
				assertThat(rule.build().counting().algorithm()).isEqualTo(algorithm);
			}
			else {
				String property = (option.getKey() == Option.BURST) ? "thresholds" : option.getKey().text();
				assertInvalid(rule, property);
			}
		}
	}

	@Test
	void anIntervalBucketHasNoBurst() {
		RLConfigBuilder rule = RLConfig.builder("a").algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL);
		assertInvalid(rule.thresholds(List.of(RLThreshold.valueOf("5/1m").withBurst(6))), "thresholds");
		assertThat(rule.thresholds("5/1m").build().counting().refill()).isEqualTo(Refill.INTERVAL);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void aBucketHasARateAndABurstThatCanBeCounted(Algorithm algorithm) {
		RLConfigBuilder rule = RLConfig.builder("a").algorithm(algorithm);
		assertThat(rule.thresholds("1000/1ms", "34560000000000/400d").build().allowances().thresholds()).hasSize(2);
		assertInvalid(rule.thresholds("1001/1ms"), "thresholds");
		assertInvalid(rule.thresholds("34560000000001/400d"), "thresholds");
		assertThat(rule.thresholds(List.of(RLThreshold.valueOf("3/2d").withBurst(120_000)))
			.build()
			.allowances()
			.thresholds()).hasSize(1);
		assertInvalid(rule.thresholds(List.of(RLThreshold.valueOf("3/2d").withBurst(120_001))), "thresholds");
	}

	@Test
	void onlyALogIsBoundedByItsMemory() {
		RLConfigBuilder rule = RLConfig.builder("a").thresholds("1000001/1s");
		assertInvalid(rule, "thresholds");
		assertThat(rule.algorithm(Algorithm.FIXED_WINDOW).build().allowances().thresholds()).hasSize(1);
	}

	@Test
	void plansAndOverridesMadeInCodeAreCheckedLikeThoseInYaml() {
		Allowance large = new Allowance.Limited(List.of(RLThreshold.valueOf("1000001/1s")));
		assertInvalid(rule().plans(Plans.by("session", Map.of("paid", large))), "plans.paid");
		assertInvalid(rule().overrides(List.of(override("a"), new KeyOverride(List.of("b"), large))),
				"overrides[1].thresholds");
		assertInvalid(rule().overrides(List.of(override("a"), override("a"))), "overrides[1].key");
		assertInvalid(rule().overrides(List.of(override("a", "b"))), "overrides[0].key");
		assertInvalid(rule().key("global").overrides(List.of(override("a"))), "overrides[0].key");
		assertInvalid(rule().paths("/x").plans(Plans.by("path:plan", Map.of("paid", Allowance.BLOCKED))), "plan-key");
		assertInvalid(
				rule().plans(Plans.by("principal", Map.of("paid", Allowance.BLOCKED))).stage(Stage.BEFORE_SECURITY),
				"stage");
	}

	@Test
	void aCostFitsIntoEveryThreshold() {
		assertThat(rule().cost(5).build().counting().cost()).isEqualTo(new Cost.Fixed(5));
		assertInvalid(rule().cost(6), "cost");
		Allowance small = new Allowance.Limited(List.of(RLThreshold.valueOf("9/1h"), RLThreshold.valueOf("2/1m")));
		assertInvalid(rule().cost(3).plans(Plans.by("session", Map.of("free", small))), "cost");
		assertInvalid(rule().cost(3).overrides(List.of(new KeyOverride(List.of("a"), small))), "cost");
		RLConfigBuilder bucket = rule().algorithm(Algorithm.TOKEN_BUCKET);
		assertThat(
				bucket.thresholds(List.of(RLThreshold.valueOf("1/1s").withBurst(3))).cost(3).build().counting().cost())
			.hasToString("3");
		assertInvalid(bucket.cost(4), "cost");
	}

	@Test
	void aRuleThatCountsRefusalsCountsEveryOutcome() {
		assertInvalid(rule().countRejected(true).countOn("failure"), "count-on");
		assertThat(rule().countRejected(true).countOn("success, failure").build().counting().countRejected()).isTrue();
	}

	private static RLConfigBuilder rule() {
		return RLConfig.builder("a").key("header:X-Api-Key").thresholds("5/1m");
	}

	private static KeyOverride override(String... key) {
		return new KeyOverride(List.of(key), Allowance.UNLIMITED);
	}

	@Test
	void aRuleIsImmutable() {
		List<RLThreshold> thresholds = new ArrayList<>(List.of(RLThreshold.valueOf("1/s")));
		RLConfig rule = RLConfig.builder("a").methods("GET").paths("/x").thresholds(thresholds).build();
		thresholds.clear();
		assertThat(rule.allowances().thresholds()).hasSize(1);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> rule.requests().methods().clear());
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> rule.requests().paths().clear());
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> rule.key().sources().clear());
	}

	@Test
	void aRuleSetHoldsEachIdOnce() {
		RLConfig rule = RLConfig.builder("a").thresholds("1/s").build();
		RLConfig disabled = RLConfig.builder("b").enabled(false).thresholds("1/s").build();
		RuleSet rules = new RuleSet(List.of(rule, disabled));
		assertThat(rules.rules()).containsExactly(rule, disabled);
		assertThat(rules.enabled()).containsExactly(rule);
		assertThat(rules.find("b")).hasValue(disabled);
		assertThat(rules.find("c")).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> new RuleSet(List.of(rule, rule)))
			.withMessageContaining("id 'a' is used by two rules");
	}

	private static void assertInvalid(RLConfigBuilder rule, String property) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(rule::build)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property))
			.satisfies((ex) -> assertThat(ex.cure()).isNotBlank());
	}

}
