package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is decided without a store, and what is decided but not enforced.
 */
@ParameterizedClass
@EnumSource
class RequestLimiterPolicyTests {

	@Parameter
	private Caller caller;

	private static final String CLIENT = "1.2.3.4";

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingListener listener = new RecordingListener();

	private final RequestLimiter limiter = TestLimiter.over(this.store, this.clock).listener(this.listener).build();

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).thresholds("1/1m");
	}

	private static RLConfigBuilder rule(String id, Allowance allowance) {
		return rule(id).overrides(List.of(new KeyOverride(List.of(CLIENT), allowance)));
	}

	private RequestDecision decide(RLConfigBuilder... rules) {
		return this.caller.obtain(this.limiter.decide(Stream.of(rules)
			.map((rule) -> this.subjects.byKey(CompiledRule.of(rule.build(), 64, false), List.of(CLIENT),
					Optional.empty(), 1))
			.toList(), this.limiter.newBudget()));
	}

	private static List<RateLimitDecision> decisions(RequestDecision decision) {
		return decision.decided().stream().map(RuleDecision::decision).toList();
	}

	@Test
	void anUnlimitedClientPassesWithoutAnyCallOfTheStore() {
		RequestDecision decision = decide(rule("r", Allowance.UNLIMITED));
		assertThat(decisions(decision)).containsExactly(new Allowed("r", Source.NONE, List.of()));
		assertThat(decision.isAdmitted()).isTrue();
		assertThat(decision.permits()).isEmpty();
		assertThat(this.store.acquired()).isEmpty();
		assertThat(this.listener.events()).containsExactly("r ALLOWED by NONE");
	}

	@Test
	void aClientUnlimitedByOneRuleIsStillCountedByTheOthers() {
		decide(rule("free", Allowance.UNLIMITED), rule("r"));
		RequestDecision decision = decide(rule("free", Allowance.UNLIMITED), rule("r"));
		assertThat(decision.refusals()).extracting(RateLimitDecision::rule).containsExactly("r");
		assertThat(this.store.released()).isEmpty();
		assertThat(this.listener.events()).endsWith("free RELEASED by NONE", "r REJECTED by STORE");
	}

	@Test
	void aBlockedClientIsRefusedWithoutAnyCallOfTheStoreDespiteOtherRules() {
		RequestDecision decision = decide(rule("other"), rule("r", Allowance.BLOCKED),
				rule("free", Allowance.UNLIMITED));
		assertThat(decision.refusals()).containsExactly(new Rejected("r", Source.NONE, List.of()));
		assertThat(((Rejected) decision.refusals().get(0)).retryAfter()).isEmpty();
		assertThat(this.store.acquired()).isEmpty();
		assertThat(this.listener.events()).containsExactly("r REJECTED by NONE");
	}

	@Test
	void allRulesThatBlockAreNamed() {
		assertThat(decide(rule("a", Allowance.BLOCKED), rule("b", Allowance.BLOCKED)).refusals())
			.extracting(RateLimitDecision::rule)
			.containsExactly("a", "b");
	}

	@Test
	void aRuleInShadowCountsAndReportsButRefusesNothing() {
		decide(rule("r").shadow(true));
		RequestDecision decision = decide(rule("r").shadow(true));
		assertThat(decision.isAdmitted()).isTrue();
		assertThat(decision.refusals()).isEmpty();
		assertThat(decisions(decision)).singleElement().isInstanceOf(Rejected.class);
		assertThat(this.listener.events()).containsExactly("r ALLOWED by STORE", "r REJECTED by STORE");
	}

	@Test
	void aRefusalInShadowReleasesNoPermitsOfOtherRules() {
		decide(rule("shadow").shadow(true));
		RequestDecision decision = decide(rule("shadow").shadow(true), rule("r"));
		assertThat(decision.isAdmitted()).isTrue();
		assertThat(decision.permits()).extracting((permit) -> permit.rule().id()).containsExactly("r");
		assertThat(this.store.released()).isEmpty();
		assertThat(decide(rule("r")).isAdmitted()).isFalse();
	}

	@Test
	void aRefusalReleasesThePermitsOfARuleInShadow() {
		decide(rule("r"));
		assertThat(decide(rule("shadow").shadow(true), rule("r")).isAdmitted()).isFalse();
		assertThat(this.store.released()).containsExactly("shadow");
		assertThat(this.listener.events()).endsWith("shadow released", "shadow RELEASED by STORE",
				"r REJECTED by STORE");
	}

	@Test
	void aClientBlockedInShadowPassesAndTheOtherRulesDecide() {
		RequestDecision decision = decide(rule("shadow", Allowance.BLOCKED).shadow(true), rule("r"));
		assertThat(decision.isAdmitted()).isTrue();
		assertThat(this.listener.events()).containsExactly("shadow REJECTED by NONE", "r ALLOWED by STORE");
	}

	@Test
	void aRuleInShadowRefusesNothingWhileTheStoreIsAway() {
		this.store.failFor("shadow");
		RequestDecision decision = decide(rule("shadow").shadow(true).onStoreFailure(OnStoreFailure.DENY), rule("r"));
		assertThat(decision.isAdmitted()).isTrue();
		assertThat(decisions(decision).get(0)).isInstanceOf(Unavailable.class);
		assertThat(this.store.released()).isEmpty();
	}

}
