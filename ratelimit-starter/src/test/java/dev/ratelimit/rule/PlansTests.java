package dev.ratelimit.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Plans, overrides and their allowances.
 */
class PlansTests {

	private static final Optional<KeySource> KEY = Optional.of(KeySource.valueOf("session"));

	@ParameterizedTest
	@ValueSource(strings = { "free", "2", "big-paid", "a--", "paid2" })
	void namesAreLowerCaseWithDashes(String name) {
		assertThat(new Plans(KEY, Map.of(name, Allowance.UNLIMITED)).allowances()).containsKey(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Free", "-a", "a b", "a.b", "a_b", "größe" })
	void otherNamesAreRefused(String name) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Plans(KEY, Map.of(name, Allowance.UNLIMITED)))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("plans"))
			.satisfies((ex) -> assertThat(ex.cure()).contains("lower-case letters"));
	}

	@Test
	void plansNeedAKeyAndAKeyNeedsPlans() {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Plans(KEY, Map.of()))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("plan-key"));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Plans(Optional.empty(), Map.of("free", Allowance.BLOCKED)))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("plans"));
		assertThat(Plans.NONE.allowances()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-Plan", "bean:plan", "principal", "path:plan" })
	void theKeyIsOneSource(String text) {
		assertThat(Plans.key(text)).hasToString(text);
	}

	@ParameterizedTest
	@CsvSource({ "ip,names no plan", "global,names no plan", "X-Plan,is no key source of this version",
			"'session, principal',is no key source of this version", "header:,has no name" })
	void aKeyThatNamesNoPlanIsRefused(String text, String reason) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Plans.key(text)).satisfies((ex) -> {
			assertThat(ex.property()).isEqualTo("plan-key");
			assertThat(ex.value()).isEqualTo(text);
			assertThat(ex.reason()).isEqualTo(reason);
			assertThat(ex.cure()).startsWith("Name one place where the plan of a request stands");
		});
	}

	@Test
	void plansAreImmutable() {
		Map<String, Allowance> allowances = new LinkedHashMap<>(Map.of("free", Allowance.UNLIMITED));
		Plans plans = new Plans(KEY, allowances);
		allowances.clear();
		assertThat(plans.allowances()).hasSize(1);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> plans.allowances().clear());
	}

	@ParameterizedTest
	@CsvSource({ "unlimited,unlimited", "BLOCKED,blocked" })
	void aWordReplacesThresholds(String text, String allowance) {
		assertThat(Allowance.ofWord(text).orElseThrow()).hasToString(allowance);
	}

	@Test
	void otherTextsAreNoWords() {
		assertThat(Allowance.ofWord("5/1m")).isEmpty();
		assertThat(Allowance.ofWord("none")).isEmpty();
	}

	@Test
	void aLimitIsWrittenLikeThresholdsAndCheckedLikeThem() {
		assertThat(new Allowance.Limited(List.of(RLThreshold.valueOf("5/1m"), RLThreshold.valueOf("20/d"))))
			.hasToString("5/1m, 20/1d");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Allowance.Limited(List.of()));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(
				() -> new Allowance.Limited(List.of(RLThreshold.valueOf("5/1m"), RLThreshold.valueOf("6/60s"))));
	}

	@Test
	void anOverrideNeedsANonBlankKey() {
		assertThat(new KeyOverride(List.of("acme"), Allowance.BLOCKED).key()).containsExactly("acme");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new KeyOverride(List.of(), Allowance.BLOCKED));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new KeyOverride(List.of("acme", " "), Allowance.BLOCKED));
	}

	@Test
	void aConditionIsABeanOrAnExpression() {
		assertThat(Condition.valueOf("bean:x")).isEqualTo(new Condition.BeanCondition("x"));
		assertThat(Condition.valueOf("method == 'GET'")).isEqualTo(new Condition.Expression("method == 'GET'"));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Condition.valueOf("bean:"));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Condition.valueOf("bean: x"));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Condition.valueOf(" "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false", "0" })
	void unquotedWordsAndListIndexesOfYamlAreNoNames(String name) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Plans.requireName(name))
			.withMessageContaining("plans '" + name + "'");
	}

}
