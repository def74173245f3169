package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.rule.source.WrongRulesTests.Wrong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ratelimit.rule.source.WrongRulesTests.wrong;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Costs, outcomes, plans and overrides that are not valid.
 */
class WrongAllowancesTests {

	static Stream<Wrong> costs() {
		String notWhole = "is not a whole number of at least 1";
		String cure = "from 1 to the smallest threshold, or bean:NAME";
		return Stream.of(wrong("COST-001 negative cost", "cost: -5", "cost", "-5", notWhole, cure),
				wrong("COST-002 no cost", "cost: 0", "cost", "0", notWhole, cure),
				wrong("COST-003 cost above the threshold", "cost: 11\nthresholds: 20/1m, 10/1s", "cost", "11",
						"is above 10/1s in thresholds, so that no request would ever be admitted", "at most 10"),
				wrong("cost above what a log takes at once", "cost: 101\nthresholds: 20000/1m", "cost", "101",
						"is above 100, the most that one request may take of a log",
						"Use a cost of at most 100, or algorithm sliding-window-counter"),
				wrong("COST-004 largest long", "cost: 9223372036854775807", "cost", "9223372036854775807",
						"is out of range", cure),
				wrong("COST-005 cost that the client chooses", "cost: header:X-Cost", "cost", "header:X-Cost", notWhole,
						cure),
				wrong("part of a cost", "cost: 1.5", "cost", "1.5", notWhole, cure),
				wrong("leading zero of a cost", "cost: 010", "cost", "010", notWhole, cure),
				wrong("cost that is no number", "cost: NaN", "cost", "NaN", notWhole, cure),
				wrong("empty cost", "cost:", "cost", "", "is empty", "Give it a value"),
				wrong("cost of a bean without name", "cost: 'bean:'", "cost", "bean:", "names no bean", cure),
				wrong("cost above the threshold of a plan", """
						cost: 5
						plan-key: session
						plans: {free: 4/1m}""", "cost", "5", "is above 4/1m in plans.free", "at most 4"),
				wrong("cost above the threshold of an override", """
						cost: 5
						overrides: [{key: 10.0.0.1, thresholds: 9/1h}, {key: 10.0.0.2, thresholds: 4/1m}]""", "cost",
						"5", "is above 4/1m in overrides[1].thresholds", "at most 4"),
				wrong("cost above the capacity of a bucket", """
						cost: 3
						algorithm: token-bucket
						thresholds: [{threshold: 5, window: 1m, burst: 2}]""", "cost", "3", "is above 5/1m (burst 2)",
						"at most 2"));
	}

	static Stream<Wrong> outcomes() {
		String cure = "Write always, success (below 400), failure (400 and above), or statuses such as 402, 5xx";
		return Stream.of(wrong("misspelt outcome", "count-on: fail", "count-on", "fail", "is no outcome", cure),
				wrong("unknown status", "count-on: 600", "count-on", "600", "is no outcome", cure),
				wrong("second of a list", "count-on: [402, 6xx]", "count-on[1]", "6xx", "is no outcome", cure),
				wrong("comma at the end", "count-on: '402,'", "count-on", "", "is no outcome", cure),
				wrong("always and more", "count-on: always, 402", "count-on", "always, 402",
						"combines always with other outcomes", cure),
				wrong("no outcome", "count-on: []", "count-on", "", "is empty", "Give it a value"),
				wrong("outcomes of refused requests", "count-on: failure\ncount-rejected: true", "count-on", "failure",
						"does not go with count-rejected", "Remove one of the two"),
				wrong("condition of a bean without name", "when: 'bean:'", "when", "bean:", "names no bean",
						"Write bean:NAME"),
				wrong("condition as a list", "when: [a]", "when[0]", "a", "belongs to no key",
						"Write one value for when"),
				wrong("misspelt shadow", "shadow: ture", "shadow", "ture", "is neither true nor false",
						"Write true or false"));
	}

