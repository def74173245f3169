package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Unknown names, and names that occur twice.
 */
class WrongNamesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ratelimit.deadlin: 5ms | ratelimit.deadlin | Did you mean deadline?",
			"ratelimit.redis.max-conections: 5 | ratelimit.redis.max-conections | Did you mean redis.max-connections?",
			"ratelimit.login.paths: /x | ratelimit.login.paths | Keys of a rule stand below its id, ratelimit.rules.<id>.paths",
			"ratelimit.rule.login.paths: /x | ratelimit.rule.login.paths | Did you mean rules?",
			"ratelimit.deny-cache: 1s | ratelimit.deny-cache | docs/reference.md lists all keys",
			"ratelimit.max-connections: 5 | ratelimit.max-connections | Did you mean redis.max-connections?",
			"ratelimit.redis.timeout: 1s | ratelimit.redis.timeout | The keys there are redis.max-connections",
			"ratelimit.filters: x | ratelimit.filters | Rules stand below ratelimit.rules.<id>; docs/reference.md lists all keys",
			"\"ratelimit.filters[0].url\": x | ratelimit.filters[0].url | Rules stand below ratelimit.rules.<id>; docs/reference.md lists all keys",
			"ratelimit.rule-source.file: x | ratelimit.rule-source.file | docs/reference.md lists all keys",
			"ratelimit.deadline.max: 1s | ratelimit.deadline.max | The keys there are deadline",
			"\"ratelimit.deadline[0]\": 1s | ratelimit.deadline[0] | Did you mean deadline?",
			"ratelimit.dead:line: 1s | ratelimit.dead:line | Did you mean deadline?",
			"ratelimit.defaults.paths: /x | ratelimit.defaults.paths | The keys here are enabled, key",
			"ratelimit.defaults.thresholds: 1/s | ratelimit.defaults.thresholds | The keys here are enabled, key",
			"ratelimit.defaults.methods: GET | ratelimit.defaults.methods | The keys here are enabled, key",
			"ratelimit.rules: none | ratelimit.rules | below its id, ratelimit.rules.<id>.<key>",
			"ratelimit.rules.paths: /x | ratelimit.rules.paths | Indent it below the id of its rule: ratelimit.rules.<id>.paths",
			"ratelimit: | ratelimit | docs/reference.md lists all keys",
			"ratelimit.: x | ratelimit. | docs/reference.md lists all keys",
			"ratelimit.rules.login: 5/1m | ratelimit.rules.login | below its id, ratelimit.rules.<id>.<key>" })
	void unknownNamesStopTheStart(String yaml, String property, String cure) {
		assertThat(TestSources.yaml(yaml).problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo(property);
			assertThat(problem.reason()).matches("belongs to no key of this version|is empty");
			assertThat(problem.cure()).contains(cure);
			assertThat(problem.origin()).isPresent();
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ratelimit.rules.login.limit: 5/1m | Did you mean thresholds?",
					"ratelimit.rules.login.rate: 5/1m | Did you mean thresholds?",
					"ratelimit.rules.login.treshold: 5/1m | Did you mean thresholds?",
					"ratelimit.deadlin: 5/1m | Did you mean deadline?",
					"ratelimit.redis.timeout: 5/1m | The keys there are redis.max-connections." })
	void aProposalStandsAloneAndEndsOnce(String yaml, String end) {
		assertThat(TestSources.yaml(yaml).problems()).first()
			.satisfies((problem) -> assertThat(problem.toString()).endsWith(". " + end));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.key-secrt: s3cr3t", "ratelimit.key-secret: {current: s3cr3t}",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: {key: s3cr3t, thresholds: 9/1m}}",
			"ratelimit.datacenter.peers.iad.uri: redis://:a/s3cr3t@host",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: [{keys: s3cr3t, thresholds: 9/1m}]}",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: {1: {key: s3cr3t, thresholds: 9/1m}}}",
			"ratelimit.rules.a: {key: 'header:X', thresholds: 5/1m, overrides: [{kye: s3cr3t, thresholds: 9/1m}]}",
			"ratelimit.datacenter.peers.iad.passwrod: s3cr3t",
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
		String absent = " but its module is not on the class path";
		String cure = "Add the dependency dev.ratelimit:ratelimit-starter-memcached";
		assertThat(TestSources.yaml("ratelimit.memcached: {nodes: a, ssl.bundle: b}").problems()).hasSize(2)
			.allSatisfy((problem) -> assertThat(problem).hasToString("%s '%s' (%s) belongs to Memcached,%s. %s."
				.formatted(problem.property(), problem.value(), problem.origin().orElseThrow(), absent, cure)));
		assertThat(new TestSources().andVariables(Map.of("RATELIMIT_MEMCACHED_NODES", "a")).read().warnings())
			.containsExactly("The environment variable RATELIMIT_MEMCACHED_NODES belongs to Memcached," + absent
					+ ", and is ignored. " + cure);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "key: {header: X-Api-Key} | such as header:X-Api-Key without a blank",
					"paths: {a: /a} | Write paths as one text or as a list of texts",
					"enabled: {a: true} | Write one value for enabled",
					"thresholds: {window: 1m} | - threshold: 5 and below it window: 1m",
					"thresholds: [{windw: 1m}] | Did you mean window?",
					"enqueue: {max-boddy: 1KB} | Did you mean enqueue.max-body?",
					"refusal: {statos: 503} | Did you mean refusal.status?",
					"refusal: {body: {error: busy}} | Write one value for refusal.body" })
	void wrongNestingBelowAKeyIsRefusedWithTheRightForm(String key, String cure) {
		assertThat(TestSources.yaml("ratelimit.rules.login: {" + key + "}").problems()).first()
			.satisfies((problem) -> assertThat(problem.cure()).contains(cure));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.rules:", "ratelimit.rules: {}", "ratelimit.defaults:", "ratelimit.rules.login:",
			"ratelimit.trusted-proxies: []", "ratelimit.key-secret:", "ratelimit.deadline: ''",
			"ratelimit.trusted-proxies: ['']" })
	void anEmptyValueStopsTheStart(String yaml) {
		assertThat(TestSources.yaml(yaml).problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.reason()).isEqualTo("is empty"));
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

	/** CONF-033, and CONF-034 and CONF-035 for ids of other forms. */
	@Test
	void rulesAsAListAreRefused() {
		List<Problem> problems = TestSources
			.yaml("ratelimit.rules: [{id: a, thresholds: 1/s}, {id: a, thresholds: 2/s}]")
			.problems();
		assertThat(problems).extracting(Problem::property)
			.containsExactly("ratelimit.rules[0].id", "ratelimit.rules[1].id");
		assertThat(problems).allSatisfy((problem) -> assertThat(problem.cure()).contains("ratelimit.rules.<id>"));
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

	@Test
	void twoSpellingsOfAnIdInOneSourceStopTheStart() {
		assertThat(TestSources.yaml("""
				ratelimit.rules:
				  get-product: {thresholds: 1/s, enabled: false}
				  getproduct: {paths: /x, key: ip}
				""").problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.getproduct");
			assertThat(problem.reason()).contains("second spelling of the rule id 'get-product' in one source");
			assertThat(problem.cure()).contains("Write 'get-product' everywhere");
		});
	}

	@Test
	void aKeyWrittenTwiceInOneSourceStopsTheStart() {
		assertThat(TestSources.yaml("ratelimit.rules.a: {thresholds: 1/s, count-rejected: true, countRejected: false}")
			.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("ratelimit.rules.a.count-rejected");
				assertThat(problem.reason()).contains("a second time in one source");
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
	void allProblemsAreNamedAtOnce() {
		assertThat(TestSources.yaml("""
				ratelimit:
				  deadlin: 5ms
				  defaults.stage: never
				  rules:
				    one: {paths: a, key: who, thresholds: [0/1s, {threshold: x, window: y}]}
				    two: {methods: GET, thresholds: 1/s}
				    three: {paths: /x}
				""").problems()).extracting(Problem::property)
			.containsExactly("ratelimit.deadlin", "ratelimit.defaults.stage", "ratelimit.rules.one.paths",
					"ratelimit.rules.one.key", "ratelimit.rules.one.thresholds[0]",
					"ratelimit.rules.one.thresholds[1].threshold", "ratelimit.rules.one.thresholds[1].window",
					"ratelimit.rules.two.methods", "ratelimit.rules.three.thresholds");
	}

	@Test
	void aDefaultThatDoesNotFitARuleNamesTheRuleAndThePlaceOfTheDefault() {
		assertThat(TestSources.yaml("""
				ratelimit:
				  defaults:
				    key: path:orgId
				  rules:
				    login: {paths: /login, thresholds: 1/s}
				""").problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.login.key");
			assertThat(problem.value()).isEqualTo("path:orgId");
			assertThat(problem.origin().orElseThrow().toString()).endsWith("application-1.yml] - 3:10");
		});
	}

}
