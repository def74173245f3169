package dev.ratelimit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The turns of rules that delay, in numbers.
 */
@ParameterizedClass
@EnumSource
class TurnContractTests {

	private static final long SECOND = 1_000_000;

	private static final WaitRange PATIENT = new WaitRange(0, 60 * SECOND);

	/** Stores are shared. */
	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	private final MovableClock clock = new MovableClock();

	private final Subject subject = new Subject("s" + SUBJECTS.incrementAndGet());

	private final RateLimitStore store;

	private int next;

	TurnContractTests(TestedStore tested) {
		this.store = tested.open(this.clock);
	}

	@AfterEach
	void everyKeyInRedisExpires() {
		SharedRedis.checkAndRemoveKeysWithTurns();
	}

	private static Limit leak(RLThreshold... thresholds) {
		return Limits.of(RLConfig.builder("leak")
			.algorithm(Algorithm.LEAKY_BUCKET)
			.onLimit(OnLimit.DELAY)
			.thresholds(List.of(thresholds)));
	}

	private static RLThreshold threeAtOnePerSecond() {
		return new RLThreshold(1, Duration.ofSeconds(1), 3);
	}

	private static Limit log(String... thresholds) {
		return Limits.of(RLConfig.builder("log").onLimit(OnLimit.DELAY).thresholds(thresholds));
	}

	/** 2/10s of a plan, in a rule whose other clients have a shorter window. */
	private static Limit logOfAPlan() {
		Allowance plan = new Allowance.Limited(List.of(new RLThreshold(2, Duration.ofSeconds(10))));
		return Limits
			.ofPlans(RLConfig.builder("log-of-plans")
				.onLimit(OnLimit.DELAY)
				.thresholds("1/1s")
				.plans(Plans.by("principal", Map.of("long", plan)))
				.build())
			.get(1);
	}

	@Test
	void aBucketOfThreeAtOnePerSecondGivesFourAtOnceTurnsAfterZeroOneTwoSecondsAndNone() {
		Limit limit = leak(threeAtOnePerSecond());
		assertThat(waits(limit, 3)).containsExactly(0L, SECOND, 2 * SECOND);
		assertThat(retry(acquire(limit, 1, PATIENT))).isEqualTo(SECOND);
		advance(SECOND);
		assertThat(waits(limit, 1)).as("after the reported wait").containsExactly(2 * SECOND);
	}

	@Test
	void aBucketThatHasRunDryGivesATurnNow() {
		Limit limit = leak(threeAtOnePerSecond());
		waits(limit, 3);
		advance(3 * SECOND - 1);
		assertThat(waits(limit, 1)).containsExactly(1L);
		advance(10 * SECOND);
		assertThat(waits(limit, 2)).containsExactly(0L, SECOND);
	}

	@Test
	void aPaceThatIsNoWholeNumberOfMicrosecondsNeitherRunsAheadNorFallsBehind() {
		Limit limit = leak(new RLThreshold(3, Duration.ofSeconds(1), 7));
		assertThat(waits(limit, 7)).containsExactly(0L, 333_334L, 666_667L, SECOND, 1_333_334L, 1_666_667L, 2 * SECOND);
	}

