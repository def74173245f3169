package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.sync.IdleSynchronizer;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A decision that is made and never obtained, as of a subscription that was cancelled,
 * leaves nothing behind.
 */
@ParameterizedClass
@EnumSource
class DroppedDecisionsTests {

	private static final int LIMIT = 20;

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final RecordingStore store = new RecordingStore(this.memory);

	private final RecordingListener listener = new RecordingListener();

	private final Breakers breakers = new Breakers(5, Duration.ofSeconds(1), Duration.ofMillis(50),
			this.clock::nanoTime);

	private RequestLimiter limiter = limiter().build();

	private TestLimiter limiter() {
		return TestLimiter.over(this.store, this.clock).listener(this.listener);
	}

	private static RuleRequest request(Mode mode) {
		CompiledRule rule = CompiledRule.of(RLConfig.builder("r")
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(mode)
			.onStoreFailure(OnStoreFailure.DENY)
			.thresholds(LIMIT + "/1h")
			.build(), 64, true);
		return new RuleRequest(rule, rule.standard(), new Subject("s"), 1);
	}

	private Pending<RequestDecision> make(RuleRequest ruleRequest) {
		return this.limiter.decide(List.of(ruleRequest), this.limiter.newBudget());
	}

	private RateLimitDecision decide(RuleRequest ruleRequest) {
		return this.caller.obtain(make(ruleRequest)).decided().get(0).decision();
	}

	private void drop(int times, RuleRequest ruleRequest) {
		int calls = this.store.acquired().size();
		int events = this.listener.events().size();
		IntStream.range(0, times).forEach((i) -> assertThat(make(ruleRequest)).isNotNull());
		assertThat(this.store.acquired()).hasSize(calls);
		assertThat(this.listener.events()).hasSize(events);
	}

	private long admitted(int requests, RuleRequest ruleRequest) {
		return IntStream.range(0, requests).filter((i) -> decide(ruleRequest).isAllowed()).count();
	}

	@Test
	void noLeaseIsUnderWayAndNoPermitOfItIsSpent() {
		this.limiter = limiter().leasing().build();
		RuleRequest leased = request(new Mode.Leased(Optional.empty(), Optional.of(4L)));
		for (int i = 0; i < 4; i++) {
			drop(10, leased);
			assertThat(decide(leased)).isInstanceOf(Allowed.class);
		}
		assertThat(admitted(LIMIT, leased)).isEqualTo(LIMIT - 4);
		assertThat(this.store.acquired()).as("calls").hasSizeLessThan(LIMIT);
	}

	@Test
	void noPermitOfASyncedRuleIsInFlight() {
		this.limiter = limiter().source(ModeKind.SYNCED, IdleSynchronizer.over(this.memory, this.clock)).build();
		RuleRequest synced = request(Mode.SYNCED);
		RuleRequest undisturbed = new RuleRequest(synced.rule(), synced.allowance(), new Subject("other"), 1);
		drop(10, synced);
		assertThat(decide(synced)).isInstanceOf(Allowed.class);
		assertThat(decide(undisturbed)).isInstanceOf(Allowed.class);
		drop(10, synced);
		assertThat(admitted(2 * LIMIT, synced)).isEqualTo(admitted(2 * LIMIT, undisturbed)).isPositive();
	}

	@Test
	void aProbeIsLeftToTheNextRequest() {
		this.limiter = limiter().breakers(this.breakers).build();
		RuleRequest strict = request(Mode.STRICT);
		this.store.failFor("r");
		for (int i = 0; i < 10; i++) {
			this.clock.advance(Duration.ofMillis(50));
			assertThat(decide(strict)).isInstanceOf(Unavailable.class);
		}
		assertThat(this.breakers.open()).isEqualTo(1);
		this.store.recover();
		this.clock.advance(Duration.ofSeconds(2));
		drop(10, strict);
		assertThat(decide(strict)).isInstanceOf(Allowed.class);
		assertThat(this.breakers.open()).isZero();
	}

}
