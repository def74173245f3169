package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.sync.IdleSynchronizer;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permits of a decision are kept, released, or kept in part, wherever they are counted.
 */
@ParameterizedClass
@EnumSource
class SettledPermitsTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final RecordingStore store = new RecordingStore(this.memory);

	private final RecordingListener listener = new RecordingListener();

	/** Where the permits are counted. */
	enum Counted {

		BY_THE_STORE, BY_A_LEASE, BY_A_SYNCED_COUNTER, BY_THE_FALLBACK

	}

	private static Mode mode(Counted counted) {
		return switch (counted) {
			case BY_A_LEASE -> new Mode.Leased(Optional.of(Duration.ofSeconds(1)), Optional.of(50L));
			case BY_A_SYNCED_COUNTER -> Mode.SYNCED;
			case BY_THE_STORE, BY_THE_FALLBACK -> Mode.STRICT;
		};
	}

	private RequestLimiter limiter(Counted counted) {
		TestLimiter limiter = TestLimiter.over(this.store, this.clock).listener(this.listener);
		if (counted == Counted.BY_THE_FALLBACK) {
			this.store.failFor("r");
		}
		return ((counted == Counted.BY_A_SYNCED_COUNTER)
				? limiter.source(ModeKind.SYNCED, IdleSynchronizer.over(this.memory, this.clock)) : limiter.leasing())
			.build();
	}

	private static CompiledRule rule(Counted counted) {
		return CompiledRule.of(RLConfig.builder("r")
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(mode(counted))
			.thresholds("100/1m")
			.build(), 64, true);
	}

	private static RuleRequest request(CompiledRule rule, long cost) {
		return new RuleRequest(rule, rule.standard(), new Subject("s"), cost);
	}

	private RequestDecision decide(RequestLimiter limiter, RuleRequest request) {
		return this.caller.obtain(limiter.decide(List.of(request), limiter.newBudget()));
	}

	private long admitted(int requests, RequestLimiter limiter, RuleRequest request) {
		return IntStream.range(0, requests).filter((i) -> decide(limiter, request).isAdmitted()).count();
	}

	@ParameterizedTest
	@EnumSource
	void aPartIsKept(Counted counted) {
		RequestLimiter limiter = limiter(counted);
		CompiledRule rule = rule(counted);
		decide(limiter, request(rule, 1));
		RequestDecision ten = decide(limiter, request(rule, 10));
		assertThat(ten.permits()).singleElement().extracting(Permit::amount).isEqualTo(10L);
		this.caller.obtain(limiter.settle(ten.permits(), (permit) -> 3, limiter.newBudget()));
		assertThat(this.listener.events()).last().isEqualTo("r released");
		long next = admitted(200, limiter, request(rule, 1));
		// A synced rule may overshoot, so another client shows what is left.
		RuleRequest another = new RuleRequest(rule, rule.standard(), new Subject("another"), 1);
		assertThat(admitted(4, limiter, another)).isEqualTo(4);
		assertThat(next).isGreaterThanOrEqualTo(96).isEqualTo(admitted(200, limiter, another));
	}

	@Test
	void whatIsKeptWhollyNeedsNoCallAndWhatIsReleasedIsSettledAtNone() {
		RequestLimiter limiter = limiter(Counted.BY_THE_STORE);
		RequestDecision ten = decide(limiter, request(rule(Counted.BY_THE_STORE), 10));
		this.caller.obtain(limiter.settle(ten.permits(), Permit::amount, limiter.newBudget()));
		assertThat(this.store.released()).isEmpty();
		this.caller.obtain(limiter.release(ten.permits(), limiter.newBudget()));
		assertThat(this.store.released()).containsExactly("r");
		assertThat(decide(limiter, request(rule(Counted.BY_THE_STORE), 100)).isAdmitted()).isTrue();
	}

	@Test
	void aSettlementThatIsNotObtainedReleasesNothing() {
		RequestLimiter limiter = limiter(Counted.BY_THE_STORE);
		RequestDecision ten = decide(limiter, request(rule(Counted.BY_THE_STORE), 10));
		assertThat(limiter.release(ten.permits(), limiter.newBudget())).isNotNull();
		assertThat(this.store.released()).isEmpty();
	}

}
