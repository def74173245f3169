package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.health.StoreOutage;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long a request waits for slow stores.
 */
@ParameterizedClass
@EnumSource
class WaitBudgetTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final StoreWatch watch = Watches.quiet(this.clock::nanoTime);

	private final RequestLimiter limiter = TestLimiter.over(this.store, this.clock)
		.deadline(Duration.ofMillis(50))
		.watch(this.watch)
		.build();

	private final WaitBudget budget = this.limiter.newBudget();

	private RequestDecision decide(String... rules) {
		return this.caller.obtain(this.limiter.decide(Stream.of(rules)
			.map((rule) -> CompiledRule.of(RLConfig.builder(rule).thresholds("1/1m").build(), 64, false))
			.map((rule) -> new SubjectEncoder(64, "").byAddress(rule, "1.2.3.4", Optional.empty(), 1))
			.toList(), this.budget));
	}

	private static Duration[] millis(long... each) {
		return Arrays.stream(each).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
	}

	@Test
	void laterRequestsAndReleasesGetTheRemainingTime() {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(20)));
		RequestDecision first = decide("a");
		RequestDecision second = decide("b");
		this.caller.obtain(this.limiter.release(first.permits(), this.budget));
		this.caller.obtain(this.limiter.release(second.permits(), this.budget));
		assertThat(this.store.maxWaits()).containsExactly(millis(50, 30, 10, 10));
		assertThat(this.store.released()).containsExactly("a", "b");
	}

	@Test
	void releasesAfterARefusalGetTheRemainingTime() {
		decide("b");
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(20)));
		decide("a", "b");
		assertThat(this.store.released()).containsExactly("a");
		assertThat(this.store.maxWaits()).containsExactly(millis(50, 50, 30));
	}

	/** It is unknown how much of the time the application itself has used. */
	@Test
	void afterAnAnswerSomethingIsLeftHoweverLateItWas() {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(60)));
		decide("a");
		decide("b");
		assertThat(this.store.maxWaits()).containsExactly(millis(50, 10));
	}

	@Test
	void anOverloadOfTheApplicationUsesNoTimeOfTheStore() {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(60)));
		this.store.overloadFor("a");
		decide("a");
		decide("b");
		assertThat(this.store.maxWaits()).containsExactly(millis(50, 10));
	}

	@Test
	void withNoTimeLeftNoStoreIsCalledAndTheFallbackDecides() {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(60)));
		this.store.timeOutFor("a");
		decide("a");
		this.store.acquired().clear();
		Optional<StoreOutage> outage = this.watch.outage();
		RateLimitDecision decision = decide("b").decided().get(0).decision();
		assertThat(decision.source()).isEqualTo(Source.LOCAL);
		assertThat(this.store.acquired()).isEmpty();
		assertThat(outage).isPresent();
		assertThat(this.watch.outage()).as("a store that is not called does not fail").isEqualTo(outage);
	}

	/** A healthy node that does not answer in it would count as silent. */
	@Test
	void lessThanAFifthIsNoTime() {
		RequestDecision first = decide("a");
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(41)));
		this.store.timeOutFor("b");
		decide("b");
		this.caller.obtain(this.limiter.release(first.permits(), this.budget));
		assertThat(this.store.maxWaits()).containsExactly(millis(50, 50, 0));
		assertThat(this.store.released()).containsExactly("a");
	}

	@Test
	void timeThatNoStoreUsedIsNotTakenOff() {
		decide("a");
		this.clock.advance(Duration.ofSeconds(10));
		decide("b");
		assertThat(this.store.maxWaits()).containsExactly(millis(50, 50));
	}

	@Test
	void everyRequestHasABudgetOfItsOwn() {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(60)));
		this.store.timeOutFor("a");
		decide("a");
		assertThat(this.budget.left()).isZero();
		assertThat(this.limiter.newBudget().left()).isEqualTo(Duration.ofMillis(50));
	}

	@Test
	void aDecisionWithoutAStoreLeavesItAlone() {
		this.caller.obtain(this.limiter.release(List.of(), this.budget));
		assertThat(this.budget.left()).isEqualTo(Duration.ofMillis(50));
	}

}
