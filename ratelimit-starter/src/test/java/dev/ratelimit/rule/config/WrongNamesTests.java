package dev.ratelimit.rule.config;

import java.util.Map;

import dev.ratelimit.rule.AbsentModule;
import dev.ratelimit.spi.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names that are unknown, of a wrong form, or given twice, and the sources in which they
 * stop the start.
 */
class WrongNamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.key-secrt: s3cr3t", "ratelimit.key-secret: {current: s3cr3t}",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: {key: s3cr3t, thresholds: 9/1m}}",
			"ratelimit.datacenter.peers.iad.uri: redis://:a/s3cr3t@host",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: [{keys: s3cr3t, thresholds: 9/1m}]}",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: {1: {key: s3cr3t, thresholds: 9/1m}}}",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: [{kye: s3cr3t, thresholds: 9/1m}]}",
			"ratelimit.places.iad.passwrod: s3cr3t",
			"ratelimit.datacenter.peers.iad.uri: redis://limiter:s3cr3t@host" })
	void aValueThatMayBeASecretIsNotShown(String yaml) {
		assertThat(TestSources.yaml(yaml).problems()).isNotEmpty()
			.allSatisfy((problem) -> assertThat(problem.toString()).doesNotContain("s3cr3t"));
	}

	@Test
	void theNameOfARuleOrPlanHidesNoValue() {
		assertThat(TestSources.yaml("ratelimit.rules.password-reset: {thresholds: 5/1x}").problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.value()).isEqualTo("5/1x"));
		assertThat(TestSources
			.yaml("ratelimit.rules.a: {thresholds: 5/1m, plan-key: 'header:X', plans: {token-users: 5/1x}}")
			.problems()).singleElement().satisfies((problem) -> assertThat(problem.value()).isEqualTo("5/1x"));
	}

	@Test
	void aSettingOfAModuleThatIsAbsentNamesItsDependency() {
		AbsentModule absent = new AbsentModule("ratelimit-starter-memcached");
		assertThat(absent.cure()).contains("<artifactId>ratelimit-starter-memcached</artifactId>",
				"implementation(\"dev.ratelimit:ratelimit-starter-memcached\")");
		assertThat(TestSources.yaml("ratelimit.memcached: {nodes: a, ssl.bundle: b}").problems()).hasSize(2)
			.allSatisfy(
					(problem) -> assertThat(problem).hasToString("%s '%s' (%s) %s. %s.".formatted(problem.property(),
							problem.value(), problem.origin().orElseThrow(), absent.reason(), absent.cure())));
		assertThat(new TestSources().andVariables(Map.of("RATELIMIT_MEMCACHED_NODES", "a")).read().warnings())
			.containsExactly("The environment variable RATELIMIT_MEMCACHED_NODES " + absent.reason()
					+ ", and is ignored. " + absent.cure());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.rules:", "ratelimit.rules: {}", "ratelimit.defaults:", "ratelimit.rules.login:",
			"ratelimit.trusted-proxies: []", "ratelimit.key-secret:", "ratelimit.deadline: ''",
			"ratelimit.trusted-proxies: ['']" })
	void anEmptyValueStopsTheStart(String yaml) {
		assertThat(TestSources.yaml(yaml).problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.reason()).isEqualTo("is empty"));
	}

	@Test
	void theKeysOfEmptyDefaultsAreNamed() {
		assertThat(TestSources.yaml("ratelimit.defaults: {}").problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.cure()).startsWith("The keys here are enabled, key, "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "64.5", "0x40", "064", "six" })
	void aSettingThatIsNoWholeNumberStopsTheStart(String value) {
		assertThat(TestSources.yaml("ratelimit.ipv6-prefix: " + value).problems()).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.value()).isEqualTo(value);
				assertThat(problem.reason()).isEqualTo("is not a whole number");
			});
	}

	@Test
	void anUnknownNameStopsTheStartFromAnySourceButTheEnvironment() {
		assertThat(new TestSources().andProperties(Map.of("ratelimit.windws", "x")).problems()).hasSize(1);
	}

	@Test
	void anElementBeyondTheLastOneOfAListIsRefusedAsSuch() {
		assertThat(new TestSources()
			.andProperties(Map.of("ratelimit.rules.api.thresholds", "5/1m", "ratelimit.rules.api.overrides[10000].key",
					"s3cr3t"))
			.problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.toString()).doesNotContain("s3cr3t")
				.contains("is beyond the last element that a list may have", "at most 10000 elements"));
	}

	@Test
	void anUnknownEnvironmentVariableOnlyCausesAWarning() {
		LoadedRules loaded = new TestSources()
			.andVariables(Map.of("RATELIMIT_SERVICE_HOST", "10.0.0.1", "RATELIMIT_RULES_LOGIN_WINDWS", "x",
					"RATELIMIT_RULES_GET_PRODUCT_PATHS", "/x", "RATELIMITER", "x"))
			.andYaml("ratelimit.rules.login.thresholds: 5/1m")
			.read();
		assertThat(loaded.rules().rules()).hasSize(1);
		assertThat(loaded.warnings()).hasSize(3)
			.anyMatch((warning) -> warning.contains("RATELIMIT_SERVICE_HOST"))
			.anyMatch((warning) -> warning.contains("RATELIMIT_RULES_LOGIN_WINDWS"))
			.anyMatch((warning) -> warning.contains("RATELIMIT_RULES_GET_PRODUCT_PATHS"));
	}

	@Test
	void anEnvironmentVariableThatBootWouldNotBindCausesAWarning() {
		assertThat(
				new TestSources()
					.andVariables(Map.of("RATELIMIT_REDIS_MAX_CONNECTIONS", "5", "RATELIMIT_TRUSTED_PROXIES_0",
							"10.0.0.1", "RATELIMIT_KEYPREFIX", "rl", "RATELIMIT_IPV_6_PREFIX", "64"))
					.read()
					.warnings())
			.singleElement()
			.asString()
			.contains("RATELIMIT_IPV_6_PREFIX");
	}

	/** As Boot, which binds clients. */
	@Test
	void anEnvironmentVariableSplitsNoNameOfAClient() {
		assertThat(new TestSources()
			.andVariables(Map.of("RATELIMIT_CLIENTS_PAYAPI_RULE", "a", "RATELIMIT_CLIENTS_PAY_API_RULE", "a"))
			.read()
			.warnings()).singleElement().asString().contains("RATELIMIT_CLIENTS_PAY_API_RULE");
	}

	@Test
	void aWrongValueInAnEnvironmentVariableStopsTheStart() {
		assertThat(new TestSources().andVariables(Map.of("RATELIMIT_RULES_LOGIN_THRESHOLDS", "5/1M"))
			.andYaml("ratelimit.rules.login.thresholds: 5/1m")
			.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("ratelimit.rules.login.thresholds");
				assertThat(problem.value()).isEqualTo("5/1M");
				assertThat(problem.origin().orElseThrow().toString()).contains("RATELIMIT_RULES_LOGIN_THRESHOLDS");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.redis.password", "ratelimit.api-token", "ratelimit.client.secret" })
	void aSecretInTheWrongPlaceStaysOutOfTheMessage(String name) {
		assertThat(TestSources.yaml(name + ": hunter2").problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.toString()).contains(name).doesNotContain("hunter2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a:b{c}", "getProduct", "Login", "get_product", "größe", "a b", "-a", "a/b",
			"a123456789012345678901234567890123456789012345678901234567890abcd" })
	void anIdOfAWrongFormStopsTheStart(String id) {
		assertThat(TestSources.yaml("ratelimit: {rules: {\"" + id + "\": {thresholds: 1/s}}}").problems())
			.singleElement()
			.satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("ratelimit.rules." + id);
				assertThat(problem.value()).isEqualTo(id);
				assertThat(problem.reason()).isEqualTo("is not a rule id");
				assertThat(problem.cure()).contains("lower-case letters, digits and dashes");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "Gold", "big_paid", "größe", "-a", "a b", "",
			"a123456789012345678901234567890123456789012345678901234567890abcd" })
	void aPlanNameOfAWrongFormStopsTheStart(String plan) {
		assertThat(TestSources.yaml("""
				ratelimit.rules.a:
				  thresholds: 1/s
				  plan-key: session
				  plans: {"%s": 5/1m, other: 6/1m}
				""".formatted(plan)).problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.a.plans." + plan);
			assertThat(problem.value()).isEqualTo(plan);
			assertThat(problem.reason()).isEqualTo("is not the name of a plan");
			assertThat(problem.cure()).contains("lower-case letters, digits and dashes");
			assertThat(problem.origin().orElseThrow().toString()).contains("application-1.yml] - 4:");
		});
	}

	@Test
	void aListWithAGapStopsTheStart() {
		assertThat(new TestSources()
			.andProperties(Map.of("ratelimit.rules.a.thresholds[0]", "1/s", "ratelimit.rules.a.thresholds[2]", "9/m"))
			.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("ratelimit.rules.a.thresholds[2]");
				assertThat(problem.reason()).contains("is never reached");
			});
	}

	@Test
	void aListWithoutABeginningStopsTheStart() {
		assertThat(new TestSources()
			.andProperties(Map.of("ratelimit.rules.a.thresholds", "1/s", "ratelimit.rules.b.thresholds[1]", "9/m"))
			.problems()).extracting(Problem::property).contains("ratelimit.rules.b.thresholds[1]");
	}

	@Test
	void aListInTwoFormsStopsTheStart() {
		assertThat(new TestSources()
			.andProperties(Map.of("ratelimit.rules.a.thresholds", "1/s", "ratelimit.rules.a.thresholds[0]", "2/s"))
			.problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.reason()).contains("both as one text and in parts"));
	}

	@Test
	void aPlanInTwoFormsOrWithAGapStopsTheStart() {
		assertThat(new TestSources()
			.andProperties(Map.of("ratelimit.rules.a.thresholds", "1/s", "ratelimit.rules.a.plan-key", "session",
					"ratelimit.rules.a.plans.free", "5/1m", "ratelimit.rules.a.plans.free[0]", "6/1m",
					"ratelimit.rules.a.overrides[0].key", "a", "ratelimit.rules.a.overrides[0].thresholds[1]", "5/1m"))
			.problems()).extracting(Problem::property)
			.contains("ratelimit.rules.a.plans.free[0]", "ratelimit.rules.a.overrides[0].thresholds[1]");
	}

	@Test
	void aPartOfAnOverrideAloneIsNotMergedButRefused() {
		assertThat(new TestSources().andVariables(Map.of("RATELIMIT_RULES_A_OVERRIDES_0_KEY", "b"))
			.andYaml("ratelimit.rules.a: {key: session, thresholds: 1/s, overrides: [{key: a, thresholds: 5/1m}]}")
			.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("ratelimit.rules.a.overrides[0].thresholds");
				assertThat(problem.cure()).contains("a list is taken whole");
				assertThat(problem.origin().orElseThrow().toString()).contains("RATELIMIT_RULES_A_OVERRIDES_0_KEY");
			});
	}

}