	static Stream<Wrong> plans() {
		String planned = "plan-key: session\nplans: ";
		return Stream.of(
				wrong("plans without key", "plans: {free: 5/1m, paid: 9/1m}", "plans", "free, paid",
						"has no effect without plan-key", "Say by plan-key"),
				wrong("key without plans", "plan-key: session", "plan-key", "session", "has no effect without plans",
						"List what each plan gets"),
				wrong("plan without thresholds", planned + "{free: , paid: 5/1m}", "plans.free", "", "is empty",
						"Give it a value"),
				wrong("plan with an empty list", planned + "{free: []}", "plans.free", "", "is empty",
						"Give it a value"),
				wrong("plan of a comment", planned + "\n  free: #5/1m", "plans.free", "", "is empty",
						"a # begins a comment"),
				wrong("misspelt word", planned + "{free: unlimted}", "plans.free", "unlimted", "is no threshold",
						"unlimited or blocked"),
				wrong("word in a list", planned + "{free: [5/1m, unlimited]}", "plans.free[1]", "unlimited",
						"is no threshold", "one word alone"),
				wrong("window of a plan", planned + "{free: 5/1M}", "plans.free", "5/1M", "has an unknown unit",
						"such as 500ms"),
				wrong("part of a long threshold", planned + "{free: [{threshold: 5}]}", "plans.free[0].window", "",
						"is missing", "both threshold and window"),
				wrong("one window twice", planned + "{free: '5/1m, 6/60s'}", "plans.free", "6/1m",
						"repeats the window 1m", "one threshold per window"),
				wrong("burst of a log", planned + "{free: [{threshold: 5, window: 1m, burst: 9}]}",
						"plans.free[0].burst", "9", "does not go with algorithm sliding-window-log",
						"Use algorithm token-bucket"),
				wrong("too large for a log", planned + "{free: 5/1m, paid: 1000001/1s}", "plans.paid", "1000001/1s",
						"is too large for a log", "at most 1000000"),
				wrong("plan below a plan", planned + "{free: {thresholds: 5/1m}}", "plans.free.thresholds", "5/1m",
						"belongs to no key", "right beside it what it gets, such as free: 200/1m"),
				wrong("misspelt part of a threshold", planned + "{free: [{threshold: 5, window: 1m, windw: 1m}]}",
						"plans.free[0].windw", "1m", "belongs to no key", "Did you mean window?"),
				wrong("plans as one text", "plans: free", "plans", "free", "belongs to no key", "Write a map"),
				wrong("plan with a dot", planned + "{free.trial: 5/1m}", "plans.free.trial", "5/1m",
						"belongs to no key", "lower-case letters, digits and dashes"),
				wrong("key that is the same for all", "plan-key: global\nplans: {free: 5/1m}", "plan-key", "global",
						"names no plan", "header:NAME"),
				wrong("key that is an address", "plan-key: ip\nplans: {free: 5/1m}", "plan-key", "ip", "names no plan",
						"header:NAME"),
				wrong("key that is no source", "plan-key: X-Plan\nplans: {free: 5/1m}", "plan-key", "X-Plan",
						"is no key source", "header:NAME"),
				wrong("key as a list", "plan-key: [session]", "plan-key[0]", "session", "belongs to no key",
						"Write one value for plan-key"),
				wrong("variable that the path lacks", "plan-key: path:plan\nplans: {free: 5/1m}", "plan-key",
						"path:plan", "names a variable that the path /login does not have", "Write {plan}"),
				wrong("principal before security", """
						stage: before-security
						plan-key: principal
						plans: {free: 5/1m}""", "stage", "before-security", "does not go with plan-key principal",
						"Use stage after-security"));
	}

	static Stream<Wrong> overrides() {
		String keyed = "key: header:X-Api-Key\noverrides: ";
		return Stream.of(
				wrong("override without key", keyed + "[{thresholds: 5/1m}]", "overrides[0].key", "", "is missing",
						"Write both key and thresholds"),
				wrong("override without thresholds", keyed + "[{key: a, thresholds: 5/1m}, {key: b}]",
						"overrides[1].thresholds", "", "is missing", "Write both key and thresholds"),
				wrong("empty key", keyed + "[{key: , thresholds: 5/1m}]", "overrides[0].key", "", "is empty",
						"Give it a value"),
				wrong("empty thresholds", keyed + "[{key: a, thresholds: }]", "overrides[0].thresholds", "", "is empty",
						"Give it a value"),
				wrong("misspelt word", keyed + "[{key: a, thresholds: block}]", "overrides[0].thresholds", "block",
						"is no threshold", "unlimited or blocked"),
				wrong("doubled key", keyed + "[{key: a, thresholds: 5/1m}, {key: a, thresholds: 6/1m}]",
						"overrides[1].key", "******", "has an override already", "one override per customer"),
				wrong("two values for one source", keyed + "[{key: [a, b], thresholds: 5/1m}]", "overrides[0].key",
						"******", "has 2 values, but the key of the rule has 1",
						"one value for each of header:X-Api-Key"),
				wrong("one value for two sources", "key: ip, session\noverrides: [{key: a, thresholds: 5/1m}]",
						"overrides[0].key", "******", "has 1 values, but the key of the rule has 2",
						"one value for each of ip, session"),
				wrong("override where all are counted together", "key: global\noverrides: [{key: a, thresholds: 5/1m}]",
						"overrides[0].key", "a", "names a client, but the rule counts all together",
						"Remove the override"),
				wrong("threshold of another algorithm",
						"""
								key: session
								algorithm: token-bucket
								overrides: [{key: a, thresholds: 5/1m, 9/1h}, {key: b, thresholds: 1000001/1s}]"""
							.replace("5/1m, 9/1h", "'5/1m, 9/1h'"),
						"overrides[1].thresholds", "1000001/1s", "is more than one permit per microsecond",
						"at most 1000000/1s"),
				wrong("misspelt part", keyed + "[{key: a, thresholds: 5/1m, treshold: 5}]", "overrides[0].treshold",
						"5", "belongs to no key", "Did you mean thresholds?"),
				wrong("misspelt part of a threshold",
						keyed + "[{key: a, thresholds: [{threshold: 5, window: 1m, windw: 1m}]}]",
						"overrides[0].thresholds[0].windw", "1m", "belongs to no key", "Did you mean window?"),
				wrong("overrides as a map", keyed + "{acme: 5/1m}", "overrides.acme", "5/1m", "belongs to no key",
						"Write a list, also of one: - key:"),
				wrong("overrides as texts", keyed + "[acme]", "overrides[0]", "******", "belongs to no key",
						"Write a list, also of one: - key:"),
				wrong("no override", keyed + "[]", "overrides", "", "is empty", "Write a list"));
	}

