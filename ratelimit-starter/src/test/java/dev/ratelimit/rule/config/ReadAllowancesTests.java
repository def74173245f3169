package dev.ratelimit.rule.config;

import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans and overrides of a rule, read from every property source.
 */
class ReadAllowancesTests {

	private static final String BASE = """
			ratelimit:
			  rules:
			    api:
			      key: header:X-Api-Key
			      thresholds: 10/1m
			      plan-key: bean:plan
			      plans: {free: 200/1m, big-paid: [10000/1m, 50000/1h]}
			      overrides:
			        - {key: acme, thresholds: 500/1m}
			        - {key: globex, thresholds: blocked}
			""";

	@Test
	void plansHaveThresholdsInEveryFormOrAWord() {
		RLConfig rule = only("""
				ratelimit:
				  rules:
				    api:
				      algorithm: token-bucket
				      thresholds: 10/1m
				      plan-key: header:X-Plan
				      plans:
				        free: 200/1m
				        paid: 10000/1m, 100000/1d
				        big-paid:
				          - threshold: 100
				            window: 1s
				            burst: 500
				          - 1000000/day
				        2: [7/1s]
				        staff: unlimited
				        banned: Blocked
				""");
		assertThat(rule.allowances().plans().key()).hasToString("Optional[header:X-Plan]");
		assertThat(rule.allowances().plans().allowances()).containsExactly(Map.entry("free", limited("200/1m")),
				Map.entry("paid", limited("10000/1m", "100000/1d")),
				Map.entry("big-paid",
						new Allowance.Limited(List.of(RLThreshold.valueOf("100/1s").withBurst(500),
								RLThreshold.valueOf("1000000/1d")))),
				Map.entry("2", limited("7/1s")), Map.entry("staff", Allowance.UNLIMITED),
				Map.entry("banned", Allowance.BLOCKED));
	}

