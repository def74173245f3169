package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Waiter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

@ParameterizedClass
@EnumSource
@DisplayName("1.19 Code can ask a rule, and gets the whole answer")
class RuleRateLimiterTests {

	@Parameter
	private Caller caller;

	private static final Waiter NEVER_WAITS = new Waiter(() -> 0, (nanos) -> {
		throw new IllegalStateException();
	});

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final RecordingStore store = new RecordingStore(this.memory);

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final RequestLimiter requestLimiter = TestLimiter.over(this.store, this.clock)
		.fallback(Fallback.alone(this.store))
		.build();

	private final CompiledRules rules = new CompiledRules(new RuleSet(List.of(
			RLConfig.builder("by-ip").thresholds("2/1m").build(),
			RLConfig.builder("by-tenant").key("header:X-Tenant", "path:id").paths("/{id}").thresholds("2/1m").build(),
			RLConfig.builder("global").key("global").thresholds("1/1m").onStoreFailure(OnStoreFailure.DENY).build(),
			RLConfig.builder("off").enabled(false).thresholds("1/1m").build(),
			RLConfig.builder("costly").thresholds("5/1m").cost(2).build(),
			RLConfig.builder("by-bean").thresholds("5/1m").cost("bean:pages").when("bean:never").build(),
			RLConfig.builder("shadow").key("global").thresholds("1/1m").shadow(true).build(),
			RLConfig.builder("special")
				.thresholds("5/1m")
				.plans(Plans.by("header:X-Plan", Map.of("free", Allowance.BLOCKED)))
				.overrides(List.of(new KeyOverride(List.of("10.0.0.0/8"), Allowance.BLOCKED),
						new KeyOverride(List.of("10.1.0.0/16"), Allowance.UNLIMITED)))
				.build())),
			64, NamedRules.NONE);

	private final RateLimiter limiter = new RuleRateLimiter(() -> this.rules, this.requestLimiter, this.subjects,
			TestLimiter.inspector(this.memory), NEVER_WAITS, true);

	private RateLimitDecision tryAcquire(String rule, String... key) {
		return (this.caller == Caller.WAITS) ? this.limiter.tryAcquire(rule, key)
				: this.limiter.tryAcquireAsync(rule, key).toCompletableFuture().join();
	}

	private RateLimitDecision tryAcquire(String rule, String[] key, long permits) {
		return (this.caller == Caller.WAITS) ? this.limiter.tryAcquire(rule, key, permits)
				: this.limiter.tryAcquireAsync(rule, key, permits).toCompletableFuture().join();
	}

	@Test
	void takesOnePermitByDefault() {
		assertThat(tryAcquire("by-ip", "1.2.3.4").quotas().get(0).remaining()).isEqualTo(1);
		assertThat(tryAcquire("by-ip", "1.2.3.4").isAllowed()).isTrue();
		assertThat(tryAcquire("by-ip", "1.2.3.4").isAllowed()).isFalse();
	}

	@Test
	void takesSeveralPermitsAllOrNone() {
		String[] key = { "1.2.3.4" };
		assertThat(tryAcquire("by-ip", "1.2.3.4").isAllowed()).isTrue();
		assertThat(tryAcquire("by-ip", key, 2).isAllowed()).isFalse();
		assertThat(tryAcquire("by-ip", key, 1).isAllowed()).isTrue();
	}

	@Test
	void takesWhatARequestCosts() {
		assertThat(tryAcquire("costly", "1.2.3.4").quotas().get(0).remaining()).isEqualTo(3);
		assertThat(tryAcquire("costly", new String[] { "1.2.3.4" }, 3).isAllowed()).isTrue();
		assertThat(tryAcquire("by-bean", "1.2.3.4").quotas().get(0).remaining()).isEqualTo(4);
	}

	@Test
	void refusesMoreThanCanEverBeTaken() {
		RateLimitDecision decision = tryAcquire("by-ip", new String[] { "1.2.3.4" }, 3);
		assertThat(((RateLimitDecision.Rejected) decision).retryAfter()).isEmpty();
	}

	@Test
	void overridesHoldAndPlansDoNot() {
		assertThat(tryAcquire("special", "1.2.3.4").quotas().get(0).limit()).isEqualTo(5);
		assertThat(tryAcquire("special", "10.0.0.1").isAllowed()).isFalse();
		assertThat(tryAcquire("special", "10.1.0.1")).isEqualTo(new Allowed("special", Source.NONE, List.of()));
		assertThat(this.store.acquired()).hasSize(1);
	}

	@Test
	void aRuleInShadowAdmitsAlways() {
		assertThat(tryAcquire("shadow").isAllowed()).isTrue();
		RateLimitDecision decision = tryAcquire("shadow");
		assertThat(decision.isAllowed()).isTrue();
		assertThat(decision.quotas().get(0).remaining()).isZero();
		this.store.failFor("shadow");
		assertThat(tryAcquire("shadow").isAllowed()).isTrue();
	}

	@Test
	void countsInTheSameBucketAsHttpWithTheSameKey() {
		CompiledRule rule = this.rules.find("by-tenant").orElseThrow();
		this.requestLimiter
			.decide(List.of(this.subjects.byKey(rule, List.of("a", "1"), Optional.empty(), 1)),
					this.requestLimiter.newBudget())
			.await();
		assertThat(tryAcquire("by-tenant", "a", "1").quotas().get(0).remaining()).isZero();
		assertThat(tryAcquire("by-tenant", "a", "2").quotas().get(0).remaining()).isEqualTo(1);
	}