	@ParameterizedTest
	@MethodSource({ "costs", "outcomes", "plans", "overrides" })
	void aWrongSettingStopsTheStartWithItsReason(Wrong wrong) {
		WrongRulesTests.assertStopsTheStart(wrong);
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
	void twoSpellingsOfAPlanInOneSourceStopTheStart() {
		assertThat(TestSources.yaml("""
				ratelimit.rules.a:
				  thresholds: 1/s
				  plan-key: session
				  plans: {big-paid: 5/1m, bigpaid: 6/1m}
				""").problems()).first().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.a.plans.bigpaid");
			assertThat(problem.reason()).isEqualTo("is a second spelling of the plan 'big-paid' in one source");
		});
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

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "plans: {free: 5/1m} | ratelimit.defaults.plans.free",
			"overrides: [{key: a, thresholds: 5/1m}] | ratelimit.defaults.overrides[0].key" })
	void plansAndOverridesAreNoDefaults(String key, String property) {
		assertThat(TestSources.yaml("ratelimit.defaults: {" + key + "}").problems()).first().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo(property);
			assertThat(problem.cure()).contains("The keys here are enabled, key");
		});
	}

	@Test
	void aWrongDefaultIsReportedOnce() {
		assertThat(TestSources.yaml("""
				ratelimit:
				  defaults: {cost: 0, count-on: "always, 402", when: , plan-key: ip, shadow: maybe}
				  rules:
				    one: {thresholds: 1/s}
				    two: {thresholds: 1/s, plans: {free: 2/s}}
				""").problems()).extracting(Problem::property)
			.containsExactlyInAnyOrder("ratelimit.defaults.cost", "ratelimit.defaults.count-on",
					"ratelimit.defaults.when", "ratelimit.defaults.plan-key", "ratelimit.defaults.shadow");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "count-on: failure, count-rejected: true | count-on", "mode: leased, count-on: failure | mode",
					"mode: synced, count-on: failure | mode", "mode: leased, count-rejected: true | mode",
					"mode: leased, on-limit: delay | on-limit", "scope: everywhere, count-on: 402 | scope",
					"stage: before-security, on-limit: enqueue | on-limit" })
	void defaultsThatContradictEachOtherStopTheStart(String defaults, String key) {
		assertThat(TestSources.yaml("""
				ratelimit:
				  defaults: {%s}
				  rules.a: {thresholds: 1/s}
				""".formatted(defaults)).problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.defaults." + key);
			assertThat(problem.reason()).startsWith("does not go with ").doesNotContain("algorithm");
			assertThat(problem.origin().orElseThrow().toString()).contains("application-1.yml] - 2:");
		});
	}

	@Test
	void allProblemsAreNamedAtOnceEachWithItsPlace() {
		List<Problem> problems = TestSources.yaml("""
				ratelimit.rules.a:
				  thresholds: 1/s
				  cost: -5
				  count-on: fail
				  when:
				  plan-key: global
				  plans:
				    free:
				    Paid: 5/1m
				    staff: unlimited
				  overrides:
				    - thresholds: 5/1m
				    - key: 10.0.0.1
				      thresholds: 0/1m
				  shadow: maybe
				""").problems();
		assertThat(problems)
			.extracting((problem) -> problem.property().substring("ratelimit.rules.a.".length()) + " "
					+ problem.origin().orElseThrow().toString().replaceAll(".* - (\\d+):\\d+$", "$1"))
			.containsExactlyInAnyOrder("cost 3", "count-on 4", "when 5", "plan-key 6", "plans.free 8", "plans.Paid 9",
					"overrides[0].key 12", "overrides[1].thresholds 14", "shadow 15");
	}

}
