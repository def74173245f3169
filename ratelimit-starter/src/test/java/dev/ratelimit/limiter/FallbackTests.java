package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What instances admit while the shared store is away, each on its share: several
 * limiters on one store and one clock, as several instances are.
 */
@ParameterizedClass
@EnumSource
class FallbackTests {

	@Parameter
	private Caller caller;

	private static final String CLIENT = "1.2.3.4";

	private static final AtomicInteger NUMBER = new AtomicInteger();

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final List<Instance> instances = new ArrayList<>();

	private void start(int count) {
		for (int rank = 0; rank < count; rank++) {
			this.instances.add(new Instance(new InstanceShare(count, OptionalInt.of(rank))));
		}
	}

	private static CompiledRule rule(RLConfigBuilder rule) {
		return CompiledRule.of(rule.build(), 64, false);
	}

	private static RLConfigBuilder local(String... thresholds) {
		return RLConfig.builder("r").thresholds(thresholds);
	}

	/** How many of these requests each instance admits. */
	private List<Integer> admitted(CompiledRule rule, int requests) {
		return this.instances.stream()
			.map((instance) -> (int) IntStream.range(0, requests)
				.filter((i) -> instance.decide(rule, 1) instanceof Allowed)
				.count())
			.toList();
	}

	@Test
	void sharesAddUpToTheLimit() {
		start(3);
		this.store.failFor("r");
		assertThat(admitted(rule(local("100/1m")), 200)).containsExactly(34, 33, 33);
	}

	@ParameterizedTest
	@EnumSource(Algorithm.class)
	void sharesOfEveryAlgorithmAddUpToItsLimit(Algorithm algorithm) {
		start(7);
		this.store.failFor("r");
		assertThat(admitted(rule(local("100/1h", "50/1m").algorithm(algorithm)), 60)).containsExactly(8, 7, 7, 7, 7, 7,
				7);
	}

	/** The store still counts other requests, so the limit would be granted twice. */
	@Test
	void aRequestDroppedByOverloadIsNotCountedLocally() {
		start(1);
		this.store.overloadFor("r");
		CompiledRule rule = rule(local("2/1m"));
		assertThat(this.instances.get(0).decide(rule, 1))
			.isEqualTo(new RateLimitDecision.Unavailable("r", Duration.ofSeconds(1)));
		assertThat(this.instances.get(0).decide(rule(local("2/1m").onStoreFailure(OnStoreFailure.DENY)), 1))
			.isEqualTo(new RateLimitDecision.Unavailable("r", Duration.ofSeconds(1)));
		assertThat(this.instances.get(0).decide(rule(local("2/1m").onStoreFailure(OnStoreFailure.ALLOW)), 1))
			.isInstanceOf(Allowed.class);
		this.store.failFor("r");
		assertThat(admitted(rule, 5)).as("nothing was counted here before").containsExactly(2);
	}

	@Test
	void aBurstIsDividedLikeItsThreshold() {
		start(2);
		this.store.failFor("r");
		RLThreshold threshold = new RLThreshold(2, Duration.ofSeconds(1)).withBurst(7);
		CompiledRule rule = rule(
				RLConfig.builder("r").algorithm(Algorithm.TOKEN_BUCKET).thresholds(List.of(threshold)));
		assertThat(admitted(rule, 10)).containsExactly(4, 3);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(admitted(rule, 10)).containsExactly(1, 1);
	}

	@Test
	void plansAndOverridesAreDividedToo() {
		start(3);
		this.store.failFor("r");
		CompiledRule rule = rule(local("100/1m").overrides(List
			.of(new KeyOverride(List.of(CLIENT), new Allowance.Limited(List.of(RLThreshold.valueOf("7/1m")))))));
		assertThat(admitted(rule, 10)).containsExactly(3, 2, 2);
	}

	@Test
	void anInstanceWithoutAShareRefusesUntilTheStoreIsTriedAgain() {
		start(3);
		this.store.failFor("r");
		CompiledRule rule = rule(local("2/1m"));
		assertThat(admitted(rule, 5)).containsExactly(1, 1, 0);
		Rejected rejected = (Rejected) this.instances.get(2).decide(rule, 1);
		assertThat(rejected.source()).isEqualTo(Source.LOCAL);
		assertThat(rejected.retryAfter()).contains(Duration.ofSeconds(1));
	}

