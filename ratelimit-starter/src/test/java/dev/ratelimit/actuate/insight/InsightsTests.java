package dev.ratelimit.actuate.insight;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is known of each rule after the limiter has decided.
 */
class InsightsTests {

	private final MovableClock clock = new MovableClock();

	private CompiledRules rules = rules(rule("a", "2/1m"), rule("b", "4/1m"));

	private final Insights insights = insights(this.rules, this.clock);

	private final RequestLimiter limiter = TestLimiter.over(new MemoryStore(this.clock), this.clock)
		.listener(DecisionListener.all(List.of(this.insights)))
		.build();

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private static Insights insights(CompiledRules rules, MovableClock clock) {
		Insights insights = new Insights(clock);
		insights.prepare(rules).run();
		return insights;
	}

	private static RLConfigBuilder rule(String id, String thresholds) {
		return RLConfig.builder(id).thresholds(thresholds);
	}

	private static CompiledRules rules(RLConfigBuilder... rules) {
		return new CompiledRules(set(rules), 64, NamedRules.NONE);
	}

	private static RuleSet set(RLConfigBuilder... rules) {
		return new RuleSet(Arrays.stream(rules).map(RLConfigBuilder::build).toList());
	}

	private void acquire(String address, String... rules) {
		List<RuleRequest> ruleRequests = Arrays.stream(rules)
			.map((id) -> this.subjects.byKey(find(id), List.of(address), Optional.empty(), 1))
			.toList();
		this.limiter.decide(ruleRequests, this.limiter.newBudget()).await();
	}

	private CompiledRule find(String id) {
		return this.rules.find(id).orElseThrow();
	}

	private void follow(RLConfigBuilder... rules) {
		this.rules = this.rules.followedBy(set(rules));
		this.insights.prepare(this.rules).run();
	}

	private HeaviestClients clients(String rule) {
		return this.insights.find(rule).orElseThrow();
	}

	private static HeavyClient heavy(String address, long requests, long refused) {
		return new HeavyClient(new Subject("i" + address), requests, 0, refused);
	}

	@Test
	void reportsTheHeaviestClientsOfEachRule() {
		for (String address : List.of("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.1")) {
			acquire(address, "a");
		}
		acquire("10.0.0.3", "b");
		assertThat(clients("a").heaviest(5)).containsExactly(heavy("10.0.0.1", 3, 1), heavy("10.0.0.2", 1, 0));
		assertThat(clients("b").heaviest(5)).containsExactly(heavy("10.0.0.3", 1, 0));
		assertThat(clients("a").heaviest(1)).hasSize(1);
	}

	@Test
	void requestsThatAnotherRuleRefusedAreNotRefusedByTheRule() {
		for (int i = 0; i < 4; i++) {
			acquire("10.0.0.1", "a", "b");
		}
		assertThat(clients("a").heaviest(1)).containsExactly(heavy("10.0.0.1", 4, 2));
		assertThat(clients("b").heaviest(1)).containsExactly(heavy("10.0.0.1", 4, 0));
	}

	@Test
	void aRuleInShadowCountsWhatItWouldHaveRefused() {
		follow(rule("a", "2/1m").shadow(true));
		for (int i = 0; i < 4; i++) {
			acquire("10.0.0.1", "a");
		}
		assertThat(clients("a").heaviest(1)).containsExactly(heavy("10.0.0.1", 4, 2));
	}

	@Test
	void aBlockedClientIsCounted() {
		follow(rule("a", "2/1m").overrides(List.of(new KeyOverride(List.of("10.0.0.1"), new Allowance.Blocked()))));
		acquire("10.0.0.1", "a");
		assertThat(clients("a").heaviest(1)).containsExactly(heavy("10.0.0.1", 1, 1));
	}

	@Test
	void unchangedRulesKeepTheirClientsAndOthersStartAnew() {
		acquire("10.0.0.1", "a", "b");
		this.clock.advance(Duration.ofMinutes(5));
		follow(rule("a", "2/1m"), rule("b", "5/1m"), rule("c", "1/1m"));
		assertThat(clients("a").heaviest(1)).hasSize(1);
		assertThat(clients("b").heaviest(1)).isEmpty();
		assertThat(clients("b").since()).isEqualTo(clients("a").since().plus(Duration.ofMinutes(5)));
		acquire("10.0.0.1", "c");
		assertThat(clients("c").heaviest(1)).hasSize(1);
		follow(rule("c", "1/1m"));
		assertThat(this.insights.find("a")).isEmpty();
		follow(rule("a", "2/1m"));
		assertThat(clients("a").heaviest(1)).isEmpty();
	}

	@Test
	void aDecisionOfRulesThatAreGoneIsNotCounted() {
		RuleRequest old = this.subjects.byKey(find("b"), List.of("10.0.0.1"), Optional.empty(), 1);
		follow(rule("b", "5/1m"));
		this.limiter.decide(List.of(old), this.limiter.newBudget()).await();
		assertThat(clients("b").heaviest(1)).isEmpty();
	}

}
