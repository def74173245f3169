package dev.ratelimit.actuate.insight;

import java.util.List;
import java.util.Map;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.fixture.RuleRequests;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was decided, rule by rule.
 */
class DecisionTotalsTests {

	private static final Map<String, Long> NONE = Map.of("allowed", 0L, "rejected", 0L, "delayed", 0L, "released", 0L,
			"skipped", 0L, "enqueued", 0L);

	private final DecisionTotals totals = new DecisionTotals();

	private void decide(String rule, Outcome outcome) {
		RateLimitDecision decision = new RateLimitDecision.Allowed(rule, RateLimitDecision.Source.STORE, List.of());
		this.totals.decided(RuleRequests.any(), decision, outcome, 1);
	}

	@Test
	void everyOutcomeIsCountedByItself() {
		decide("a", Outcome.ALLOWED);
		decide("a", Outcome.ALLOWED);
		decide("a", Outcome.RELEASED);
		decide("b", Outcome.REJECTED);
		this.totals.undecided("a", Outcome.SKIPPED);
		assertThat(this.totals.of("a")).isEqualTo(
				Map.of("allowed", 2L, "rejected", 0L, "delayed", 0L, "released", 1L, "skipped", 1L, "enqueued", 0L));
		assertThat(this.totals.of("b")).containsEntry("rejected", 1L);
		assertThat(this.totals.of("c")).isEqualTo(NONE);
	}

	@Test
	void theTotalsOfARemovedRuleAreDropped() {
		decide("a", Outcome.ALLOWED);
		decide("b", Outcome.ALLOWED);
		RuleSet rules = new RuleSet(List.of(RLConfig.builder("b").thresholds("1/1m").build()));
		this.totals.prepare(new CompiledRules(rules, 64, NamedRules.NONE)).run();
		assertThat(this.totals.of("a")).isEqualTo(NONE);
		assertThat(this.totals.of("b")).containsEntry("allowed", 1L);
	}

}
