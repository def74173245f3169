package dev.ratelimit.rule.lint;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Heap;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleWarning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class RuleLintTests {

	private static List<String> noModule(RLConfig rule, RuleWarning name) {
		return List.of();
	}

	/** CONF-037. */
	@Test
	void aConfigurationWithoutRulesIsReported() {
		assertThat(warnings()).singleElement().asString().contains("There are no rate limit rules");
	}

	@Test
	void aConfigurationWithOnlyDisabledRulesIsReported() {
		assertThat(warnings(RLConfig.builder("a").enabled(false).thresholds("1/s"))).singleElement()
			.asString()
			.contains("All rate limit rules are disabled");
	}

	/** CONF-019 is the first. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "100/1s, 50/10s | 100/1s | 50/10s", "100/1s, 100/10s | 100/1s | 100/10s",
					"1000/10s, 10/1s | 1000/10s | 10/1s", "1000/10s, 100/1s | 1000/10s | 100/1s",
					"30/2500ms, 10/1s | 30/2500ms | 10/1s", "5/1s, 100/1m, 200/60001ms | 200/60001ms | 100/1m" })
	void aThresholdThatCanNeverBeReachedIsReported(String thresholds, String pointless, String because) {
		assertThat(warnings(RLConfig.builder("a").thresholds(split(thresholds))))
			.anyMatch((warning) -> warning.contains("Rule 'a'") && warning.contains("threshold " + pointless)
					&& warning.contains("because " + because));
	}

	@ParameterizedTest
	@ValueSource(strings = { "500/2s, 2000/10s, 10000/60s", "500/2s, 1000/5s", "400/3s, 1100/10s", "100/1s, 999/10s",
			"29/2500ms, 10/1s", "1/1ms, 1000000/400d", "999999/1ms, 1000000/400d" })
	void thresholdsThatCanAllBeReachedAreNotReported(String thresholds) {
		assertThat(warnings(RLConfig.builder("a").thresholds(split(thresholds)))).isEmpty();
	}

	@Test
	void refusedRequestsThatCountCanReachALongerThreshold() {
		assertThat(warnings(RLConfig.builder("a").countRejected(true).thresholds("100/1s", "1000/10s"))).isEmpty();
		assertThat(warnings(RLConfig.builder("a").countRejected(true).thresholds("100/1s", "50/10s"))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-Api-Key", "cookie:id", "query:q", "path:id", "session" })
	void aKeyThatClientsChooseWithoutAnOuterRuleIsReported(String key) {
		assertThat(warnings(inner().key(key))).singleElement()
			.asString()
			.contains("Rule 'inner'", key, "clients choose freely", "counts by ip, principal or global");
	}

	@Test
	void aPrincipalWithoutSpringSecurityIsReported() {
		RuleSet rules = new RuleSet(List.of(RLConfig.builder("a").key("principal").thresholds("1/s").build(),
				RLConfig.builder("b")
					.plans(Plans.by("principal", Map.of("staff", Allowance.UNLIMITED)))
					.thresholds("1/s")
					.build()));
		assertThat(RuleLint.warnings(rules, DataSize.ofMegabytes(1), false, RuleLintTests::noModule)).singleElement()
			.asString()
			.startsWith("Rules that count by principal, or take the plan from it: 'a', 'b'. Spring Security does not");
		assertThat(RuleLint.warnings(rules, DataSize.ofMegabytes(1), true, RuleLintTests::noModule)).isEmpty();
	}

	@Test
	void warningsOfOneKindAreCombinedIntoOneLine() {
		assertThat(warnings(RLConfig.builder("a").paths("/a/{id}").key("path:id").thresholds("1/s"),
				RLConfig.builder("b").paths("/b").key("header:X", "query:q").thresholds("1/s"),
				RLConfig.builder("c").paths("/c").thresholds("1/s")))
			.singleElement()
			.asString()
			.startsWith("Rules 'a' (path:id), 'b' (header:X, query:q) each count by")
			.contains("clients choose freely", "counts by ip, principal or global");
	}

	@ParameterizedTest
	@CsvSource({ "header:X, failure, true", "path:id, 402, true", "header:X, always, false", "session, failure, false",
			"ip, failure, false", "principal, failure, false" })
	void anOutcomeRuleWhosePermitsAnyClientCanHoldIsReported(String key, String countOn, boolean reported) {
		assertThat(warnings(RLConfig.builder("outer").paths("/**").thresholds("100/s"),
				RLConfig.builder("inner").paths("/a/{id}").key(key).countOn(countOn).thresholds("1/s")))
			.hasSize(reported ? 1 : 0)
			.allMatch((warning) -> warning.startsWith("Rule 'inner' counts by " + key)
					&& warning.contains("in flight holds a permit") && warning.contains("Add ip or principal"));
	}

	@Test
	void aKeyWithAPartThatClientsCannotChooseIsNotReported() {
		assertThat(warnings(inner().key("principal", "header:X"))).isEmpty();
	}

	@Test
	void aRuleWithoutPathsIsNotReported() {
		assertThat(warnings(RLConfig.builder("a").key("header:X").thresholds("1/s"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/v1/{id}/x", "/v1/{other}/x", "/v1/*/x", "/v1/**", "/**", "/v1/{*rest}", "/v1/{id}/**" })
	void anOuterRuleMayCoverMore(String path) {
		assertThat(warnings(inner(), outer().paths(path))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/v1/{id}/y", "/v1/{id}", "/v2/**", "/v1/{id:[0-9]{1,9}}/x", "/v1/{id}/x/**" })
	void aRuleOverOtherPathsIsNoOuterRule(String path) {
		assertThat(warnings(inner(), outer().paths(path))).hasSize(1);
	}

	@Test
	void anOuterRuleCoversTheMethods() {
		assertThat(warnings(inner().methods("GET"), outer().methods("GET", "PUT"))).isEmpty();
		assertThat(warnings(inner().methods("HEAD"), outer().methods("GET"))).isEmpty();
		assertThat(warnings(inner().methods("GET", "POST"), outer().methods("GET"))).hasSize(1);
		assertThat(warnings(inner(), outer().methods("GET"))).hasSize(1);
	}

	@Test
	void anOuterRuleIsEnabledAndHasAnotherKey() {
		assertThat(warnings(inner(), outer().enabled(false))).hasSize(1);
		assertThat(warnings(inner(), outer().key("ip", "header:X"))).hasSize(1);
		assertThat(warnings(inner(), outer().key("bean:who"))).isEmpty();
	}

	@Test
	void anOuterRuleIsEnforcedOnEveryRequest() {
		assertThat(warnings(inner(), outer().shadow(true))).hasSize(1);
		assertThat(warnings(inner(), outer().when("bean:sometimes"))).hasSize(1);
		assertThat(warnings(inner(), outer().countOn("failure"))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-Plan", "cookie:plan", "query:plan", "path:id" })
	void aPlanThatClientsChooseIsReported(String key) {
		assertThat(warnings(outer().plans(Plans.by(key, Map.of("paid", Allowance.UNLIMITED))))).singleElement()
			.asString()
			.contains("Rule 'outer'", key, "anybody can claim any plan", "a gateway sets it");
	}

	@ParameterizedTest
	@ValueSource(strings = { "principal", "session", "bean:plan" })
	void aPlanThatTheApplicationDeterminesIsNotReported(String key) {
		assertThat(warnings(outer().plans(Plans.by(key, Map.of("paid", Allowance.UNLIMITED))))).isEmpty();
	}

	@Test
	void anOverrideForAnApiKeyIsNotReported() {
		assertThat(warnings(outer().key("header:X-Api-Key", "ip")
			.overrides(List.of(new KeyOverride(List.of("acme", "10.0.0.1"), Allowance.UNLIMITED))))).isEmpty();
	}

	@Test
	void moreWindowsOfPlansThanAKeyStoresAreReported() {
		assertThat(warnings(outer().plans(Plans.by("principal", plansWithDifferentWindows(8))))).isEmpty();
		assertThat(warnings(outer().plans(Plans.by("principal", plansWithDifferentWindows(9))))).singleElement()
			.asString()
			.contains("Rule 'outer'", "10 different windows", "at most 8", "the same windows");
	}

	private static Map<String, Allowance> plansWithDifferentWindows(int size) {
		return IntStream.rangeClosed(1, size)
			.boxed()
			.collect(Collectors.toMap((i) -> "p" + i,
					(i) -> new Allowance.Limited(List.of(RLThreshold.valueOf("9/" + (100 + i) + "s")))));
	}

	@Test
	void pointlessThresholdsOfPlansAndOverridesAreReported() {
		Allowance pointless = new Allowance.Limited(
				List.of(RLThreshold.valueOf("100/1s"), RLThreshold.valueOf("50/10s")));
		assertThat(warnings(outer().plans(Plans.by("principal", Map.of("paid", pointless)))
			.overrides(List.of(new KeyOverride(List.of("10.0.0.1"), Allowance.BLOCKED),
					new KeyOverride(List.of("10.0.0.2"), pointless)))))
			.satisfiesExactly((plan) -> assertThat(plan).contains("threshold 100/1s in plans.paid", "because 50/10s"),
					(override) -> assertThat(override).contains("100/1s in overrides[1].thresholds"));
	}

	static Stream<Arguments> ofOneRule() {
		Allowance few = new Allowance.Limited(List.of(RLThreshold.valueOf("1/s")));
		return Stream.of(
				arguments(RuleWarning.POINTLESS_THRESHOLD, RLConfig.builder("a").thresholds("100/1s", "50/10s")),
				arguments(RuleWarning.LOG_MEMORY, RLConfig.builder("a").thresholds("999999/1h")),
				arguments(RuleWarning.CLIENT_CHOSEN_PLAN, outer().plans(Plans.by("query:p", Map.of("paid", few)))),
				arguments(RuleWarning.PLAN_WINDOWS, outer().plans(Plans.by("session", plansWithDifferentWindows(9)))),
				arguments(RuleWarning.FAIL_OPEN_LOGIN,
						RLConfig.builder("login").onStoreFailure(OnStoreFailure.ALLOW).thresholds("1/s")),
				arguments(RuleWarning.NO_AUTHENTICATION, RLConfig.builder("a").key("principal").thresholds("1/s")),
				arguments(RuleWarning.CLIENT_CHOSEN_KEY, inner()));
	}

	@ParameterizedTest
	@MethodSource("ofOneRule")
	void anAcknowledgedWarningIsNotReported(RuleWarning name, RLConfigBuilder rule) {
		DataSize logMemory = DataSize.ofMegabytes(1);
		RuleWarning[] others = Arrays.stream(RuleWarning.values())
			.filter((other) -> other != name)
			.toArray(RuleWarning[]::new);
		RuleSet unread = new RuleSet(List.of(rule.acknowledge(others).build()));
		assertThat(RuleLint.warnings(unread, logMemory, false, RuleLintTests::noModule)).hasSize(1);
		RuleSet read = new RuleSet(List.of(rule.acknowledge(name).build()));
		assertThat(RuleLint.warnings(read, logMemory, false, RuleLintTests::noModule)).isEmpty();
	}

	@Test
	void warningsThatConcernOtherRulesTooAreReportedWithoutTheRuleThatAcknowledgesThem() {
		RLConfigBuilder one = RLConfig.builder("a").paths("/a").key("header:X").thresholds("2/s");
		RLConfigBuilder other = RLConfig.builder("b").paths("/b").key("header:X").thresholds("2/s");
		assertThat(warnings(one, other)).singleElement().asString().startsWith("Rules 'a' (header:X), 'b'");
		assertThat(warnings(one.acknowledge(RuleWarning.CLIENT_CHOSEN_KEY), other)).singleElement()
			.asString()
			.startsWith("Rule 'b' counts by header:X");
		RLConfigBuilder outer = RLConfig.builder("outer").paths("/**").thresholds("1/s");
		assertThat(warnings(outer, one.acknowledge().countOn("failure"))).singleElement()
			.asString()
			.contains("in flight holds a permit");
		assertThat(warnings(outer, one.acknowledge(RuleWarning.CLIENT_HELD_PERMITS))).isEmpty();
	}

	private static RLConfigBuilder inner() {
		return RLConfig.builder("inner").paths("/v1/{id}/x").key("path:id").thresholds("1/s");
	}

	private static RLConfigBuilder outer() {
		return RLConfig.builder("outer").paths("/v1/{id}/x").key("ip").thresholds("1/s");
	}

	private static String[] split(String thresholds) {
		return thresholds.split(", ");
	}

	@Test
	void warningsOfModulesAreReportedUnlessTheyAreAcknowledged() {
		RLConfigBuilder rule = RLConfig.builder("shop").paths("/shop").thresholds("5/1m");
		assertThat(ofModules(rule)).containsExactly("shop NO_PEERS");
		assertThat(ofModules(rule.acknowledge(RuleWarning.NO_PEERS))).isEmpty();
	}

	private static List<String> ofModules(RLConfigBuilder rule) {
		return RuleLint.warnings(new RuleSet(List.of(rule.build())), DataSize.ofMegabytes(1), true,
				(checked, name) -> (name == RuleWarning.NO_PEERS) ? List.of(checked.id() + " " + name) : List.of());
	}

	private static List<String> warnings(RLConfigBuilder... rules) {
		return RuleLint.warnings(new RuleSet(Arrays.stream(rules).map(RLConfigBuilder::build).toList()),
				DataSize.ofTerabytes(1));
	}

	// Comparing each rule with all others would take four times the work.
	@ParameterizedTest
	@CsvSource({ "ip, /%d/**", "header:X-Tenant, /api/{tenant}/%d" })
	void twiceAsManyRulesTakeTwiceTheWork(String key, String path) {
		RuleSet few = rules(200, key, path);
		RuleSet many = rules(400, key, path);
		assertThat((double) bytesOf(many) / bytesOf(few)).isLessThan(2.5);
	}

	private static RuleSet rules(int number, String key, String path) {
		return new RuleSet(IntStream.range(0, number)
			.mapToObj((i) -> RLConfig.builder("r" + i).key(key).paths(path.formatted(i)).thresholds("5/1m").build())
			.toList());
	}

	private static long bytesOf(RuleSet rules) {
		return Heap.bytesOfOne(() -> RuleLint.warnings(rules, DataSize.ofMegabytes(1)));
	}

}
