package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

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
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which leases are renewed before a request finds nothing left, and when. A lease time of
 * a second gives 750 ms to spend a lease.
 */
class LeaseRenewalsTests {

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RenewalsByHand renewals = new RenewalsByHand();

	private final Leases leases = this.renewals.leases(TestLimiter.over(this.store, this.clock::nanoTime).remote(),
			this.clock::nanoTime);

	private final TestPipeline pipeline = TestPipeline.leasing(this.leases, this.store, this.clock::nanoTime);

	private final AtomicInteger ids = new AtomicInteger();

	private static RLConfigBuilder rule(String threshold) {
		return RLConfig.builder("a").mode(Mode.LEASED).thresholds(threshold);
	}

	private static Limit ofSize(long size, Algorithm algorithm) {
		return Limit.of(rule("1000/1m").algorithm(algorithm)
			.mode(new Mode.Leased(Mode.LEASED.time(), Optional.of(size)))
			.build());
	}

	private static Limit ofSize(long size) {
		return ofSize(size, Algorithm.SLIDING_WINDOW_LOG);
	}

	private Slot acquire(Limit limit, Subject subject) {
		return this.pipeline
			.acquire(new AcquireRequest(limit, subject, 1, new PermitId("p" + this.ids.incrementAndGet())));
	}

	private void spend(Limit limit, int permits) {
		for (int i = 0; i < permits; i++) {
			assertThat(acquire(limit, SUBJECT).result()).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	private int calls() {
		return this.store.acquired().size();
	}

	@Test
	void aSteadyDemandDoesNotWaitForTheStore() {
		Limit limit = Limit.of(rule("100000/1m").build());
		for (int i = 0; i < 5000; i++) {
			Slot slot = acquire(limit, SUBJECT);
			assertThat(slot.result()).isInstanceOf(AcquireResult.Admitted.class);
			if (i > 20) {
				assertThat(slot.source()).as("request %d", i).isEqualTo(Source.LEASE);
			}
			this.renewals.run();
			this.clock.advance(Duration.ofMillis(1));
		}
	}

	@Test
	void aLeaseIsRenewedWhenAnEighthOfItIsLeft() {
		Limit limit = ofSize(16);
		spend(limit, 13);
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
		spend(limit, 1);
		this.renewals.run();
		assertThat(calls()).isEqualTo(2);
	}

	@Test
	void aLeaseIsRenewedInTheLastEighthOfItsLife() {
		Limit limit = ofSize(16);
		spend(limit, 8);
		this.clock.advance(Duration.ofMillis(655));
		spend(limit, 1);
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(1));
		spend(limit, 1);
		this.renewals.run();
		assertThat(calls()).isEqualTo(2);
	}

	@Test
	void aLeaseOfWhichMostIsLeftIsNotRenewed() {
		Limit limit = ofSize(16);
		spend(limit, 6);
		this.clock.advance(Duration.ofMillis(700));
		spend(limit, 1);
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
	}

	@Test
	void aLeaseOfFewPermitsIsNotRenewed() {
		Limit limit = ofSize(7);
		spend(limit, 6);
		this.clock.advance(Duration.ofMillis(700));
		spend(limit, 1);
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_WINDOW_COUNTER", "FIXED_WINDOW" })
	void aLeaseThatEndsWithItsWindowIsNotRenewedBeforeThat(Algorithm algorithm) {
		Limit limit = ofSize(16, algorithm);
		this.clock.advanceMicros(60_000_000 - this.clock.micros() % 60_000_000 - 100_000);
		spend(limit, 8);
		this.clock.advance(Duration.ofMillis(95));
		spend(limit, 5);
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
		spend(limit, 1);
		this.renewals.run();
		assertThat(calls()).as("it is nearly spent").isEqualTo(2);
	}

	@Test
	void whatIsLeftIsSpentBeforeTheNextLeaseBegins() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		this.clock.advance(Duration.ofMillis(100));
		this.renewals.run();
		spend(limit, 2);
		this.clock.advance(Duration.ofMillis(650));
		this.leases.tidy();
		assertThat(this.store.released()).as("nothing was left").isEmpty();
		assertThat(this.leases.left(limit, SUBJECT)).isEqualTo(16);
	}

	@Test
	void whatIsLeftOfALeaseBeforeTheLastIsReleasedAtItsEnd() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		this.clock.advance(Duration.ofMillis(100));
		this.renewals.run();
		this.clock.advance(Duration.ofMillis(650));
		this.leases.tidy();
		assertThat(this.store.released()).hasSize(1);
		this.clock.advance(Duration.ofMillis(100));
		this.leases.tidy();
		assertThat(this.store.released()).as("and so is that of the last").hasSize(2);
	}