	@Test
	void overridesHaveThresholdsInTheSameForms() {
		assertThat(only("""
				ratelimit:
				  rules:
				    api:
				      algorithm: leaky-bucket
				      thresholds: 10/1m
				      overrides:
				        - key: 10.0.0.0/8
				          thresholds: unlimited
				        - key: 192.0.2.7
				          thresholds: BLOCKED
				        - key: 2001:db8::/32
				          thresholds:
				            - {threshold: 5, window: 1m, burst: 10}
				            - 100/d
				        - {key: [192.0.2.8], thresholds: "20/1m, 50/1h"}
				""").allowances().overrides()).containsExactly(
				new KeyOverride(List.of("10.0.0.0/8"), Allowance.UNLIMITED),
				new KeyOverride(List.of("192.0.2.7"), Allowance.BLOCKED),
				new KeyOverride(List.of("2001:db8::/32"),
						new Allowance.Limited(
								List.of(RLThreshold.valueOf("5/1m").withBurst(10), RLThreshold.valueOf("100/1d")))),
				new KeyOverride(List.of("192.0.2.8"), limited("20/1m", "50/1h")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "a,b | a,b", "007 | 007", "1.10 | 1.10", "1:30 | 1:30", "no | no",
			"'\"  Müller & Söhne \"' | Müller & Söhne", "\"${customer}\" | acme, inc" })
	void aSingleValueIsTakenAsItIsWritten(String written, String value) {
		assertThat(TestSources.yaml("""
				ratelimit.rules.api:
				  key: header:X-Api-Key
				  thresholds: 10/1m
				  overrides:
				    - key: %s
				      thresholds: unlimited
				""".formatted(written.replace("'", "")))
			.andProperties(Map.of("customer", "acme, inc"))
			.read()
			.rules()
			.rules()
			.get(0)
			.allowances()
			.overrides()).extracting(KeyOverride::key).containsExactly(List.of(value));
	}

	@Test
	void placeholdersAreResolvedBeforeAnythingIsRead() {
		RLConfig rule = TestSources.yaml("""
				ratelimit.rules.api:
				  key: [session, header:X-Api-Key]
				  thresholds: 10/1m
				  plan-key: ${planKey:principal}
				  plans: {staff: "${staff:unlimited}", free: "${free}"}
				  overrides: [{key: "${who}", thresholds: "${what:blocked}"}]
				""").andProperties(Map.of("free", "5/1m, 6/1h", "who", "a, b")).read().rules().rules().get(0);
		assertThat(rule.allowances().plans().allowances()).containsExactly(Map.entry("staff", Allowance.UNLIMITED),
				Map.entry("free", limited("5/1m", "6/1h")));
		assertThat(rule.allowances().overrides())
			.containsExactly(new KeyOverride(List.of("a", "b"), Allowance.BLOCKED));
	}

	@Test
	void theValuesOfATupleAreAListOrSeparatedByCommas() {
		assertThat(only("""
				ratelimit.rules.api:
				  key: [ip, header:X-Api-Key]
				  thresholds: 10/1m
				  overrides:
				    - {key: "10.0.0.0/8, acme", thresholds: unlimited}
				    - {key: [10.0.0.1, "acme, inc"], thresholds: 5/1m}
				""").allowances().overrides()).extracting(KeyOverride::key)
			.containsExactly(List.of("10.0.0.0/8", "acme"), List.of("10.0.0.1", "acme, inc"));
	}

	@Test
	void theKeyMayBeADefault() {
		assertThat(only("""
				ratelimit:
				  defaults: {key: [session, principal]}
				  rules.api: {thresholds: 10/1m, overrides: [{key: "a, b", thresholds: 5/1m}]}
				""").allowances().overrides()).extracting(KeyOverride::key).containsExactly(List.of("a", "b"));
	}

	@Test
	void plansAreMergedByNameAndEachIsTakenWhole() {
		RLConfig rule = TestSources.yaml("""
				ratelimit.rules.api.plans: {bigPaid: 7/1s, vip: unlimited}
				""").andYaml(BASE).read().rules().rules().get(0);
		assertThat(rule.allowances().plans().allowances()).containsOnly(Map.entry("free", limited("200/1m")),
				Map.entry("big-paid", limited("7/1s")), Map.entry("vip", Allowance.UNLIMITED));
		assertThat(rule.allowances().plans().key()).hasToString("Optional[bean:plan]");
	}

	@Test
	void overridesAreTakenWholeFromTheFirstSourceThatHasThem() {
		assertThat(TestSources.yaml("ratelimit.rules.api.overrides: [{key: initech, thresholds: 1/1m}]")
			.andYaml(BASE)
			.read()
			.rules()
			.rules()
			.get(0)
			.allowances()
			.overrides()).containsExactly(new KeyOverride(List.of("initech"), limited("1/1m")));
	}

	@Test
	void plansAndOverridesAreReadFromProperties() {
		RLConfig rule = new TestSources().andProperties(Map.of("ratelimit.rules.api.thresholds", "10/1m",
				"ratelimit.rules.api.key", "principal", "ratelimit.rules.api.plan-key", "session",
				"ratelimit.rules.api.plans.free[0].threshold", "200", "ratelimit.rules.api.plans.free[0].window", "1m",
				"ratelimit.rules.api.overrides[0].key", "a,b", "ratelimit.rules.api.overrides[0].thresholds[0]", "5/1m",
				"ratelimit.rules.api.overrides[0].thresholds[1]", "9/1h"))
			.read()
			.rules()
			.rules()
			.get(0);
		assertThat(rule.allowances().plans().allowances()).containsExactly(Map.entry("free", limited("200/1m")));
		assertThat(rule.allowances().overrides())
			.containsExactly(new KeyOverride(List.of("a,b"), limited("5/1m", "9/1h")));
	}

	@Test
	void plansAndOverridesAreReadFromEnvironmentVariables() {
		LoadedRules loaded = new TestSources()
			.andVariables(Map.of("RATELIMIT_RULES_API_PLANS_VIP", "unlimited", "RATELIMIT_RULES_API_PLANS_BIG_PAID",
					"9/1s", "RATELIMIT_RULES_API_PLANS_FREE_0_", "7/1s", "RATELIMIT_RULES_API_PLANS_FREE_1_THRESHOLD",
					"8", "RATELIMIT_RULES_API_PLANS_FREE_1_WINDOW", "1h", "RATELIMIT_RULES_API_OVERRIDES_0_KEY",
					"hooli", "RATELIMIT_RULES_API_OVERRIDES_0_THRESHOLDS_0_", "3/1s", "RATELIMIT_RULES_API_PLANKEY",
					"principal", "RATELIMIT_RULES_API_COST", "2"))
			.andYaml(BASE)
			.read();
		assertThat(loaded.warnings()).isEmpty();
		RLConfig rule = loaded.rules().rules().get(0);
		assertThat(rule.allowances().plans().allowances()).containsOnly(Map.entry("free", limited("7/1s", "8/1h")),
				Map.entry("big-paid", limited("9/1s")), Map.entry("vip", Allowance.UNLIMITED));
		assertThat(rule.allowances().plans().key()).hasToString("Optional[principal]");
		assertThat(rule.allowances().overrides()).containsExactly(new KeyOverride(List.of("hooli"), limited("3/1s")));
		assertThat(rule.counting().cost()).hasToString("2");
	}

	@Test
	void environmentVariablesAloneMakePlans() {
		RLConfig rule = new TestSources()
			.andVariables(Map.of("RATELIMIT_RULES_API_THRESHOLDS", "10/1m", "RATELIMIT_RULES_API_PLAN_KEY",
					"header:X-Plan", "RATELIMIT_RULES_API_PLANS_PAID", "200/1m"))
			.read()
			.rules()
			.rules()
			.get(0);
		assertThat(rule.allowances().plans().allowances()).containsExactly(Map.entry("paid", limited("200/1m")));
	}

	/** Like the dashes of a rule id. */
	@Test
	void aVariableForAnUndeclaredPlanWithDashesCausesAWarning() {
		LoadedRules loaded = new TestSources().andVariables(Map.of("RATELIMIT_RULES_API_PLANS_HUGE_PAID", "9/1s"))
			.andYaml(BASE)
			.read();
		assertThat(loaded.warnings()).singleElement().asString().contains("RATELIMIT_RULES_API_PLANS_HUGE_PAID");
	}

	@Test
	void aVariableReachesAPlanWithANumberInItsName() {
		RLConfig rule = new TestSources()
			.andVariables(
					Map.of("RATELIMIT_RULES_API_PLANS_PAID_2", "7/1s", "RATELIMIT_RULES_API_PLANS_PAID_0", "8/1s"))
			.andYaml("""
					ratelimit.rules.api:
					  thresholds: 10/1m
					  plan-key: principal
					  plans: {paid: 1/1s, paid-2: 2/1s}
					""")
			.read()
			.rules()
			.rules()
			.get(0);
		assertThat(rule.allowances().plans().allowances()).containsOnly(Map.entry("paid", limited("8/1s")),
				Map.entry("paid-2", limited("7/1s")));
	}

	/** A log would refuse a threshold this large. */
	@ParameterizedTest
	@ValueSource(strings = { "algorithm: fixed-window", "algorithm: sliding-window-counter" })
	void theAlgorithmOfARuleAppliesToItsPlans(String algorithm) {
		assertThat(only("""
				ratelimit.rules.api: {%s, thresholds: 5/1m, plan-key: session, plans: {big: 5000000/1m}}
				""".formatted(algorithm)).counting().algorithm()).isNotEqualTo(Algorithm.SLIDING_WINDOW_LOG);
	}

	@Test
	void aDefaultPlanKeyIsUsedByRulesWithPlans() {
		List<RLConfig> rules = TestSources.yaml("""
				ratelimit:
				  defaults: {plan-key: principal}
				  rules:
				    plain: {thresholds: 1/s}
				    planned: {thresholds: 1/s, plans: {free: 2/s}}
				    own: {thresholds: 1/s, plans: {free: 2/s}, plan-key: session}
				""").read().rules().rules();
		assertThat(rules).extracting((rule) -> rule.allowances().plans().key())
			.map(Object::toString)
			.containsExactly("Optional.empty", "Optional[principal]", "Optional[session]");
	}

	private static Allowance limited(String... thresholds) {
		return new Allowance.Limited(List.of(thresholds).stream().map(RLThreshold::valueOf).toList());
	}

	private static RLConfig only(String yaml) {
		List<RLConfig> rules = TestSources.yaml(yaml).read().rules().rules();
		assertThat(rules).hasSize(1);
		return rules.get(0);
	}

}
