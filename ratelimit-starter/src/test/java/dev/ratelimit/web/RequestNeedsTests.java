package dev.ratelimit.web;

import java.util.List;
import java.util.Map;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What rules need of requests, known before the first one.
 */
class RequestNeedsTests {

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("5/1m");
	}

	private static RLConfigBuilder byLog() {
		return rule("log").algorithm(Algorithm.SLIDING_WINDOW_LOG);
	}

	private static RequestNeeds needs(RLConfigBuilder rule) {
		return RequestNeeds.of(rule.build());
	}

	@Test
	void mostRulesNeedOnlyTheLineAndTheHeaders() {
		assertThat(needs(rule("ip"))).isEqualTo(RequestNeeds.NONE);
		assertThat(needs(rule("header").key("header:X-Key"))).isEqualTo(RequestNeeds.NONE);
	}

	@Test
	void theUserIsNeededByNameOrByClaim() {
		RequestNeeds user = new RequestNeeds(true, false, false, false);
		assertThat(needs(rule("principal").key("principal"))).isEqualTo(user);
		assertThat(needs(rule("claim").key("claim:tenant"))).isEqualTo(user);
		assertThat(needs(rule("two").key("principal", "session"))).isEqualTo(user);
	}

	@Test
	void theSessionIsNeededWhereItIsReadOfEveryRequest() {
		assertThat(needs(rule("session").key("session"))).isEqualTo(new RequestNeeds(false, true, false, false));
	}

	@Test
	void whatDependsOnMoreThanTheMatchIsReadWhenItIsUsed() {
		assertThat(needs(rule("condition").key("session").when("method == 'POST'"))).isEqualTo(RequestNeeds.NONE);
		assertThat(needs(rule("part").key("header:X-Key", "session"))).isEqualTo(RequestNeeds.NONE);
		assertThat(needs(rule("plan").plans(Plans.by("session", Map.of("staff", Allowance.UNLIMITED)))))
			.isEqualTo(RequestNeeds.NONE);
	}

	@Test
	void whatHappensAtTheLimitAndWhichOutcomesCountIsKnownToo() {
		assertThat(needs(byLog().onLimit(OnLimit.DELAY))).isEqualTo(new RequestNeeds(false, false, true, false));
		assertThat(needs(byLog().onLimit(OnLimit.ENQUEUE))).isEqualTo(RequestNeeds.NONE);
		assertThat(needs(rule("failures").countOn("failure"))).isEqualTo(new RequestNeeds(false, false, false, true));
	}

	@Test
	void aRuleSetNeedsWhatItsRulesNeed() {
		List<CompiledRule> rules = List.of(rule("ip"), rule("session").key("session"), byLog().onLimit(OnLimit.DELAY))
			.stream()
			.map((rule) -> CompiledRule.of(rule.build(), 64, false))
			.toList();
		assertThat(RequestNeeds.of(rules)).isEqualTo(new RequestNeeds(false, true, true, false));
		assertThat(RequestNeeds.of(rules.subList(0, 1))).isEqualTo(RequestNeeds.NONE);
	}

}