	@Test
	void leasesThatAreDueTogetherAreRenewedInOneCall() {
		Limit limit = ofSize(16, Algorithm.FIXED_WINDOW);
		List<Subject> subjects = IntStream.range(0, 600).mapToObj((number) -> new Subject("s" + number)).toList();
		subjects.forEach((subject) -> {
			for (int i = 0; i < 16; i++) {
				acquire(limit, subject);
			}
		});
		assertThat(calls()).isEqualTo(600);
		this.renewals.run();
		assertThat(this.store.acquired().subList(600, 602)).extracting(List::size).containsExactly(500, 100);
		subjects.forEach((subject) -> assertThat(acquire(limit, subject).source()).isEqualTo(Source.LEASE));
	}

	@Test
	void aLeaseIsRenewedAheadOnce() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		this.store.failFor("a");
		this.renewals.run();
		spend(limit, 2);
		this.renewals.run();
		assertThat(calls()).as("the store is not called by each request").isEqualTo(2);
		assertThat(acquire(limit, SUBJECT).result()).isInstanceOf(AcquireResult.Failed.class);
		this.store.recover();
		spend(limit, 2);
		assertThat(calls()).as("renewing is not stuck").isEqualTo(4);
	}

	@Test
	void aRequestDoesNotWaitForTheBackground() {
		Limit limit = ofSize(16);
		spend(limit, 16);
		assertThat(acquire(limit, SUBJECT).source()).isEqualTo(Source.STORE);
		spend(limit, 12);
		assertThat(calls()).as("that request renewed the lease").isEqualTo(2);
		this.renewals.run();
		assertThat(calls()).as("and the background did not").isEqualTo(2);
	}

	@Test
	void aRequestDuringARenewalAcquiresItsOwnPermitOnly() {
		Limit limit = ofSize(16);
		spend(limit, 16);
		this.store.duringCalls(() -> {
			if (calls() == 2) {
				assertThat(acquire(limit, SUBJECT).source()).isEqualTo(Source.STORE);
			}
		});
		this.renewals.run();
		assertThat(this.store.acquired().get(2)).extracting(AcquireRequest::wanted).containsExactly(1L);
		assertThat(this.leases.left(limit, SUBJECT)).isEqualTo(16);
	}

	@Test
	void aRefusalAheadIsNotRepeatedBeforeTheLeaseIsSpent() {
		Limit limit = Limit.of(rule("16/1m").mode(new Mode.Leased(Mode.LEASED.time(), Optional.of(16L))).build());
		spend(limit, 1);
		anotherInstanceAcquires(limit, 8);
		spend(limit, 6);
		this.renewals.run();
		assertThat(calls()).isEqualTo(3);
		spend(limit, 1);
		this.renewals.run();
		assertThat(acquire(limit, SUBJECT).result()).isInstanceOf(AcquireResult.Refused.class);
		assertThat(calls()).as("the refusal is known").isEqualTo(3);
	}

	@Test
	void permitsOfBothLeasesReturnToThem() {
		Limit limit = ofSize(16);
		spend(limit, 13);
		Slot before = acquire(limit, SUBJECT);
		this.renewals.run();
		this.pipeline.release(before);
		assertThat(this.leases.left(limit, SUBJECT)).isEqualTo(3 + 16);
		spend(limit, 3);
		Slot last = acquire(limit, SUBJECT);
		this.pipeline.release(last);
		assertThat(this.leases.left(limit, SUBJECT)).isEqualTo(16);
	}

	@Test
	void aLeaseThatEndsBeforeTheBackgroundRunsIsNotRenewed() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		this.clock.advance(Duration.ofMillis(750));
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
		assertThat(acquire(limit, SUBJECT).source()).as("renewing is not stuck").isEqualTo(Source.STORE);
		spend(limit, 15);
		assertThat(calls()).isEqualTo(2);
	}

	@Test
	void whatIsSpentOfTheLeaseBeforeIsDemandToo() {
		Limit limit = Limit.of(rule("100000/1m").algorithm(Algorithm.FIXED_WINDOW).build());
		this.clock.advanceMicros(60_000_000 - this.clock.micros() % 60_000_000 - 5_000_000);
		spendEveryMilli(limit, 4_950);
		int before = calls();
		spendEveryMilli(limit, 1000);
		assertThat(this.store.acquired().subList(before, calls()))
			.allSatisfy((requests) -> assertThat(requests).allSatisfy(
					(request) -> assertThat(request.wanted()).as("at the edge of the window").isBetween(600L, 900L)));
	}

	private void spendEveryMilli(Limit limit, int permits) {
		for (int i = 0; i < permits; i++) {
			spend(limit, 1);
			this.renewals.run();
			this.clock.advance(Duration.ofMillis(1));
		}
	}

	@Test
	void aLeaseServesRequestsAsExpensiveAsThoseThatNeedIt() {
		Limit limit = Limit.of(rule("40/1m").mode(new Mode.Leased(Mode.LEASED.time(), Optional.of(20L))).build());
		for (int i = 0; i < 2; i++) {
			assertThat(acquire(limit, 10).result()).isInstanceOf(AcquireResult.Admitted.class);
		}
		anotherInstanceAcquires(limit, 5);
		this.renewals.run();
		assertThat(acquire(limit, 10).result()).isInstanceOf(AcquireResult.Admitted.class);
	}

	private void anotherInstanceAcquires(Limit limit, long cost) {
		TestPipeline other = TestPipeline.leasing(
				this.renewals.leases(TestLimiter.over(this.store, this.clock::nanoTime).remote(), this.clock::nanoTime),
				this.store, this.clock::nanoTime);
		assertThat(other.acquire(new AcquireRequest(limit, SUBJECT, cost, new PermitId("other"))).result())
			.isInstanceOf(AcquireResult.Admitted.class);
	}

	private Slot acquire(Limit limit, long cost) {
		return this.pipeline
			.acquire(new AcquireRequest(limit, SUBJECT, cost, new PermitId("p" + this.ids.incrementAndGet())));
	}

	@Test
	void aRequestThatReadTheClockBeforeALeaseBeganDoesNotRenewIt() {
		Limit limit = ofSize(16);
		spend(limit, 16);
		this.clock.advance(Duration.ofMillis(1));
		this.renewals.run();
		Slot late = new Slot(new AcquireRequest(limit, SUBJECT, 1, new PermitId("late")));
		this.leases.offer(late, this.clock.nanoTime() - 1);
		assertThat(late.result()).as("it is not spent from that lease").isNull();
		assertThat(late.counted().isAhead()).isFalse();
	}

	@Test
	void aLeaseIsRenewedWhenTooLittleIsLeftForTheNextRequest() {
		Limit limit = Limit.of(rule("1000/1m").mode(new Mode.Leased(Mode.LEASED.time(), Optional.of(25L))).build());
		for (int i = 0; i < 2; i++) {
			assertThat(acquire(limit, 10).result()).isInstanceOf(AcquireResult.Admitted.class);
		}
		this.renewals.run();
		assertThat(acquire(limit, 10).source()).isEqualTo(Source.LEASE);
	}

	@Test
	void aDueLeaseThatARequestHasRenewedIsNotRenewedAgain() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		Runnable late = this.renewals.next();
		spend(limit, 3);
		assertThat(calls()).as("a request was earlier").isEqualTo(2);
		spend(limit, 13);
		late.run();
		this.renewals.run();
		assertThat(calls()).as("the next lease is due, too").isEqualTo(3);
	}

	@Test
	void aCallDoesNotKeepRedisBusyForLong() {
		Limit limit = Limit.of(rule("100000/1m").mode(new Mode.Leased(Mode.LEASED.time(), Optional.of(1000L))).build());
		List<Subject> subjects = IntStream.range(0, 8).mapToObj((number) -> new Subject("s" + number)).toList();
		subjects.forEach((subject) -> {
			for (int i = 0; i < 90; i++) {
				acquire(limit, subject);
			}
		});
		this.renewals.run();
		assertThat(this.store.acquired().subList(8, calls())).extracting(List::size).containsExactly(5, 3);
	}

	@Test
	void withoutMemoryForTheThreadTheNextLeaseTriesAgain() {
		Limit limit = ofSize(16);
		this.renewals.failOnce(new OutOfMemoryError("unable to create native thread"));
		spend(limit, 14);
		this.renewals.run();
		assertThat(calls()).isEqualTo(1);
		for (int i = 0; i < 14; i++) {
			acquire(limit, new Subject("another"));
		}
		this.renewals.run();
		assertThat(calls()).isEqualTo(3);
		spend(limit, 3);
		assertThat(calls()).as("a request renews the first").isEqualTo(4);
	}

	@Test
	void aClosedLimiterRenewsNothing() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		Runnable late = this.renewals.next();
		this.leases.close();
		late.run();
		assertThat(calls()).isEqualTo(1);
	}

	@Test
	void closeReleasesBothLeases() {
		Limit limit = ofSize(16);
		spend(limit, 14);
		this.renewals.run();
		this.leases.close();
		assertThat(this.store.released()).hasSize(2);
	}

}