	@Test
	void aGlobalRuleTakesNoKey() {
		assertThat(tryAcquire("global").isAllowed()).isTrue();
		assertThat(tryAcquire("global").isAllowed()).isFalse();
	}

	@Test
	void neverThrowsForAFailingStore() {
		this.store.failFor("global");
		assertThat(tryAcquire("global")).isInstanceOf(RateLimitDecision.Unavailable.class);
	}

	@Test
	void aDisabledRuleAdmitsWithoutACallOfTheStore() {
		assertThat(tryAcquire("off", "1.2.3.4")).isEqualTo(new Allowed("off", Source.NONE, List.of()));
		assertThat(this.store.acquired()).isEmpty();
	}

	@Test
	void everyRuleAdmitsWhileTheLimiterIsOff() {
		RateLimiter off = new RuleRateLimiter(() -> this.rules, this.requestLimiter, this.subjects,
				TestLimiter.inspector(this.memory), NEVER_WAITS, false);
		assertThat(off.tryAcquire("global").isAllowed()).isTrue();
		assertThat(off.tryAcquire("global").isAllowed()).isTrue();
		assertThat(this.store.acquired()).isEmpty();
	}

	@Test
	@DisplayName("2.13 Stats of a client, which take nothing")
	void aPeekReportsWhatARequestWouldGetAndTakesNothing() {
		RateLimitDecision full = this.limiter.peek("by-ip", "1.2.3.4");
		assertThat(full.isAllowed()).isTrue();
		assertThat(full.quotas()).extracting("limit", "remaining").containsExactly(tuple(2L, 2L));
		tryAcquire("by-ip", "1.2.3.4");
		tryAcquire("by-ip", "1.2.3.4");
		this.clock.advance(Duration.ofSeconds(20));
		RateLimitDecision refused = this.limiter.peek("by-ip", "1.2.3.4");
		assertThat(refused.quotas()).isEqualTo(tryAcquire("by-ip", "1.2.3.4").quotas());
		assertThat(((RateLimitDecision.Rejected) refused).retryAfter()).contains(Duration.ofSeconds(40));
		this.clock.advance(Duration.ofSeconds(40));
		assertThat(this.limiter.peek("by-ip", "1.2.3.4")).isEqualTo(full);
		assertThat(this.store.acquired()).hasSize(3);
	}

	@Test
	@DisplayName("2.13 Reset of a client")
	void aResetLeavesTheWholeLimit() {
		assertThat(tryAcquire("by-tenant", new String[] { "a", "1" }, 2).isAllowed()).isTrue();
		assertThat(tryAcquire("by-tenant", new String[] { "b", "1" }, 2).isAllowed()).isTrue();
		assertThat(this.limiter.reset("by-tenant", "a", "1")).isTrue();
		assertThat(this.limiter.peek("by-tenant", "a", "1").quotas().get(0).remaining()).isEqualTo(2);
		assertThat(tryAcquire("by-tenant", "b", "1").isAllowed()).isFalse();
	}

	@Test
	void aPeekReportsARuleInShadowAsItWouldDecide() {
		tryAcquire("shadow");
		assertThat(this.limiter.peek("shadow")).isInstanceOf(RateLimitDecision.Rejected.class);
	}

	@Test
	void aPeekFollowsOverrides() {
		assertThat(this.limiter.peek("special", "10.0.0.1").isAllowed()).isFalse();
		assertThat(this.limiter.peek("special", "10.1.0.1")).isEqualTo(new Allowed("special", Source.NONE, List.of()));
		assertThat(this.limiter.reset("special", "10.0.0.1")).isTrue();
	}

	@Test
	void aDisabledRuleCountsNothingThatCouldBeReset() {
		assertThat(this.limiter.peek("off", "1.2.3.4")).isEqualTo(new Allowed("off", Source.NONE, List.of()));
		assertThat(this.limiter.reset("off", "1.2.3.4")).isTrue();
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.limiter.peek("nope", "a"));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.limiter.reset("global", "a"));
	}

	@Test
	void anUnknownRuleIsAnErrorThatNamesTheKnownOnes() {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> tryAcquire("nope", "a"))
			.withMessage(
					"There is no rate limit rule 'nope'. The rules are: [by-bean, by-ip, by-tenant, costly, global, off, shadow, special]");
	}

	@Test
	void aKeyThatDoesNotFitIsAnErrorEvenWhileTheRuleIsDisabled() {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> tryAcquire("by-tenant", "a"))
			.withMessage("Rule 'by-tenant' counts by [header:X-Tenant, path:id]: its key takes 2 values, not 1");
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> tryAcquire("global", "a"))
			.withMessageContaining("its key takes 0 values");
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> tryAcquire("off"));
	}

	@Test
	void lessThanOnePermitIsAnError() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> tryAcquire("global", new String[0], 0))
			.withMessage("permits must be at least 1, but is 0");
	}

	@Test
	void moreThanALogTakesAtOnceIsAnError() {
		String[] key = {};
		assertThat(tryAcquire("global", key, 100).isAllowed()).isFalse();
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> tryAcquire("global", key, 101))
			.withMessage("permits must be at most 100 of rule 'global', but is 101: a sliding-window-log stores "
					+ "each permit. Use algorithm sliding-window-counter");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.limiter.acquire("global", key, 101, Duration.ZERO))
			.withMessageContaining("permits must be at most 100");
	}

}
