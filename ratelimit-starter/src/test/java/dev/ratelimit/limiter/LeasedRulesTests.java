package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leased rules beside others, and while the store is away.
 */
@ParameterizedClass
@EnumSource
class LeasedRulesTests {

	@Parameter
	private Caller caller;

	private static final String CLIENT = "1.2.3.4";

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final List<Object> events = new ArrayList<>();

	private final StoreWatch watch = new StoreWatch("the store", Optional::empty, StoreListener.all(List.of()),
			this.events::add, this.clock::nanoTime);

	private final RequestLimiter limiter = TestLimiter.over(this.store, this.clock).leasing().watch(this.watch).build();

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final CompiledRule leased = compiled(RLConfig.builder("leased")
		.mode(new Mode.Leased(Optional.of(Duration.ofSeconds(1)), Optional.of(10L)))
		.onStoreFailure(OnStoreFailure.DENY)
		.thresholds("20/1m"));

	private static CompiledRule compiled(RLConfigBuilder rule) {
		return CompiledRule.of(rule.build(), 64, false);
	}

	private RateLimitDecision decide(CompiledRule... rules) {
		return this.caller.obtain(this.limiter.decide(Stream.of(rules)
			.map((rule) -> this.subjects.byKey(rule, List.of(CLIENT), Optional.empty(), 1))
			.toList(), this.limiter.newBudget())).decided().get(0).decision();
	}

	@Test
	void theSourceOfADecisionShowsWhetherItCameFromALease() {
		assertThat(decide(this.leased).source()).isEqualTo(Source.STORE);
		RateLimitDecision second = decide(this.leased);
		assertThat(second.source()).isEqualTo(Source.LEASE);
		assertThat(second.quotas()).singleElement().satisfies((quota) -> {
			assertThat(quota.limit()).isEqualTo(20);
			assertThat(quota.window()).isEqualTo(RLWindow.valueOf("1m"));
			assertThat(quota.remaining()).isEqualTo(18);
		});
	}

	@Test
	void permitsOfARequestThatAStrictRuleRefusesStayInTheLease() {
		CompiledRule strict = compiled(RLConfig.builder("strict").thresholds("1/1m"));
		decide(this.leased, strict);
		for (int i = 0; i < 5; i++) {
			assertThat(decide(this.leased, strict).quotas().get(0).remaining()).as("before it is released")
				.isEqualTo(18);
		}
		assertThat(decide(this.leased).quotas().get(0).remaining()).isEqualTo(18);
		assertThat(this.store.released()).as("to the store").isEmpty();
	}

	@Test
	void aDecisionFromALeaseIsNoAnswerOfTheStore() {
		decide(this.leased);
		CompiledRule strict = compiled(RLConfig.builder("strict").thresholds("1/1m"));
		this.store.failFor("strict");
		decide(strict);
		this.watch.report();
		assertThat(this.events).as("degraded").hasSize(1);
		this.clock.advance(Duration.ofMillis(100));
		assertThat(decide(this.leased).source()).isEqualTo(Source.LEASE);
		this.clock.advance(Duration.ofMinutes(1));
		this.watch.report();
		assertThat(this.events).as("the store has answered no request").hasSize(1);
	}

	@Test
	void onStoreFailureAppliesWhenTheLeaseIsOver() {
		decide(this.leased);
		this.store.failFor("leased");
		assertThat(decide(this.leased).isAllowed()).isTrue();
		this.clock.advance(Duration.ofMillis(750));
		assertThat(decide(this.leased)).isInstanceOf(RateLimitDecision.Unavailable.class);
	}

}
