package dev.ratelimit.web;

import java.util.List;
import java.util.Map;

import dev.ratelimit.fixture.HandledLater;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.web.RequestNeeds.Identity;
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

	private static RequestNeeds reading(Identity reads, Identity mayRead) {
		return new RequestNeeds(reads, mayRead, false, false);
	}

	@Test
	void theUserIsReadByNameOrByClaim() {
		assertThat(needs(rule("principal").key("principal"))).isEqualTo(reading(Identity.USER, Identity.USER));
		assertThat(needs(rule("claim").key("claim:tenant"))).isEqualTo(reading(Identity.USER, Identity.USER));
	}

	@Test
	void theSessionIsReadOfEveryRequestWhereItComesFirst() {
		assertThat(needs(rule("session").key("session"))).isEqualTo(reading(Identity.SESSION, Identity.SESSION));
	}

	@Test
	void whatDependsOnMoreThanTheMatchMayBeRead() {
		assertThat(needs(rule("part").key("header:X-Key", "session")))
			.isEqualTo(reading(Identity.NONE, Identity.SESSION));
		assertThat(needs(rule("two").key("principal", "session"))).isEqualTo(reading(Identity.USER, Identity.ALL));
		assertThat(needs(rule("plan").plans(Plans.by("claim:plan", Map.of("staff", Allowance.UNLIMITED)))))
			.isEqualTo(reading(Identity.NONE, Identity.USER));
		assertThat(needs(rule("condition").key("session").when("method == 'POST'")))
			.isEqualTo(reading(Identity.NONE, Identity.ALL));
	}

	@Test
	void aBeanMayReadAll() {
		RequestNeeds all = reading(Identity.NONE, Identity.ALL);
		assertThat(needs(rule("key").key("bean:tenant"))).isEqualTo(all);
		assertThat(needs(rule("part").key("header:X-Key", "bean:tenant"))).isEqualTo(all);
		assertThat(needs(rule("cost").cost("bean:pages"))).isEqualTo(all);
		assertThat(needs(rule("condition").when("bean:night"))).isEqualTo(all);
		assertThat(needs(rule("plan").plans(Plans.by("bean:plan", Map.of("staff", Allowance.UNLIMITED)))))
			.isEqualTo(all);
	}

	@Test
	void whatHappensAtTheLimitAndWhichOutcomesCountIsKnownToo() {
		assertThat(needs(byLog().onLimit(OnLimit.DELAY)))
			.isEqualTo(new RequestNeeds(Identity.NONE, Identity.NONE, true, false));
		assertThat(needs(byLog().onLimit(new HandledLater()))).isEqualTo(RequestNeeds.NONE);
		assertThat(needs(rule("failures").countOn("failure")))
			.isEqualTo(new RequestNeeds(Identity.NONE, Identity.NONE, false, true));
	}

	@Test
	void aRuleSetNeedsWhatItsRulesNeed() {
		List<CompiledRule> rules = List
			.of(rule("ip"), rule("session").key("session"), rule("cost").cost("bean:pages"),
					byLog().onLimit(OnLimit.DELAY))
			.stream()
			.map((rule) -> CompiledRule.of(rule.build(), 64, false))
			.toList();
		assertThat(RequestNeeds.of(rules)).isEqualTo(new RequestNeeds(Identity.SESSION, Identity.ALL, true, false));
		assertThat(RequestNeeds.of(rules.subList(0, 1))).isEqualTo(RequestNeeds.NONE);
	}

}
