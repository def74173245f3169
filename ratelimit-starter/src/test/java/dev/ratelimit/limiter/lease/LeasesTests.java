package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.TestPipeline;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How leases grow, shrink, end and come back, on one clock for all.
 */
class LeasesTests {

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final Instance one = new Instance();

	private final AtomicInteger ids = new AtomicInteger();

	/** An instance of the application that leases from the store. */
	private final class Instance {

		private final Leases leases = RenewalsByHand.atOnce(
				TestLimiter.over(LeasesTests.this.store, LeasesTests.this.clock::nanoTime).remote(),
				LeasesTests.this.clock::nanoTime);

		private final TestPipeline pipeline = TestPipeline.leasing(this.leases, LeasesTests.this.store,
				LeasesTests.this.clock::nanoTime);

	}

	/** Leases of a second: 750 ms to spend them. */
	private static Limit limit(String threshold) {
		return limit(RLConfig.builder("a"), threshold);
	}

	private static Limit limit(RLConfigBuilder rule, String threshold) {
		return Limit.of(rule.mode(Mode.LEASED).thresholds(threshold).build());
	}

	private static Limit ofSize(long size) {
		return Limit.of(RLConfig.builder("a")
			.mode(new Mode.Leased(Mode.LEASED.time(), Optional.of(size)))
			.thresholds("100/1m")
			.build());
	}

	private AcquireRequest request(Limit limit, String subject, long cost) {
		return new AcquireRequest(limit, new Subject(subject), cost, new PermitId("p" + this.ids.incrementAndGet()));
	}

	private Slot acquire(Instance instance, Limit limit, long cost) {
		return instance.pipeline.acquire(request(limit, "s", cost));
	}

	private Slot acquire(Limit limit) {
		return acquire(this.one, limit, 1);
	}

	private static boolean isAdmitted(Slot slot) {
		return slot.result() instanceof AcquireResult.Admitted;
	}

	/** The permits that were requested of the store, call by call. */
	private List<Long> wanted() {
		return this.store.acquired().stream().map((requests) -> requests.get(0).wanted()).toList();
	}

	private void acquireEvery(Duration gap, int times, Limit limit) {
		for (int i = 0; i < times; i++) {
			assertThat(isAdmitted(acquire(limit))).isTrue();
			this.clock.advance(gap);
		}
	}

	@Test
	void leasesGrowTwofoldToWhatIsSpentInTheirLife() {
		acquireEvery(Duration.ofMillis(10), 5000, limit("100000/1m"));
		assertThat(wanted().subList(0, 8)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 75L);
		assertThat(wanted()).hasSizeLessThan(5000 / 50);
	}

	@Test
	void aKeyThatIsRarelySeenReservesNothing() {
		acquireEvery(Duration.ofSeconds(1), 20, limit("100/1m"));
		assertThat(wanted()).hasSize(20).containsOnly(1L);
	}

	/** Else a request could fetch a lease that nothing ever spends or returns. */
	@Test
	void leasesThatRetireTakeNoMoreSubjects() {
		LimitLeases leases = new LimitLeases(LeaseTerms.of(limit("100/1m"), Mode.LEASED));
		assertThat(leases.of(new Subject("a"), 0)).isNotNull();
		assertThat(leases.retire()).as("while there is a subject").isFalse();
		leases.end((left) -> {
		});
		assertThat(leases.retire()).isTrue();
		assertThat(leases.of(new Subject("a"), 0)).isNull();
	}

	@Test
	void leasesShrinkWhereTheDemandDoes() {
		Limit limit = limit("100000/1m");
		acquireEvery(Duration.ofMillis(1), 3000, limit);
		acquireEvery(Duration.ofMillis(300), 10, limit);
		assertThat(wanted().get(wanted().size() - 1)).isLessThanOrEqualTo(4);
	}

	@Test
	void permitsThatWereReturnedAreNoDemand() {
		Limit limit = limit("100000/1m");
		acquireEvery(Duration.ofMillis(1), 3000, limit);
		for (int i = 0; i < 3; i++) {
			this.clock.advance(Duration.ofMillis(800));
			this.one.leases.tidy();
			acquireEvery(Duration.ofMillis(1), 1, limit);
		}
		assertThat(wanted().get(wanted().size() - 1)).isLessThanOrEqualTo(4);
	}

