package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.ReleaseResult;
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

	private final Leases leases = newLeases();

	private final AtomicInteger ids = new AtomicInteger();

	private Leases newLeases() {
		return new Leases(this.store, true, this.clock::nanoTime);
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

	private AcquireResult acquire(Leases leases, Limit limit, long cost) {
		return leases.store().acquire(List.of(request(limit, "s", cost)), Patience.LONG).get(0);
	}

	private AcquireResult acquire(Limit limit) {
		return acquire(this.leases, limit, 1);
	}

	private static boolean isAdmitted(AcquireResult result) {
		return (result instanceof AcquireResult.FromLease known) ? isAdmitted(known.result())
				: result instanceof AcquireResult.Admitted;
	}

	/** The permits that were requested of the store, call by call. */
	private List<Long> wanted() {
		return this.store.asked().stream().map((requests) -> requests.get(0).wanted()).toList();
	}

	private void acquireEvery(Duration gap, int times, Limit limit) {
		for (int i = 0; i < times; i++) {
			assertThat(isAdmitted(acquire(limit))).isTrue();
			this.clock.advance(gap);
		}
	}

	@Test
	void leasesGrowTwofoldToWhatIsSpentInTheirLife() {
		acquireEvery(Duration.ofMillis(1), 5000, limit("100000/1m"));
		assertThat(wanted().subList(0, 11)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 750L);
		assertThat(wanted()).hasSizeLessThan(5000 / 200);
	}

	@Test
	void aKeyThatIsRarelySeenReservesNothing() {
		acquireEvery(Duration.ofSeconds(1), 20, limit("100/1m"));
		assertThat(wanted()).hasSize(20).containsOnly(1L);
	}

	@Test
	void leasesShrinkWhereTheDemandDoes() {
		Limit limit = limit("100000/1m");
		acquireEvery(Duration.ofMillis(1), 3000, limit);
		acquireEvery(Duration.ofMillis(300), 10, limit);
		assertThat(wanted().get(wanted().size() - 1)).isLessThanOrEqualTo(4);
	}

	@Test
	void nearTheLimitLeasesShrinkUntilEveryPermitIsSpent() {
		Limit limit = limit("100/1m");
		acquireEvery(Duration.ofNanos(10_000), 100, limit);
		assertThat(isAdmitted(acquire(limit))).isFalse();
	}

	private static AcquireResult plain(AcquireResult result) {
		return (result instanceof AcquireResult.FromLease known) ? known.result() : result;
	}

	@Test
	void aLeaseOfAFixedSizeIsReservedAtOnce() {
		Limit limit = ofSize(20);
		acquireEvery(Duration.ofMillis(1), 20, limit);
		assertThat(wanted()).containsExactly(20L);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER", "FIXED_WINDOW" })
	void theRestOfALeaseIsReleasedAtItsEnd(Algorithm algorithm) {
		Limit limit = limit(RLConfig.builder("a").algorithm(algorithm), "60/1m");
		acquireEvery(Duration.ofMillis(1), 16, limit);
		Leases other = newLeases();
		assertThat(isAdmitted(acquire(other, limit, 44))).as("while some are reserved").isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		this.leases.tidy();
		assertThat(isAdmitted(acquire(other, limit, 44))).isTrue();
		assertThat(isAdmitted(acquire(newLeases(), limit, 1))).isFalse();
	}

	@Test
	void aLeaseIsNotSpentAfterItsEnd() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 10, limit);
		int calls = this.store.asked().size();
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.FromLease.class);
		this.clock.advance(Duration.ofMillis(750));
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.store.asked()).hasSize(calls + 1);
	}

	@Test
	void aLeaseEndsEarlyByAsMuchAsAClockMayRunSlow() {
		Limit limit = ofSize(20);
		acquire(limit);
		this.clock.advanceMicros(750_000 - 750 - 2);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.FromLease.class);
		this.clock.advanceMicros(1);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void aRefusalIsRepeatedWithoutTheStore() {
		Limit limit = limit("1/1m");
		acquire(limit);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
		int calls = this.store.asked().size();
		this.clock.advance(Duration.ofMillis(900));
		assertThat(acquire(limit)).isInstanceOfSatisfying(AcquireResult.FromLease.class,
				(known) -> assertThat(((AcquireResult.Refused) known.result()).usage().get(0).retryMicros())
					.isEqualTo(60_750_000 - 900_000));
		assertThat(this.store.asked()).hasSize(calls);
		this.clock.advance(Duration.ofMillis(100));
		assertThat(acquire(limit)).as("others may have released permits").isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.store.asked()).hasSize(calls + 1);
	}

	@Test
	void aRefusalDoesNotApplyToSmallerCosts() {
		Limit limit = limit("10/1m");
		assertThat(isAdmitted(acquire(this.leases, limit, 8))).isTrue();
		assertThat(isAdmitted(acquire(this.leases, limit, 3))).isFalse();
		assertThat(isAdmitted(acquire(this.leases, limit, 2))).isTrue();
	}

	@Test
	void permitsThatAnotherRuleRefusesStayForTheNextRequest() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 9, limit);
		AcquireRequest request = request(limit, "s", 1);
		AcquireResult.Admitted admitted = (AcquireResult.Admitted) plain(
				this.leases.store().acquire(List.of(request), Patience.LONG).get(0));
		AcquiredPermits taken = new AcquiredPermits(request, admitted.receipts());
		assertThat(this.leases.store().release(List.of(taken), Patience.LONG))
			.containsExactly(ReleaseResult.ACKNOWLEDGED);
		assertThat(this.store.released()).as("no call").isEmpty();
		Usage before = admitted.usage().get(0);
		assertThat(((AcquireResult.Admitted) plain(acquire(limit))).usage().get(0).remaining())
			.isEqualTo(before.remaining());
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.leases.store().release(List.of(taken), Patience.LONG)).as("too late")
			.containsExactly(ReleaseResult.LOST);
	}

	@Test
	void aRequestDuringARenewalAcquiresAndReleasesAtTheStoreItself() {
		Limit limit = limit("60/1m");
		List<AcquireRequest> meanwhile = new ArrayList<>();
		List<AcquireResult> results = new ArrayList<>();
		this.store.whileAsked(() -> {
			if (meanwhile.isEmpty()) {
				meanwhile.add(request(limit, "s", 1));
				results.addAll(this.leases.store().acquire(meanwhile, Patience.LONG));
			}
		});
		acquire(limit);
		assertThat(wanted()).containsExactly(1L, 1L);
		AcquiredPermits taken = new AcquiredPermits(meanwhile.get(0),
				((AcquireResult.Admitted) results.get(0)).receipts());
		assertThat(this.leases.store().release(List.of(taken), Patience.LONG))
			.containsExactly(ReleaseResult.ACKNOWLEDGED);
		assertThat(this.store.released()).containsExactly("a");
	}

	@Test
	void whileTheStoreIsAwayALeaseIsSpentToItsEnd() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 9, limit);
		this.store.failFor("a");
		assertThat(isAdmitted(acquire(limit))).isTrue();
		this.clock.advance(Duration.ofMillis(750));
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Failed.class);
		this.store.recover();
		assertThat(isAdmitted(acquire(limit))).as("renewing is not stuck").isTrue();
	}

	@Test
	void aNewRuleSetDropsLeasesAndTakenPermitsStayCounted() {
		acquireEvery(Duration.ofMillis(1), 16, limit("60/1m"));
		Limit reloaded = limit("60/1m");
		assertThat(acquire(reloaded)).isInstanceOf(AcquireResult.Admitted.class);
		this.clock.advance(Duration.ofSeconds(1));
		this.leases.tidy();
		assertThat(isAdmitted(acquire(this.leases, reloaded, 43))).isTrue();
		assertThat(isAdmitted(acquire(newLeases(), reloaded, 1))).isFalse();
	}

	@Test
	void releaseAllReleasesAllUnspentPermits() {
		Limit limit = limit("60/1m");
		acquireEvery(Duration.ofMillis(1), 16, limit);
		this.leases.releaseAll();
		assertThat(isAdmitted(acquire(newLeases(), limit, 44))).isTrue();
	}

	@Test
	void subjectsBeyondTheMaximumAcquireOneByOne() {
		Limit limit = limit("60/1m");
		for (int i = 0; i < LimitLeases.MOST_SUBJECTS; i++) {
			this.leases.store().acquire(List.of(request(limit, "s" + i, 1)), Patience.LONG);
		}
		int calls = this.store.asked().size();
		acquireEvery(Duration.ofNanos(1000), 10, limit);
		assertThat(this.store.asked()).as("the subject is one too many").hasSize(calls + 10);
		this.clock.advance(Duration.ofSeconds(2));
		this.leases.tidy();
		acquireEvery(Duration.ofNanos(1000), 10, limit);
		assertThat(this.store.asked()).as("the others were evicted").hasSizeLessThan(calls + 20);
	}

	@Test
	void rulesOfOtherModesPassThrough() {
		Limit strict = Limit.of(RLConfig.builder("b").thresholds("5/1m").build());
		List<AcquireRequest> requests = List.of(request(strict, "s", 1), request(limit("60/1m"), "s", 1));
		assertThat(this.leases.store().acquire(requests, Patience.LONG)).allMatch(LeasesTests::isAdmitted);
		assertThat(this.store.asked()).singleElement().satisfies((sent) -> {
			assertThat(sent.get(0)).isSameAs(requests.get(0));
			assertThat(sent.get(1).limit().windowMicros(0)).isEqualTo(60_750_000);
		});
	}

}