	@ParameterizedTest
	@CsvSource({ "4, PT1S", "10, PT1S", "11, none" })
	void aCostAboveTheShareMayPassWhenTheStoreIsBack(long cost, String retryAfter) {
		start(3);
		this.store.failFor("r");
		Rejected rejected = (Rejected) this.instances.get(1).decide(rule(local("10/1m")), cost);
		assertThat(rejected.retryAfter().map(Duration::toString).orElse("none")).isEqualTo(retryAfter);
	}

	@Test
	void aDecisionReportsTheLimitOfTheRuleAndTheRestOfTheShare() {
		start(3);
		this.store.failFor("r");
		Quota quota = this.instances.get(0).decide(rule(local("100/1m")), 1).quotas().get(0);
		assertThat(quota.limit()).isEqualTo(100);
		assertThat(quota.remaining()).isEqualTo(33);
	}

	@Test
	void aShareThatChangesKeepsWhatWasUsed() {
		this.instances.add(new Instance(new InstanceShare(3, OptionalInt.of(1))));
		this.store.failFor("r");
		CompiledRule rule = rule(local("100/1m"));
		assertThat(admitted(rule, 100)).containsExactly(33);
		this.instances.get(0).share = new InstanceShare(2, OptionalInt.of(1));
		assertThat(admitted(rule, 100)).containsExactly(50 - 33);
	}

	@Test
	void aWindowThatSpansOutagesHoldsAtMostTheLimitAndOnceMoreTheShares() {
		start(3);
		CompiledRule rule = rule(local("100/1m"));
		int admitted = 0;
		for (int outage = 0; outage < 5; outage++) {
			this.store.recover();
			admitted += sum(admitted(rule, 100));
			this.clock.advance(Duration.ofSeconds(5));
			this.store.failFor("r");
			admitted += sum(admitted(rule, 100));
			this.clock.advance(Duration.ofSeconds(5));
		}
		assertThat(admitted).isEqualTo(2 * 100);
		this.clock.advance(Duration.ofSeconds(15));
		assertThat(sum(admitted(rule, 100))).as("a minute after the first outage").isEqualTo(100);
	}

	private static int sum(List<Integer> numbers) {
		return numbers.stream().mapToInt(Integer::intValue).sum();
	}

	@Test
	void aRefusalReleasesPermitsToTheShare() {
		start(2);
		this.store.failFor("r");
		CompiledRule rule = rule(local("2/1m"));
		CompiledRule blocking = rule(RLConfig.builder("other").thresholds("1/1m"));
		Instance one = this.instances.get(0);
		assertThat(one.decide(blocking, 1)).isInstanceOf(Allowed.class);
		assertThat(one.decide(rule, blocking).isAdmitted()).isFalse();
		assertThat(one.decide(rule, 1)).isInstanceOf(Allowed.class);
		assertThat(one.decide(rule, 1)).isInstanceOf(Rejected.class);
	}

	@Test
	void denyReportsWhenTheStoreIsTriedAgainButNotTooSoon() {
		start(1);
		CompiledRule rule = rule(local("2/1m").onStoreFailure(OnStoreFailure.DENY));
		this.store.failFor("r", Duration.ofMillis(2300));
		assertThat(this.instances.get(0).decide(rule, 1)).isEqualTo(new Unavailable("r", Duration.ofMillis(2300)));
		this.store.failFor("r", Duration.ofMillis(300));
		assertThat(this.instances.get(0).decide(rule, 1)).isEqualTo(new Unavailable("r", Duration.ofSeconds(1)));
	}

	private final class Instance {

		private final RequestLimiter limiter;

		private InstanceShare share;

		Instance(InstanceShare share) {
			this.share = share;
			MovableClock clock = FallbackTests.this.clock;
			this.limiter = TestLimiter.over(FallbackTests.this.store, clock)
				.fallback(new Fallback(new MemoryStore(clock), () -> this.share))
				.permitIds(new PermitIds(new SplittableRandom(NUMBER.incrementAndGet())))
				.build();
		}

		RateLimitDecision decide(CompiledRule rule, long cost) {
			return decide(List.of(acquire(rule, cost))).decided().get(0).decision();
		}

		RequestDecision decide(CompiledRule... rules) {
			return decide(List.of(rules).stream().map((rule) -> acquire(rule, 1)).toList());
		}

		private RequestDecision decide(List<RuleRequest> ruleRequests) {
			return FallbackTests.this.caller.obtain(this.limiter.decide(ruleRequests, this.limiter.newBudget()));
		}

		private RuleRequest acquire(CompiledRule rule, long cost) {
			return FallbackTests.this.subjects.byKey(rule, List.of(CLIENT), Optional.empty(), cost);
		}

	}

}