	@Test
	void theSlowestBucketSetsThePace() {
		Limit limit = leak(new RLThreshold(10, Duration.ofSeconds(1)), new RLThreshold(4, Duration.ofMinutes(1)));
		assertThat(waits(limit, 4)).containsExactly(0L, 15 * SECOND, 30 * SECOND, 45 * SECOND);
		assertThat(acquire(limit, 1, PATIENT)).isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	void aHigherCostLeaksForLonger() {
		Limit limit = leak(threeAtOnePerSecond());
		assertThat(wait(acquire(limit, 2, PATIENT))).isZero();
		assertThat(wait(acquire(limit, 1, PATIENT))).isEqualTo(2 * SECOND);
		assertThat(retry(acquire(limit, 4, PATIENT))).as("never fits").isEqualTo(Usage.NEVER);
	}

	@Test
	void aRequestThatWouldWaitTooLongIsRefusedAndTakesNothing() {
		Limit limit = leak(threeAtOnePerSecond());
		waits(limit, 2);
		WaitRange impatient = new WaitRange(0, SECOND + SECOND / 2);
		assertThat(retry(acquire(limit, 1, impatient))).isEqualTo(SECOND / 2);
		assertThat(retry(acquire(limit, 1, new WaitRange(0, 0)))).isEqualTo(2 * SECOND);
		advance(SECOND / 2);
		assertThat(wait(acquire(limit, 1, impatient))).isEqualTo(SECOND + SECOND / 2);
	}

	@Test
	void theLastTurnOfABucketIsReleasedWithItsPlaceAndTime() {
		Limit limit = leak(threeAtOnePerSecond());
		waits(limit, 2);
		AcquiredPermits last = taken(limit, 1);
		assertThat(acquire(limit, 1, PATIENT)).isInstanceOf(AcquireResult.Refused.class);
		release(last);
		assertThat(waits(limit, 1)).containsExactly(2 * SECOND);
	}

	@Test
	void turnsAreReleasedFromTheEnd() {
		Limit limit = leak(threeAtOnePerSecond());
		waits(limit, 1);
		AcquiredPermits second = taken(limit, 1);
		AcquiredPermits third = taken(limit, 1);
		advance(SECOND / 4);
		release(third);
		release(second);
		assertThat(waits(limit, 2)).containsExactly(3 * SECOND / 4, SECOND + 3 * SECOND / 4);
	}

	@Test
	void aTurnOfABucketBeforeOthersLapses() {
		Limit limit = leak(threeAtOnePerSecond());
		waits(limit, 1);
		AcquiredPermits second = taken(limit, 1);
		waits(limit, 1);
		release(second);
		assertThat(acquire(limit, 1, PATIENT)).as("its time is not granted twice")
			.isInstanceOf(AcquireResult.Refused.class);
		advance(SECOND);
		assertThat(waits(limit, 1)).containsExactly(2 * SECOND);
	}

	@Test
	void aTurnThatIsReleasedTwiceIsReleasedOnce() {
		Limit limit = leak(threeAtOnePerSecond());
		waits(limit, 2);
		AcquiredPermits last = taken(limit, 1);
		release(last);
		release(last);
		assertThat(waits(limit, 1)).containsExactly(2 * SECOND);
	}

	@Test
	void asManyRequestsWaitForALogAsItsQueueHolds() {
		Limit limit = log("2/10s");
		WaitRange two = new WaitRange(0, 60 * SECOND, 2);
		assertThat(waits(limit, 2)).containsExactly(0L, 0L);
		assertThat(wait(acquire(limit, 1, two))).isEqualTo(10 * SECOND);
		assertThat(wait(acquire(limit, 1, two))).isEqualTo(10 * SECOND);
		assertThat(retry(acquire(limit, 1, two))).isEqualTo(20 * SECOND);
		advance(10 * SECOND);
		assertThat(wait(acquire(limit, 1, two))).as("no request waits any more").isEqualTo(10 * SECOND);
	}

	@Test
	void aRequestThatALogAdmitsAtOnceNeedsNoPlaceInTheQueue() {
		Limit limit = log("2/10s");
		WaitRange one = new WaitRange(0, 60 * SECOND, 1);
		assertThat(waits(limit, 3)).containsExactly(0L, 0L, 10 * SECOND);
		assertThat(acquire(limit, 1, one)).isInstanceOf(AcquireResult.Refused.class);
		advance(20 * SECOND);
		assertThat(wait(acquire(limit, 1, one))).isZero();
	}

	@Test
	void placesInTheQueueOfALogAreCountedInRequestsOfTheSameCost() {
		Limit limit = log("4/10s");
		WaitRange two = new WaitRange(0, 60 * SECOND, 2);
		assertThat(wait(acquire(limit, 4, two))).isZero();
		assertThat(wait(acquire(limit, 2, two))).isEqualTo(10 * SECOND);
		assertThat(wait(acquire(limit, 2, two))).isEqualTo(10 * SECOND);
		assertThat(acquire(limit, 2, two)).isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	void aRequestThatLeavesTheQueueOfALogFreesItsPlace() {
		Limit limit = log("1/10s");
		WaitRange one = new WaitRange(0, 60 * SECOND, 1);
		waits(limit, 1);
		AcquiredPermits waiting = taken(limit, 1);
		assertThat(acquire(limit, 1, one)).isInstanceOf(AcquireResult.Refused.class);
		release(waiting);
		assertThat(wait(acquire(limit, 1, one))).isEqualTo(10 * SECOND);
	}

	@Test
	void asManyRequestsWaitForALogOfPlansAsItsQueueHolds() {
		Limit limit = logOfAPlan();
		WaitRange five = new WaitRange(0, 60 * SECOND, 5);
		assertThat(waits(limit, 6)).containsExactly(0L, 0L, 10 * SECOND, 10 * SECOND, 20 * SECOND, 20 * SECOND);
		assertThat(wait(acquire(limit, 1, five))).isEqualTo(30 * SECOND);
		assertThat(retry(acquire(limit, 1, five))).isEqualTo(30 * SECOND);
	}

	@Test
	void inALogOfPlansTurnsStayWhenLaterOnesAreReleased() {
		Limit limit = logOfAPlan();
		waits(limit, 4);
		List<AcquiredPermits> last = List.of(taken(limit, 1), taken(limit, 1));
		last.forEach(this::release);
		AcquireRequest atOnce = new AcquireRequest(limit, this.subject, 1, new PermitId("at-once"), 1,
				Optional.empty());
		assertThat(this.store.acquire(List.of(atOnce), Patience.LONG).await().get(0))
			.isInstanceOf(AcquireResult.Refused.class);
		assertThat(waits(limit, 2)).containsExactly(20 * SECOND, 20 * SECOND);
	}

	@Test
	void aTurnOfALogOfPlansIsFoundBehindManyOthers() {
		Limit limit = logOfAPlan();
		waits(limit, 2);
		AcquireRequest first = request(limit, 1, PATIENT);
		assertThat(wait(this.store.acquire(List.of(first), Patience.LONG).await().get(0))).isEqualTo(10 * SECOND);
		waits(limit, 4);
		assertThat(wait(this.store.acquire(List.of(first), Patience.LONG).await().get(0))).isEqualTo(10 * SECOND);
	}

	private void advance(long micros) {
		this.clock.advanceMicros(micros);
	}

	private AcquireRequest request(Limit limit, long cost, WaitRange range) {
		return new AcquireRequest(limit, this.subject, cost, new PermitId("w" + this.next++), cost, Optional.of(range));
	}

	private AcquireResult acquire(Limit limit, long cost, WaitRange range) {
		return this.store.acquire(List.of(request(limit, cost, range)), Patience.LONG).await().get(0);
	}

	private AcquiredPermits taken(Limit limit, long cost) {
		AcquireRequest request = request(limit, cost, PATIENT);
		AcquireResult result = this.store.acquire(List.of(request), Patience.LONG).await().get(0);
		return new AcquiredPermits(request, ((AcquireResult.Turn) result).receipts());
	}

	private void release(AcquiredPermits taken) {
		assertThat(this.store.settle(List.of(Settlement.release(taken)), Patience.LONG).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
	}

	private List<Long> waits(Limit limit, int requests) {
		List<Long> waits = new ArrayList<>();
		for (int i = 0; i < requests; i++) {
			waits.add(wait(acquire(limit, 1, PATIENT)));
		}
		return waits;
	}

	private static long wait(AcquireResult result) {
		return ((AcquireResult.Turn) result).waitMicros();
	}

	private static long retry(AcquireResult result) {
		List<Usage> usage = ((AcquireResult.Refused) result).usage();
		return usage.stream().anyMatch((window) -> window.retryMicros() == Usage.NEVER) ? Usage.NEVER
				: usage.stream().mapToLong(Usage::retryMicros).max().orElseThrow();
	}

}
