package dev.ratelimit.rule.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Rules outside the environment are read as strictly as those in it.
 */
class YamlRulesTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	private final YamlRules yaml = new YamlRules(this.environment, "ratelimit.rule-source.file", "limits.yml");

	private String refusal(String text) {
		try {
			throw new AssertionError("Read: " + this.yaml.document(text).rules());
		}
		catch (InvalidSettingsException ex) {
			return ex.getMessage();
		}
	}

	@Test
	void rulesAreReadInTheFormOfTheConfiguration() {
		RuleSet rules = this.yaml.document("""
				ratelimit:
				  rules:
				    login: {paths: /login, thresholds: 5/1m}
				    get-product:
				      paths: [/a, /b]
				      algorithm: token-bucket
				      thresholds: [{threshold: 5, window: 1m, burst: 10}]
				""");
		assertThat(rules.rules()).extracting(RLConfig::id).containsExactly("login", "get-product");
		assertThat(rules.find("get-product").orElseThrow().allowances().thresholds())
			.containsExactly(new RLThreshold(5, Duration.ofMinutes(1), 10));
	}

	@Test
	void defaultsAndPlaceholdersAreTakenFromTheEnvironmentButNoRules() {
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("test",
					Map.of("ratelimit.defaults.algorithm", "fixed-window", "login.limit", "7/1m",
							"ratelimit.rules.login.shadow", "true", "ratelimit.rules.other.thresholds", "1/s")));
		assertThat(this.yaml.document("ratelimit.rules.login.thresholds: ${login.limit}").rules()).singleElement()
			.satisfies((rule) -> {
				assertThat(rule.counting().algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
				assertThat(rule.allowances().thresholds()).containsExactly(new RLThreshold(7, Duration.ofMinutes(1)));
				assertThat(rule.enforcement().shadow()).as("a rule is taken whole").isFalse();
			});
	}

	@Test
	void aRefusalNamesPropertyValueLineAndCure() {
		assertThat(refusal("""
				ratelimit:
				  rules:
				    login:
				      threshold: 5/1m
				      thresholds: 5/1x
				""")).contains("ratelimit.rules.login.threshold '5/1m' (limits.yml - 4:18) belongs to no key",
				"Did you mean thresholds?", "ratelimit.rules.login.thresholds '5/1x' (limits.yml - 5:19)");
	}

	@Test
	void aNumberIsReportedAsItIsWritten() {
		assertThat(refusal("ratelimit.rules.a: {thresholds: [{threshold: 010, window: 1m}]}")).contains("'010'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.application.name: x", "ratelimit.store: memory", "ratelimit.defaults.cost: 2",
			"rules: {login: {thresholds: 5/1m}}", "just text" })
	void nothingButRulesIsRead(String other) {
		assertThat(refusal("ratelimit.rules.a.thresholds: 5/1m\n" + other + "\n")).contains("limits.yml");
		assertThat(refusal(other)).containsAnyOf("is not read here", "is not YAML");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "# nothing\n", "ratelimit:\n", "ratelimit:\n  rules:\n", "ratelimit:\n  rules: {}\n" })
	void aFileWithoutAnyRuleIsRefusedAsHalfWritten(String text) {
		assertThat(refusal(text)).contains("ratelimit.rule-source.file 'limits.yml' holds no rules");
	}

	@Test
	void aRefusalOfInvalidYamlNamesTheLine() {
		assertThat(refusal("ratelimit:\n  rules:\n    a: [1\n")).contains("(limits.yml - 4:1) is not YAML: expected");
		assertThat(refusal("ratelimit:\n  rules:\n    a: {thresholds: 1/s}\n    a: {thresholds: 2/s}\n"))
			.contains("is not YAML", "duplicate key a");
		assertThat(refusal("ratelimit.rules.a.thresholds: 1/s\n---\nratelimit.rules.b.thresholds: 1/s\n"))
			.contains("has more than one document");
	}

	@Test
	void twoSpellingsOfOneIdAreRefused() {
		assertThat(refusal("ratelimit.rules: {log-in: {thresholds: 1/s}, login: {thresholds: 1/s}}"))
			.contains("is a second spelling of the rule id 'log-in'");
	}

	@Test
	void aliasesMayBeUsed() {
		RuleSet rules = this.yaml.document("""
				ratelimit:
				  rules:
				    a: &a {paths: /a, thresholds: 5/1m}
				    b:
				      <<: *a
				      paths: /b
				""");
		assertThat(rules.find("b").orElseThrow().requests().paths()).containsExactly("/b");
		assertThat(rules.find("b").orElseThrow().allowances().thresholds()).hasSize(1);
	}

	@Test
	void aliasesThatExpandToBillionsAreRefusedBeforeTheyAreExpanded() {
		StringBuilder bomb = new StringBuilder("x0: &x0 [a, a]\n");
		for (int i = 1; i < 60; i++) {
			bomb.append("x%d: &x%d [*x%d, *x%d]%n".formatted(i, i, i - 1, i - 1));
		}
		assertThat(refusal(bomb.toString())).contains("has more than 100000 values");
		assertThat(refusal("a: &a [*a]\n")).contains("has more than 100000 values");
	}

	@Test
	void longKeysAboveManyValuesAreRefusedBeforeTheyAreExpanded() {
		String values = "a: 1, ".repeat(1000);
		assertThat(refusal("? " + "k".repeat(100_000) + "\n: {" + values.replace("a", "b") + "}\n"))
			.contains("names that are far too long");
		assertThat(refusal("? [" + "k".repeat(1000) + "]\n: 1\n")).contains("has a name that is no text");
		assertThat(refusal("k".repeat(500) + ": {" + values.replaceFirst("a", "b") + "}\n")).doesNotContain("too long");
	}

	@Test
	void noTextOfAFileForgesALineOfALog() {
		assertThat(refusal("\"ratelimit.rules.a.x\\nERROR forged\": 1\n")).doesNotContain("\nERROR");
		assertThat(refusal("ratelimit.rules.a.thresholds: [\"5/1m,\\nforged/1\"]\n")).doesNotContain("\nforged");
	}

	@Test
	void tooDeeplyNestedYamlIsRefused() {
		assertThat(refusal("[".repeat(100_000))).contains("is not YAML: Nesting Depth exceeded");
	}

	@Test
	void problemsOfASingleRuleNameItsIdAndLine() {
		assertThat(this.yaml.rules(List.of(new RuleText("login", "thresholds: 5/1m\npaths: /login"))).rules())
			.singleElement()
			.extracting(RLConfig::id)
			.isEqualTo("login");
		assertThatExceptionOfType(InvalidSettingsException.class)
			.isThrownBy(() -> this.yaml.rules(List.of(new RuleText("login", "paths: /login\nthresholds: 5"),
					new RuleText("Up", "thresholds: 1/s"), new RuleText("empty", " "))))
			.withMessageContainingAll("ratelimit.rules.login.thresholds '5' (limits.yml, rule 'login' - 2:13)",
					"has the id 'Up'", "limits.yml, rule 'empty'' is empty");
		assertThat(this.yaml.rules(List.of()).rules()).isEmpty();
	}

	@Test
	void twoRowsOfOneIdAreRefused() {
		assertThatExceptionOfType(InvalidSettingsException.class)
			.isThrownBy(() -> this.yaml
				.rules(List.of(new RuleText("a", "thresholds: 5/1m"), new RuleText("a", "shadow: true"))))
			.withMessageContaining("has two rows with the id 'a'. Keep one of the two");
	}

}