	@Test
	void nearTheLimitLeasesShrinkUntilEveryPermitIsSpent() {
		Limit limit = limit("100/1m");
		acquireEvery(Duration.ofNanos(10_000), 100, limit);
		assertThat(isAdmitted(acquire(limit))).isFalse();
	}

	@Test
	void aLeaseOfAFixedSizeIsReservedAtOnce() {
		Limit limit = ofSize(20);
		acquireEvery(Duration.ofMillis(1), 17, limit);
		assertThat(wanted()).containsExactly(20L);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER", "FIXED_WINDOW" })
	void theRestOfALeaseIsReleasedAtItsEnd(Algorithm algorithm) {
		Limit limit = limit(RLConfig.builder("a").algorithm(algorithm), "60/1m");
		acquireEvery(Duration.ofMillis(1), 16, limit);
		Instance other = new Instance();
		assertThat(isAdmitted(acquire(other, limit, 44))).as("while some are reserved").isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		this.one.leases.tidy();
		assertThat(isAdmitted(acquire(other, limit, 44))).isTrue();
		assertThat(isAdmitted(acquire(new Instance(), limit, 1))).isFalse();
	}

	@Test
	void aLeaseIsNotSpentAfterItsEnd() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 10, limit);
		int calls = this.store.acquired().size();
		assertThat(acquire(limit).source()).isEqualTo(Source.LEASE);
		this.clock.advance(Duration.ofMillis(750));
		assertThat(acquire(limit).source()).isEqualTo(Source.STORE);
		assertThat(this.store.acquired()).hasSize(calls + 1);
	}

	@Test
	void aLeaseEndsEarlyByAsMuchAsAClockMayRunSlow() {
		Limit limit = ofSize(20);
		acquire(limit);
		this.clock.advanceMicros(750_000 - 750 - 2);
		assertThat(acquire(limit).source()).isEqualTo(Source.LEASE);
		this.clock.advanceMicros(1);
		assertThat(acquire(limit).source()).isEqualTo(Source.STORE);
	}

	@Test
	void aRefusalIsRepeatedWithoutTheStore() {
		Limit limit = limit("1/1m");
		acquire(limit);
		assertThat(acquire(limit).result()).isInstanceOf(AcquireResult.Refused.class);
		int calls = this.store.acquired().size();
		this.clock.advance(Duration.ofMillis(900));
		Slot repeated = acquire(limit);
		assertThat(repeated.source()).isEqualTo(Source.LEASE);
		assertThat(repeated.result()).isInstanceOfSatisfying(AcquireResult.Refused.class,
				(refused) -> assertThat(refused.usage().get(0).retryMicros()).isEqualTo(60_750_000 - 900_000));
		assertThat(this.store.acquired()).hasSize(calls);
		this.clock.advance(Duration.ofMillis(100));
		assertThat(acquire(limit).source()).as("others may have released permits").isEqualTo(Source.STORE);
		assertThat(this.store.acquired()).hasSize(calls + 1);
	}

	@Test
	void aRefusalDoesNotApplyToSmallerCosts() {
		Limit limit = limit("10/1m");
		assertThat(isAdmitted(acquire(this.one, limit, 8))).isTrue();
		assertThat(isAdmitted(acquire(this.one, limit, 3))).isFalse();
		assertThat(isAdmitted(acquire(this.one, limit, 2))).isTrue();
	}

	@Test
	void permitsThatAnotherRuleRefusesStayForTheNextRequest() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 9, limit);
		Slot slot = acquire(limit);
		assertThat(this.one.pipeline.release(slot)).isEqualTo(SettlementResult.ACKNOWLEDGED);
		assertThat(this.store.released()).as("no call").isEmpty();
		assertThat(remaining(acquire(limit))).isEqualTo(remaining(slot));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.one.pipeline.release(slot)).as("too late").isEqualTo(SettlementResult.LOST);
	}

	@Test
	void theWindowsOfAdmissionsAge() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 9, limit);
		this.store.failFor("a");
		long before = usage(acquire(limit)).resetMicros();
		this.clock.advance(Duration.ofMillis(100));
		assertThat(usage(acquire(limit)).resetMicros()).isEqualTo(before - 100_000);
	}

	private static long remaining(Slot slot) {
		return usage(slot).remaining();
	}

	private static Usage usage(Slot slot) {
		return ((AcquireResult.Admitted) slot.result()).usage().get(0);
	}

	@Test
	void aRequestDuringARenewalAcquiresAndReleasesAtTheStoreItself() {
		Limit limit = limit("60/1m");
		List<AcquireRequest> meanwhile = new ArrayList<>();
		List<Slot> slots = new ArrayList<>();
		this.store.duringCalls(() -> {
			if (meanwhile.isEmpty()) {
				meanwhile.add(request(limit, "s", 1));
				slots.addAll(this.one.pipeline.acquire(meanwhile));
			}
		});
		acquire(limit);
		assertThat(wanted()).containsExactly(1L, 1L);
		assertThat(this.one.pipeline.release(slots.get(0))).isEqualTo(SettlementResult.ACKNOWLEDGED);
		assertThat(this.store.released()).containsExactly("a");
	}

	@Test
	void whileTheStoreIsAwayALeaseIsSpentToItsEnd() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 9, limit);
		this.store.failFor("a");
		assertThat(isAdmitted(acquire(limit))).isTrue();
		this.clock.advance(Duration.ofMillis(750));
		assertThat(acquire(limit).result()).isInstanceOf(AcquireResult.Failed.class);
		this.store.recover();
		assertThat(isAdmitted(acquire(limit))).as("renewing is not stuck").isTrue();
	}

	@Test
	void aNewRuleSetDropsLeasesAndTakenPermitsStayCounted() {
		acquireEvery(Duration.ofMillis(1), 16, limit("60/1m"));
		Limit reloaded = limit("60/1m");
		assertThat(acquire(reloaded).source()).isEqualTo(Source.STORE);
		this.clock.advance(Duration.ofSeconds(1));
		this.one.leases.tidy();
		assertThat(isAdmitted(acquire(this.one, reloaded, 43))).isTrue();
		assertThat(isAdmitted(acquire(new Instance(), reloaded, 1))).isFalse();
	}

	@Test
	void closeReleasesAllUnspentPermits() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 16, limit);
		this.one.leases.close();
		assertThat(isAdmitted(acquire(new Instance(), limit, 44))).isTrue();
	}

	/** A store may be farther away than a tenth of a second. */
	@Test
	void aReleaseMayTakeHalfASecond() {
		acquireEvery(Duration.ofMillis(1), 16, limit("60/1m"));
		this.store.maxWaits().clear();
		this.one.leases.close();
		assertThat(this.store.maxWaits()).containsExactly(Duration.ofMillis(500));
	}

	@Test
	void subjectsBeyondTheMaximumAcquireOneByOne() {
		Limit limit = limit("60/1m");
		for (int i = 0; i < LimitLeases.MOST_SUBJECTS; i++) {
			this.one.pipeline.acquire(request(limit, "s" + i, 1));
		}
		int calls = this.store.acquired().size();
		acquireEvery(Duration.ofNanos(1000), 10, limit);
		assertThat(this.store.acquired()).as("the subject is one too many").hasSize(calls + 10);
		this.clock.advance(Duration.ofSeconds(2));
		this.one.leases.tidy();
		acquireEvery(Duration.ofNanos(1000), 10, limit);
		assertThat(this.store.acquired()).as("the others were evicted").hasSizeLessThan(calls + 20);
	}

	@Test
	void rulesOfOtherModesPassThrough() {
		Limit strict = Limit.of(RLConfig.builder("b").thresholds("5/1m").build());
		List<AcquireRequest> requests = List.of(request(strict, "s", 1), request(limit("60/1m"), "s", 1));
		assertThat(this.one.pipeline.acquire(requests)).allMatch(LeasesTests::isAdmitted);
		assertThat(this.store.acquired()).singleElement().satisfies((sent) -> {
			assertThat(sent.get(0)).isSameAs(requests.get(0));
			assertThat(sent.get(1).limit().windowMicros(0)).isEqualTo(60_750_000);
		});
	}

}
