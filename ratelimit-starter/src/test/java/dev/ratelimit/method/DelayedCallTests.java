package dev.ratelimit.method;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimited.OnLimit;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Waiter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls that wait for their turn under rules of one permit a second. The store takes 20
 * ms to answer. The clock moves when the store is called and when a call waits.
 */
class DelayedCallTests {

	private static final Duration ANSWER = Duration.ofMillis(20);

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingListener listener = new RecordingListener();

	private final Calls calls = proxy();

	private Calls proxy() {
		CompiledRules rules = new CompiledRules(new RuleSet(List.of(rule("one").build(), rule("other").build(),
				rule("wide").thresholds("9/1s").build(), rule("shadow").shadow(true).build())), 64, NamedRules.NONE);
		SubjectEncoder subjects = new SubjectEncoder(64, "");
		LimitedMethods methods = new LimitedMethods(rules, subjects, RequestKeys.NONE);
		RequestLimiter limiter = TestLimiter.over(this.store, this.clock).listener(this.listener).build();
		ProxyFactory factory = new ProxyFactory(new Calls());
		factory.addAdvice(new RateLimitedInterceptor(() -> methods, limiter, this.listener,
				new Waiter(this.clock::nanoTime, (nanos) -> this.clock.advanceMicros(nanos / 1000))));
		return (Calls) factory.getProxy();
	}

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).key("global").thresholds("1/1s");
	}

	@BeforeEach
	void beSlow() {
		this.store.duringCalls(() -> this.clock.advance(ANSWER));
	}

	private long millisOf(Runnable call) {
		long start = this.clock.micros();
		call.run();
		return (this.clock.micros() - start) / 1000;
	}

	@Test
	void aCallWaitsUntilItsTurnCountedFromWhenItWasMade() {
		assertThat(millisOf(this.calls::patient)).isEqualTo(20);
		assertThat(millisOf(this.calls::patient)).isEqualTo(1000);
	}

	@Test
	void theTimeThatTheStoreTakesIsPartOfTheWait() {
		assertThat(this.calls.hasty()).isEqualTo("made");
		assertThat(millisOf(() -> assertThat(this.calls.hasty()).isEqualTo("too late for one"))).isLessThan(995);
		assertThat(this.store.released()).containsExactly("one");
		assertThat(this.listener.events()).contains("one REJECTED by STORE", "one released");
	}

	@Test
	void aTurnAtTheLastMomentIsTaken() {
		assertThat(this.calls.punctual()).isEqualTo("made");
		assertThat(millisOf(() -> assertThat(this.calls.punctual()).isEqualTo("made"))).isEqualTo(1000);
	}

	@Test
	void aRefusalHasTheTimeUntilTheMissedTurn() {
		this.calls.withoutFallback();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(this.calls::withoutFallback)
			.withMessage("Rate limit reached: one")
			.satisfies((refused) -> {
				assertThat(refused.retryAfter()).contains(Duration.ofMillis(980));
				assertThat(refused.refusals()).singleElement().isInstanceOf(Rejected.class);
			});
	}

	@Test
	void theFallbackIsThatOfTheRuleWhoseTurnWasTooLate() {
		this.calls.two();
		assertThat(this.calls.two()).isEqualTo("too late for other");
		assertThat(this.store.released()).containsExactly("one", "other");
	}

	@Test
	void theFallbackOfARuleThatAdmittedIsNotUsed() {
		this.calls.withoutFallback();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(this.calls::wideAndWithoutFallback)
			.withMessage("Rate limit reached: one");
		assertThat(this.store.released()).containsExactly("wide", "one");
	}

	@Test
	void aCallThatAnotherRuleRefusesDoesNotWait() {
		this.calls.hardWhenOneHasItsTurn();
		assertThat(millisOf(() -> assertThat(this.calls.hardWhenOneHasItsTurn()).isEqualTo("other has refused")))
			.isEqualTo(60);
		assertThat(this.store.released()).containsExactly("one");
	}

	@Test
	void aCallThatIsInterruptedWhileItWaitsTakesNothing() {
		this.calls.wideWhenOneHasItsTurn();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(UndeclaredThrowableException.class).isThrownBy(this.calls::wideWhenOneHasItsTurn)
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).as("the flag, by which a pool ends its threads").isTrue();
		assertThat(this.store.released()).containsExactlyInAnyOrder("one", "wide");
	}

	@Test
	void aMethodThatDeclaresTheInterruptionThrowsItInPlaceOfTheFlag() throws InterruptedException {
		this.calls.declaring();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.calls::declaring);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void aRuleThatDoesNotDelayUsesItsOwnFallback() {
		assertThat(this.calls.thenHard()).isEqualTo("made");
		assertThat(this.calls.thenHard()).isEqualTo("other has refused");
		assertThat(this.store.released()).containsExactly("wide");
	}

	@Test
	void aRuleThatDoesNotDelayIsDecidedAtOnceAndNotAfterTheWait() {
		this.calls.wideWhenOneHasItsTurn();
		long start = this.clock.micros();
		List<Long> calledAt = new ArrayList<>();
		this.store.duringCalls(() -> calledAt.add((this.clock.micros() - start) / 1000));
		this.calls.wideWhenOneHasItsTurn();
		assertThat(this.store.acquired()).extracting((requests) -> requests.get(0).limit().rule())
			.containsExactly("one", "wide", "one", "wide");
		assertThat(calledAt).containsExactly(0L, 0L);
	}

	@Test
	void aRuleInShadowIsNotWaitedForHoweverLateItsTurn() {
		this.calls.shadow();
		assertThat(millisOf(this.calls::shadow)).isEqualTo(20);
		assertThat(this.store.released()).isEmpty();
		assertThat(this.listener.events()).containsExactly("shadow ALLOWED by STORE", "shadow REJECTED by STORE");
	}

	static class Calls {

		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "1m")
		public String patient() {
			return "made";
		}

		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "995ms", fallbackMethod = "ofOne")
		public String hasty() {
			return "made";
		}

		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "1000ms", fallbackMethod = "ofOne")
		public String punctual() {
			return "made";
		}

		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "995ms")
		public String withoutFallback() {
			return "made";
		}

		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "1m", fallbackMethod = "ofOne")
		@RateLimited(value = "other", onLimit = OnLimit.DELAY, maxWait = "995ms", fallbackMethod = "ofOther")
		public String two() {
			return "made";
		}

		@RateLimited(value = "wide", onLimit = OnLimit.DELAY, fallbackMethod = "ofWide")
		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "995ms")
		public String wideAndWithoutFallback() {
			return "made";
		}

		@RateLimited(value = "wide", onLimit = OnLimit.DELAY, fallbackMethod = "ofWide")
		@RateLimited(value = "other", fallbackMethod = "hard")
		public String thenHard() {
			return "made";
		}

		@RateLimited(value = "other", fallbackMethod = "hard")
		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "1m")
		public String hardWhenOneHasItsTurn() {
			return "made";
		}

		@RateLimited(value = "wide")
		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "1m")
		public String wideWhenOneHasItsTurn() {
			return "made";
		}

		@RateLimited(value = "one", onLimit = OnLimit.DELAY, maxWait = "1m")
		public void declaring() throws InterruptedException {
		}

		@RateLimited(value = "shadow", onLimit = OnLimit.DELAY, maxWait = "995ms")
		public String shadow() {
			return "made";
		}

		String ofOne() {
			return "too late for one";
		}

		String ofOther() {
			return "too late for other";
		}

		String ofWide() {
			return "wide has refused";
		}

		String hard() {
			return "other has refused";
		}

	}

}
