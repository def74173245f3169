package dev.ratelimit.limiter.refusal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Heap;
import dev.ratelimit.fixture.OtherScope;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FinalRefusalsTests {

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).thresholds("5/1m", "9/1h");
	}

	private static boolean isFinal(RLConfigBuilder rule, RLConfigBuilder... others) {
		return isFinal(NamedRules.NONE, rule, others);
	}

	private static boolean isFinal(NamedRules named, RLConfigBuilder rule, RLConfigBuilder... others) {
		RLConfig config = rule.build();
		List<RLConfig> all = Stream.concat(Stream.of(config), Stream.of(others).map(RLConfigBuilder::build)).toList();
		return new FinalRefusals(new RuleSet(all), named).areFinalFor(config);
	}

	private static Allowance limited(String... thresholds) {
		return new Allowance.Limited(Stream.of(thresholds).map(RLThreshold::valueOf).toList());
	}

	@Test
	void refusalsOfARuleThatIsAloneAreFinal() {
		for (Algorithm algorithm : Algorithm.values()) {
			assertThat(isFinal(rule("r").algorithm(algorithm).paths("/**"))).as(algorithm.name()).isTrue();
		}
	}

	@Test
	void refusalsAreNotFinalWhereARetryExtendsTheWait() {
		assertThat(isFinal(rule("r").countRejected(true))).isFalse();
	}

	@Test
	void refusalsAreNotFinalWhereAWaitingRequestMayLeave() {
		assertThat(isFinal(rule("r").onLimit(OnLimit.DELAY))).isFalse();
	}

	@Test
	void refusalsAreNotFinalWhereTheOutcomeReleasesPermits() {
		assertThat(isFinal(rule("r").countOn(CountOn.valueOf("failure")))).isFalse();
	}

	@Test
	void refusalsAreNotFinalInAScopeOfAModule() {
		assertThat(isFinal(rule("r").algorithm(Algorithm.FIXED_WINDOW).scope(OtherScope.ELSEWHERE))).isFalse();
	}

	@Test
	void refusalsOfARuleInShadowAreNotFinal() {
		assertThat(isFinal(rule("r").shadow(true))).isFalse();
	}

	@Test
	void anotherRuleOnTheSameRequestsReleasesPermits() {
		assertThat(isFinal(rule("r").paths("/a/**"), rule("other").paths("/a/b"))).isFalse();
		assertThat(isFinal(rule("r").paths("/a/b"), rule("other").paths("/a/**"))).isFalse();
	}

	@Test
	void rulesThatRefuseNothingReleaseNoPermits() {
		assertThat(isFinal(rule("r").paths("/a"), rule("other").paths("/a").shadow(true))).isTrue();
		assertThat(isFinal(rule("r").paths("/a"), rule("other").paths("/a").enabled(false))).isTrue();
	}

	@Test
	void rulesOfOtherRequestsDoNotMatter() {
		assertThat(isFinal(rule("r").paths("/a"), rule("other").paths("/b/**"))).isTrue();
		assertThat(isFinal(rule("r").paths("/a").methods("GET"), rule("other").paths("/a").methods("PUT", "POST")))
			.isTrue();
		assertThat(isFinal(rule("r").paths("/a").methods("GET"), rule("other").paths("/a").methods("HEAD")))
			.as("GET covers HEAD")
			.isFalse();
		assertThat(isFinal(rule("r").paths("/a").methods("HEAD"), rule("other").paths("/a").methods("GET"))).isFalse();
	}

	@Test
	void aRuleOnlyUsedByNameIsAlone() {
		assertThat(isFinal(rule("r"), rule("other").paths("/**"), rule("third"))).isTrue();
	}

	@Test
	void rulesThatCodeNamesTogetherMeet() {
		NamedRules atMethods = new NamedRules(List.of(), List.of(Set.of("r", "x"), Set.of("r"), Set.of("other")));
		assertThat(isFinal(atMethods, rule("r"), rule("other"), rule("by-path").paths("/**"))).isTrue();
		assertThat(isFinal(atMethods, rule("r"), rule("x"))).isFalse();
		NamedRules atHandlers = new NamedRules(List.of(Set.of("r"), Set.of("other"), Set.of("x", "y")), List.of());
		assertThat(isFinal(atHandlers, rule("r"), rule("other"))).isTrue();
		assertThat(isFinal(atHandlers, rule("x"), rule("y"))).isFalse();
	}

	@Test
	void aRuleThatAHandlerNamesMayMeetEveryRuleWithPaths() {
		NamedRules named = new NamedRules(List.of(Set.of("named")), List.of());
		assertThat(isFinal(named, rule("named"), rule("by-path").paths("/a"))).isFalse();
		assertThat(isFinal(named, rule("by-path").paths("/a"), rule("named"))).isFalse();
		assertThat(isFinal(named, rule("by-path").paths("/a"), rule("other").paths("/b"))).isTrue();
	}

	@Test
	void plansWithTheSameWindowsShareWhatIsCounted() {
		assertThat(isFinal(planned((rule) -> rule, limited("9/1h", "50/1m"), Allowance.BLOCKED))).isTrue();
		assertThat(isFinal(planned((rule) -> rule, limited("50/1m")))).as("drops the other window").isFalse();
		assertThat(isFinal(planned((rule) -> rule.algorithm(Algorithm.TOKEN_BUCKET), limited("50/1m", "99/1h"))))
			.as("fills the bucket faster")
			.isFalse();
		assertThat(isFinal(planned((rule) -> rule.algorithm(Algorithm.TOKEN_BUCKET), Allowance.UNLIMITED))).isTrue();
	}

	private static RLConfigBuilder planned(UnaryOperator<RLConfigBuilder> more, Allowance... plans) {
		Map<String, Allowance> byName = (plans.length == 1) ? Map.of("a", plans[0])
				: Map.of("a", plans[0], "b", plans[1]);
		return more.apply(rule("r").key("principal").plans(Plans.by("header:X-Plan", byName)));
	}

	@Test
	void anOverrideIsTheOnlyLimitOfItsSubject() {
		assertThat(isFinal(rule("r").algorithm(Algorithm.TOKEN_BUCKET)
			.overrides(List.of(new KeyOverride(List.of("1.2.3.4"), limited("50/2m")))))).isTrue();
	}

	/** Comparing each rule with all others would take four times the work. */
	@ParameterizedTest
	@ValueSource(strings = { "", "/%d/**", "/api/{tenant}/%d", "/{any}/%d/{id}" })
	void twiceAsManyRulesTakeTwiceTheWork(String path) {
		RuleSet few = rules(200, path);
		RuleSet many = rules(400, path);
		assertThat((double) bytesOf(many) / bytesOf(few)).isLessThan(2.5);
	}

	private static RuleSet rules(int number, String path) {
		return new RuleSet(IntStream.range(0, number)
			.mapToObj((i) -> (path.isEmpty() ? rule("r" + i) : rule("r" + i).paths(path.formatted(i))).build())
			.toList());
	}

	private static long bytesOf(RuleSet rules) {
		return Heap.bytesOfOne(() -> {
			FinalRefusals refusals = new FinalRefusals(rules, NamedRules.NONE);
			assertThat(rules.rules().stream().filter(refusals::areFinalFor).count()).isEqualTo(rules.rules().size());
		});
	}

}
