package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.Heap;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request of one rule is decided without slots as far as that needs no store. Its
 * decisions, calls of the store and reports are those of a list with that request.
 */
@ParameterizedClass
@EnumSource
class DecidedHereTests {

	@Parameter
	private Caller caller;

	private static final int REQUESTS = 3000;

	private final MovableClock clock = new MovableClock();

	private final Side here = new Side();

	private final Side inList = new Side();

	private static CompiledRule rule(RLConfigBuilder rule) {
		return CompiledRule.of(rule.build(), 64, true);
	}

	private void decidesAlike(CompiledRule rule, CompiledAllowance allowance) {
		SplittableRandom random = new SplittableRandom(22);
		for (int i = 0; i < REQUESTS; i++) {
			RuleRequest ruleRequest = new RuleRequest(rule, allowance, new Subject("s" + random.nextInt(3)),
					1 + random.nextInt(2));
			assertThat(this.here.decideHere(ruleRequest)).as("request %d", i)
				.isEqualTo(this.inList.decideInList(ruleRequest));
			this.clock.advance(Duration.ofMillis(random.nextInt(400)));
		}
		assertThat(this.here.events).isEqualTo(this.inList.events);
		assertThat(this.here.store.acquired()).hasSameSizeAs(this.inList.store.acquired());
	}

	@Test
	void refusalsOfAStrictRuleAreRepeated() {
		CompiledRule rule = rule(RLConfig.builder("r").thresholds("5/1s", "20/1m"));
		decidesAlike(rule, rule.standard());
		assertThat(this.here.events).contains("r REJECTED by MEMORY", "r REJECTED by STORE");
	}

	@Test
	void permitsOfALeasedRuleAreSpent() {
		CompiledRule rule = rule(RLConfig.builder("r").mode(Mode.LEASED).thresholds("50/10s"));
		decidesAlike(rule, rule.standard());
		assertThat(this.here.events).contains("r ALLOWED by LEASE", "r REJECTED by LEASE");
	}

	@Test
	void aRuleInShadowReports() {
		CompiledRule rule = rule(RLConfig.builder("r").mode(Mode.LEASED).shadow(true).thresholds("5/10s"));
		decidesAlike(rule, rule.standard());
		assertThat(this.here.events).contains("r REJECTED by LEASE");
	}

	@Test
	void aPlanBlocksOrDoesNotLimit() {
		CompiledRule rule = rule(RLConfig.builder("r")
			.thresholds("5/1s")
			.plans(Plans.by("header:X-Plan", Map.of("none", Allowance.BLOCKED, "all", Allowance.UNLIMITED))));
		decidesAlike(rule, rule.allowance(Optional.of("none")));
		decidesAlike(rule, rule.allowance(Optional.of("all")));
		assertThat(this.here.store.acquired()).isEmpty();
	}

	/** Otherwise the tests above compare the list with itself. */
	@Test
	void theFirstRequestNeedsTheStoreAndTheNextOneNothing() {
		DecisionPipeline pipeline = TestLimiter.over(new MemoryStore(this.clock), this.clock).leasing().pipeline();
		CompiledRule rule = rule(RLConfig.builder("r").mode(Mode.LEASED).thresholds("50/10s"));
		RuleRequest ruleRequest = new RuleRequest(rule, rule.standard(), new Subject("s"), 1);
		assertThat(pipeline.decideHere(ruleRequest)).isNull();
		for (int i = 0; i < 2; i++) {
			assertThat(this.caller.obtain(decide(pipeline, ruleRequest)).isAdmitted()).isTrue();
		}
		assertThat(pipeline.decideHere(ruleRequest)).isInstanceOf(Allowed.class);
	}

	@Test
	void aDecisionIsTheRecordAndItsWindowsAsNumbers() {
		DecisionPipeline pipeline = TestLimiter.over(new MemoryStore(this.clock), this.clock).leasing().pipeline();
		CompiledRule rule = rule(RLConfig.builder("r")
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(new Mode.Leased(Optional.empty(), Optional.of(10_000L)))
			.thresholds("1000000/10s"));
		RuleRequest ruleRequest = new RuleRequest(rule, rule.standard(), new Subject("s"), 1);
		this.caller.obtain(decide(pipeline, ruleRequest));
		assertThat(Heap.bytesOf(() -> assertThatAdmits(pipeline.decideHere(ruleRequest)))).isBetween(1L, 72L);
	}

	private static Pending<RequestDecision> decide(DecisionPipeline pipeline, RuleRequest ruleRequest) {
		return pipeline.decide(List.of(ruleRequest), new WaitBudget(Patience.LONG));
	}

	private static void assertThatAdmits(@Nullable RateLimitDecision decision) {
		if (!(decision instanceof Allowed)) {
			throw new AssertionError("The lease does not last");
		}
	}

	@Test
	void theTimeOfADecisionIsTakenForAListenerThatUsesIt() {
		assertThat(clockReadsFor(new RecordingListener())).isEqualTo(2);
		assertThat(clockReadsFor(new DecisionLog())).isOne();
		assertThat(clockReadsFor(new DecisionLog(), new RecordingListener())).isEqualTo(2);
		assertThat(clockReadsFor(new DecisionLog(), new Throwing())).isEqualTo(2);
	}

	private int clockReadsFor(DecisionListener... listeners) {
		AtomicInteger reads = new AtomicInteger();
		RequestLimiter limiter = TestLimiter.over(new MemoryStore(this.clock), () -> {
			reads.incrementAndGet();
			return this.clock.nanoTime();
		}).leasing().listener(DecisionListener.all(List.of(listeners))).build();
		CompiledRule rule = rule(RLConfig.builder("r").mode(Mode.LEASED).thresholds("50/10s"));
		RuleRequest ruleRequest = new RuleRequest(rule, rule.standard(), new Subject("s"), 1);
		assertThat(limiter.decideHere(ruleRequest)).isNull();
		for (int i = 0; i < 2; i++) {
			this.caller.obtain(limiter.decide(List.of(ruleRequest), limiter.newBudget()));
		}
		reads.set(0);
		assertThat(limiter.decideHere(ruleRequest)).isNotNull();
		return reads.get();
	}

	/** Cannot say whether it uses the time. */
	private static final class Throwing extends RecordingListener {

		@Override
		public boolean isTimed() {
			throw new IllegalStateException("not ready");
		}

	}

	/** A limiter with a store of its own. */
	private final class Side {

		private final RecordingStore store = new RecordingStore(new MemoryStore(DecidedHereTests.this.clock));

		private final List<String> events = new ArrayList<>();

		private final RequestLimiter limiter = TestLimiter.over(this.store, DecidedHereTests.this.clock)
			.denyCache(Duration.ofMinutes(1))
			.leasing()
			.listener(new RecordingListener(this.events))
			.build();

		RateLimitDecision decideHere(RuleRequest ruleRequest) {
			RateLimitDecision decision = this.limiter.decideHere(ruleRequest);
			return (decision != null) ? decision : decideInList(ruleRequest);
		}

		RateLimitDecision decideInList(RuleRequest ruleRequest) {
			return DecidedHereTests.this.caller
				.obtain(this.limiter.decide(List.of(ruleRequest), this.limiter.newBudget()))
				.decided()
				.get(0)
				.decision();
		}

	}

}
