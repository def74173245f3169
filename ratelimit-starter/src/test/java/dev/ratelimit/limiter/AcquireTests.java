package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Waiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A call that acquires waits for the turn that the store assigns. Here waiting moves the
 * clock.
 */
class AcquireTests {

	private static final String[] KEY = {};

	private static final Duration LONG = Duration.ofMinutes(1);

	private final SplittableRandom instances = new SplittableRandom(1);

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RateLimiter limiter = limiter(this.store, (nanos) -> this.clock.advanceMicros(nanos / 1000));

	private RateLimiter limiter(RateLimitStore store, LongConsumer park) {
		CompiledRules rules = new CompiledRules(
				new RuleSet(List.of(rule("two").build(), rule("shadow").shadow(true).build(),
						rule("open").onStoreFailure(OnStoreFailure.ALLOW).build(),
						rule("closed").onStoreFailure(OnStoreFailure.DENY).build(),
						rule("bucket").algorithm(Algorithm.TOKEN_BUCKET).build(),
						rule("counting").countRejected(true).build(), rule("leased").mode(Mode.LEASED).build())),
				64, NamedRules.NONE);
		RequestLimiter requestLimiter = TestLimiter.over(store, this.clock)
			.denyCache(LONG)
			.permitIds(new PermitIds(this.instances.split()))
			.build();
		return new RuleRateLimiter(() -> rules, requestLimiter, new SubjectEncoder(64, ""),
				TestLimiter.inspector(store), new Waiter(this.clock::nanoTime, park), true);
	}

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).key("global").thresholds("2/1s");
	}

	private Duration delay(String rule) throws InterruptedException {
		return ((Allowed) this.limiter.acquire(rule, KEY, 1, LONG)).delay();
	}

	@Test
	void goesAtOnceWhileThereIsRoomThenWaitsForItsTurnWithOneCallOfTheStore() throws InterruptedException {
		long start = this.clock.micros();
		assertThat(delay("two")).isZero();
		assertThat(delay("two")).isZero();
		this.clock.advance(Duration.ofMillis(300));
		assertThat(delay("two")).isEqualTo(Duration.ofMillis(700));
		assertThat(this.clock.micros() - start).isEqualTo(1_000_000);
		assertThat(this.store.acquired()).hasSize(3);
	}

	@Test
	void neverGoesEarlyThoughItWakesUpEarly() throws InterruptedException {
		RateLimiter restless = limiter(this.store, (nanos) -> this.clock.advanceMicros(Math.max(1, nanos / 3000)));
		long start = this.clock.micros();
		for (int i = 0; i < 3; i++) {
			restless.acquire("two", KEY, 1, LONG);
		}
		assertThat(this.clock.micros() - start).isEqualTo(1_000_000);
	}

	@Test
	void isRejectedAtOnceWhereItsTurnWouldComeTooLateAndTakesNothing() throws InterruptedException {
		delay("two");
		delay("two");
		long before = this.clock.micros();
		RateLimitDecision decision = this.limiter.acquire("two", KEY, 1, Duration.ofMillis(999));
		assertThat(((Rejected) decision).retryAfter()).contains(Duration.ofSeconds(1));
		assertThat(this.clock.micros()).isEqualTo(before);
		assertThat(this.limiter.acquire("two", KEY, 1, Duration.ofSeconds(1)).isAllowed()).isTrue();
	}

	@Test
	void doesNotWaitPastItsTimeBecauseTheStoreWasSlow() throws InterruptedException {
		this.store.duringCalls(() -> this.clock.advance(Duration.ofMillis(20)));
		this.limiter.acquire("two", KEY, 2, Duration.ZERO);
		assertThat(this.limiter.acquire("two", KEY, 2, Duration.ofMillis(995)).isAllowed()).isFalse();
		assertThat(this.store.released()).hasSize(1);
	}

	@Test
	void anInterruptedWaitThrowsAndItsTurnLapsesUnused() throws InterruptedException {
		RateLimiter interrupted = limiter(this.store, (nanos) -> {
			Thread.currentThread().interrupt();
			this.clock.advanceMicros(nanos / 2000 + 1);
		});
		delay("two");
		delay("two");
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> interrupted.acquire("two", KEY, 2, LONG));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.limiter.tryAcquire("two").isAllowed()).as("the turn lapses").isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.limiter.tryAcquire("two").isAllowed()).isTrue();
	}

	@Test
	void takesNothingWhereTheThreadIsInterruptedAlready() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.limiter.acquire("two", KEY, 1, LONG));
		assertThat(this.store.acquired()).isEmpty();
	}

	@Test
	void aRefusalThatIsRememberedDoesNotKeepItFromWaiting() throws InterruptedException {
		this.limiter.tryAcquire("two", KEY, 2);
		assertThat(this.limiter.tryAcquire("two").isAllowed()).isFalse();
		assertThat(delay("two")).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void noCallHasATurnDuringAPause() throws InterruptedException {
		this.limiter.pause("two", KEY, Duration.ofSeconds(5));
		this.limiter.pause("two", KEY, Duration.ofSeconds(3));
		assertThat(delay("two")).isEqualTo(Duration.ofSeconds(5));
		assertThat(delay("two")).as("the end of the pause costs a permit").isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void aRuleInShadowAdmitsWithoutAWait() throws InterruptedException {
		for (int i = 0; i < 4; i++) {
			this.limiter.acquire("shadow", KEY, 1, LONG);
		}
		assertThat(this.clock.micros()).isEqualTo(new MovableClock().micros());
	}

	@Test
	void onStoreFailureAppliesWhileTheStoreFails() throws InterruptedException {
		this.store.failFor("open");
		assertThat(this.limiter.acquire("open", KEY, 9, LONG).isAllowed()).isTrue();
		this.store.failFor("closed");
		assertThat(this.limiter.acquire("closed", KEY, 1, LONG)).isInstanceOf(Unavailable.class);
		this.store.failFor("two");
		this.limiter.acquire("two", KEY, 2, LONG);
		assertThat(this.limiter.acquire("two", KEY, 1, LONG)).isInstanceOfSatisfying(Allowed.class, (allowed) -> {
			assertThat(allowed.source()).isEqualTo(Source.LOCAL);
			assertThat(allowed.delay()).isEqualTo(Duration.ofSeconds(1));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bucket", "counting", "leased" })
	void waitingUnderARuleWithoutTurnsIsAnError(String rule) {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.limiter.acquire(rule, KEY, 1, LONG))
			.withMessage("No caller can wait for a turn under rule '%s': that needs algorithm sliding-window-log, "
				.formatted(rule) + "mode strict and count-rejected false");
	}

	@Test
	void moreThanTheLimitIsRejectedForEver() throws InterruptedException {
		Rejected rejected = (Rejected) this.limiter.acquire("two", KEY, 3, LONG);
		assertThat(rejected.retryAfter()).isEqualTo(Optional.empty());
	}

}
