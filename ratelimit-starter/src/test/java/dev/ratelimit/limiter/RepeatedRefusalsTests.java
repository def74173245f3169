package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.Heap;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Waiter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A refusal that surely still holds costs no call of the store.
 */
@ParameterizedClass
@EnumSource
class RepeatedRefusalsTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingListener listener = new RecordingListener();

	private final RequestLimiter limiter = TestLimiter.over(this.store, this.clock)
		.denyCache(Duration.ofSeconds(1))
		.listener(this.listener)
		.build();

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final CompiledRule rule = rule("r", true);

	private static CompiledRule rule(String id, boolean repeatsRefusals) {
		return CompiledRule.of(RLConfig.builder(id).thresholds("2/10s", "9/1m").build(), 64, repeatsRefusals);
	}

	private RequestDecision decide(CompiledRule... rules) {
		return decide("1.2.3.4", 1, rules);
	}

	private RequestDecision decide(String address, long cost, CompiledRule... rules) {
		List<RuleRequest> ruleRequests = Stream.of(rules)
			.map((rule) -> this.subjects.byAddress(rule, address, Optional.empty(), cost))
			.toList();
		return this.caller.obtain(this.limiter.decide(ruleRequests, this.limiter.newBudget()));
	}

	/** The store is called three times: two admissions and a refusal. */
	private void useUp() {
		decide(this.rule);
		decide(this.rule);
		assertThat(decide(this.rule).isAdmitted()).isFalse();
		assertThat(this.store.acquired()).hasSize(3);
	}

	@Test
	void aRepeatedRefusalComesFromMemoryWithTheSameQuotasOnlyOlder() {
		useUp();
		this.clock.advance(Duration.ofMillis(300));
		RateLimitDecision decision = decide(this.rule).refusals().get(0);
		assertThat(this.store.acquired()).hasSize(3);
		assertThat(decision).isEqualTo(new Rejected("r", Source.MEMORY,
				List.of(new Quota("r-10s", 2, Duration.ofSeconds(10), 0, Duration.ofMillis(9700),
						Optional.of(Duration.ofMillis(9700))),
						new Quota("r-1m", 9, 9, RLWindow.valueOf("1m"), 7, Duration.ofMillis(59_700),
								Optional.of(Duration.ZERO), Optional.empty()))));
		assertThat(this.listener.events()).endsWith("r REJECTED by STORE", "r REJECTED by MEMORY");
	}

	@Test
	void afterASecondTheStoreDecidesAgain() {
		useUp();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(decide(this.rule).refusals()).extracting(RateLimitDecision::source).containsExactly(Source.STORE);
	}

	@Test
	void otherClientsAndCheaperRequestsAreDecidedByTheStore() {
		decide(this.rule);
		assertThat(decide("1.2.3.4", 2, this.rule).isAdmitted()).isFalse();
		assertThat(decide("1.2.3.4", 1, this.rule).isAdmitted()).isTrue();
		assertThat(decide("1.2.3.5", 2, this.rule).isAdmitted()).isTrue();
		assertThat(decide("1.2.3.4", 2, this.rule).refusals()).extracting(RateLimitDecision::source)
			.containsExactly(Source.MEMORY);
	}

	@Test
	@DisplayName("S8: a turn that code waits for on another instance is released, and its permit is free at once")
	void aRefusalIsNotRepeatedWhileATurnLiesAhead() {
		RequestLimiter another = TestLimiter.over(this.store, this.clock).build();
		CompiledRule one = CompiledRule.of(RLConfig.builder("r").thresholds("1/10s").build(), 64, true);
		RuleRequest call = this.subjects.byAddress(one, "1.2.3.4", Optional.empty(), 1);
		decide(one);
		RequestDecision turn = this.caller
			.obtain(another.decide(List.of(call.waiting(Duration.ofMinutes(1))), another.newBudget()));
		this.clock.advance(Duration.ofMillis(9500));
		assertThat(decide(one).isAdmitted()).isFalse();
		this.caller.obtain(another.release(turn.permits(), another.newBudget()));
		this.clock.advance(Duration.ofMillis(500));
		assertThat(decide(one).isAdmitted()).isTrue();
	}

	@Test
	void aRuleWhoseRefusalsAreNotFinalIsDecidedByTheStoreEachTime() {
		CompiledRule open = rule("open", false);
		for (int i = 0; i < 5; i++) {
			decide(open);
		}
		assertThat(this.store.acquired()).hasSize(5);
	}

	@Test
	void theRulesOfANewRuleSetRememberNothing() {
		useUp();
		assertThat(decide(rule("r", true)).refusals()).extracting(RateLimitDecision::source)
			.containsExactly(Source.STORE);
		assertThat(CompiledRule.of(RLConfig.builder("r").thresholds("3/10s", "9/1m").build(), 64, true))
			.satisfies((raised) -> assertThat(decide(raised).isAdmitted()).isTrue());
	}

	@Test
	void aRuleInShadowDecidesNoRequestThatIsRefusedFromMemory() {
		useUp();
		CompiledRule shadow = CompiledRule.of(RLConfig.builder("s").thresholds("1/1m").shadow(true).build(), 64, false);
		assertThat(decide(shadow, this.rule).decided()).extracting((decided) -> decided.ruleRequest().rule().id())
			.containsExactly("r");
		assertThat(this.store.acquired()).hasSize(3);
	}

	@Test
	void aRefusalOfTheStoreHoldsWhileTheStoreIsAway() {
		useUp();
		this.store.failFor("r");
		assertThat(decide(this.rule).refusals()).extracting(RateLimitDecision::source).containsExactly(Source.MEMORY);
	}

	@Test
	void aDecisionOfTheFallbackIsNotCached() {
		CompiledRule local = CompiledRule
			.of(RLConfig.builder("local").thresholds("1/1m").onStoreFailure(OnStoreFailure.LOCAL).build(), 64, true);
		this.store.failFor("local");
		decide(local);
		assertThat(decide(local).isAdmitted()).isFalse();
		this.store.recover();
		assertThat(decide(local).isAdmitted()).isTrue();
	}

	@Test
	void afterAReleaseRefusalsOfTheRuleAreNoLongerCached() {
		RequestDecision first = decide(this.rule);
		this.caller.obtain(this.limiter.release(first.permits(), this.limiter.newBudget()));
		for (int i = 0; i < 4; i++) {
			decide(this.rule);
		}
		assertThat(this.store.acquired()).hasSize(5);
	}

	@Test
	void aRefusalHoldsFromBeforeItsRequestWasSent() {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(400)));
		useUp();
		this.clock.advance(Duration.ofMillis(599));
		decide(this.rule);
		assertThat(this.store.acquired()).hasSize(3);
		this.clock.advance(Duration.ofMillis(1));
		decide(this.rule);
		assertThat(this.store.acquired()).hasSize(4);
	}

	@Test
	void itCostsTheHeapOfItsDecisionAndNoHash() {
		CompiledRules rules = new CompiledRules(
				new RuleSet(List.of(RLConfig.builder("heap").key("header:X-A").thresholds("1/1m").build())), 64,
				NamedRules.NONE);
		RequestLimiter limiter = TestLimiter.over(this.store, this.clock)
			.fallback(Fallback.alone(this.store))
			.denyCache(Duration.ofSeconds(1))
			.build();
		RateLimiter rateLimiter = new RuleRateLimiter(() -> rules, limiter, this.subjects,
				TestLimiter.inspector(new MemoryStore(this.clock)), new Waiter(this.clock::nanoTime, (nanos) -> {
				}), true);
		assertThat(rateLimiter.tryAcquire("heap", "client-1").isAllowed()).isTrue();
		long bytes = Heap.bytesOf(() -> rateLimiter.tryAcquire("heap", "client-1"));
		assertThat(rateLimiter.tryAcquire("heap", "client-1").source()).isEqualTo(Source.MEMORY);
		assertThat(bytes).as("where nothing is compiled").isLessThan(800);
	}

}
