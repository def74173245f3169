package dev.ratelimit.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.test.StoreFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.ratelimit.store.Results.admitted;
import static dev.ratelimit.store.Results.refused;
import static dev.ratelimit.store.Results.window;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store promises of its buckets, on a clock that the test moves. A bucket does
 * not identify its permits by name, so nothing is promised for a request that is sent
 * again.
 */
@ParameterizedClass
@EnumSource
@ExtendWith(SharedRedis.class)
class BucketContractTests extends StoreFixture {

	private static final long SECOND = 1_000_000;

	private final TestedStore tested;

	BucketContractTests(TestedStore tested) {
		this.tested = tested;
	}

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return this.tested.open(clock);
	}

	/** The two buckets with a steady flow, and the one that is refilled by interval. */
	protected enum Kind {

		TOKENS(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS), INTERVALS(Algorithm.TOKEN_BUCKET, Refill.INTERVAL),
		LEAKY(Algorithm.LEAKY_BUCKET, Refill.CONTINUOUS);

		private final Algorithm algorithm;

		private final Refill refill;

		Kind(Algorithm algorithm, Refill refill) {
			this.algorithm = algorithm;
			this.refill = refill;
		}

		Limit limit(String rule, RLThreshold... thresholds) {
			return Limits.bucket(rule, this.algorithm, this.refill, List.of(thresholds));
		}

		Limit limit(String rule, String... thresholds) {
			return limit(rule, Stream.of(thresholds).map(RLThreshold::valueOf).toArray(RLThreshold[]::new));
		}

	}

	@ParameterizedTest
	@EnumSource(names = { "TOKENS", "LEAKY" })
	@DisplayName("3.9: size 4 at 2/s: 4 pass, the 5th is refused, after 1 s two pass")
	void sizeFourAtTwoASecond(Kind kind) {
		Limit limit = kind.limit("size-four", RLThreshold.valueOf("2/s").withBurst(4));
		assertThat(acquire(limit)).isEqualTo(admitted(limit, window(3, SECOND / 2, 0)));
		assertThat(admittedOf(3, limit)).isEqualTo(3);
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 2 * SECOND, SECOND / 2)));
		advance(Duration.ofSeconds(1));
		assertThat(admittedOf(3, limit)).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKENS", "LEAKY" })
	@DisplayName("3.12, as a meter: size 3 at 1/s: 3 of 4 at once pass, then one a second")
	void sizeThreeAtOneASecond(Kind kind) {
		Limit limit = kind.limit("size-three", RLThreshold.valueOf("1/s").withBurst(3));
		assertThat(admittedOf(4, limit)).isEqualTo(3);
		advanceMicros(SECOND - 1);
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 2 * SECOND + 1, 1)));
		advanceMicros(1);
		assertThat(admittedOf(2, limit)).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("3.10: three buckets per user: 1 post/s, 150 friends/day, 5 likes/s")
	void threeBucketsPerUser(Kind kind) {
		Limit posts = kind.limit("posts", "1/s");
		Limit friends = kind.limit("friends", "150/day");
		Limit likes = kind.limit("likes", "5/s");
		assertThat(admittedOf(10, posts)).isEqualTo(1);
		assertThat(admittedOf(160, friends)).isEqualTo(150);
		assertThat(admittedOf(10, likes)).isEqualTo(5);
		advance(Duration.ofSeconds(1));
		assertThat(admittedOf(10, posts)).isEqualTo(1);
		assertThat(admittedOf(10, friends)).isZero();
		assertThat(admittedOf(10, likes)).isEqualTo(5);
	}

	@Test
	@DisplayName("4.7, 4.8, E10: an interval begins at first use and ends with a full bucket: at worst 2N-1 around it")
	void anIntervalAtItsWorst() {
		Limit limit = Kind.INTERVALS.limit("hard", "10/60s");
		acquire(limit);
		advanceMicros(60 * SECOND - 1);
		assertThat(admittedOf(20, limit)).as("late in the interval").isEqualTo(9);
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 1, 1)));
		advanceMicros(1);
		assertThat(admittedOf(20, limit)).as("a microsecond later").isEqualTo(10);
		advance(Duration.ofHours(1));
		assertThat(acquire(limit)).as("an interval begins with a request")
			.isEqualTo(admitted(limit, window(9, 60 * SECOND, 0)));
	}

	/**
	 * A third of a second is no whole number of microseconds. Time is one, so a wait that
	 * is rounded up is over at an exact time.
	 */
	@ParameterizedTest
	@EnumSource
	@DisplayName("4.9: a wait is exact to the microsecond, so nothing has to tolerate a rounding error")
	void aWaitIsExactToTheMicrosecond(Kind kind) {
		Limit limit = kind.limit("exact", "3/s");
		for (int i = 0; i < 40; i++) {
			assertThat(admittedOf(4, limit)).isLessThan(4);
			advanceMicros(((AcquireResult.Refused) acquire(limit)).usage().get(0).retryMicros() - 1);
			assertThat(acquire(limit)).as("a microsecond early").isInstanceOf(AcquireResult.Refused.class);
			advanceMicros(1);
			assertThat(acquire(limit)).as("in time").isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aCostThatNoDoubleHoldsIsRefusedByTheLargestThresholdToo(Kind kind) {
		long largest = 34_560_000_000_000L;
		assertHugeCostsAreRefused(kind.limit("huge", largest + "/400d"), largest);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("0.14: all windows hold at once, and a refusal by one takes nothing from the others")
	void allWindowsAreDecidedAtOnce(Kind kind) {
		Limit limit = kind.limit("windows", "3/600s", "2/60s");
		assertThat(admittedOf(5, limit)).isEqualTo(2);
		advance(Duration.ofMinutes(1));
		assertThat(acquire(limit).getClass()).isEqualTo(AcquireResult.Admitted.class);
		assertThat(acquire(limit)).isInstanceOfSatisfying(AcquireResult.Refused.class, (result) -> {
			assertThat(result.usage().get(0).remaining()).isEqualTo(1);
			assertThat(result.usage().get(0).refuses()).isFalse();
			assertThat(result.usage().get(1).refuses()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void aCostAboveTheCapacityCanNeverBeAdmitted(Kind kind) {
		Limit limit = kind.limit("cost", RLThreshold.valueOf("5/60s").withBurst(2), RLThreshold.valueOf("5/600s"));
		assertThat(acquire(limit, 3)).isEqualTo(refused(window(2, 0, Usage.NEVER), window(5, 0, 0)));
		assertThat(acquire(limit, Long.MAX_VALUE))
			.isEqualTo(refused(window(2, 0, Usage.NEVER), window(5, 0, Usage.NEVER)));
		assertThat(acquire(limit, 2)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("3.21, 4.10, 4.11: of 1280 requests at once by 64 threads as many pass as the bucket holds")
	void sixtyFourThreadsOnAFrozenClockAreAdmittedExactlyToTheCapacity(Kind kind) throws Exception {
		Limit limit = kind.limit("hot", "500/60s");
		assertThat(admittedAtOnce(limit)).isEqualTo(500);
	}

	@Test
	@DisplayName("4.11: when a refill is due, 64 threads that find it due refill the bucket once")
	void aDueRefillHappensOnceHoweverManyThreadsFindIt() throws Exception {
		Limit limit = Kind.INTERVALS.limit("due", "100/60s");
		for (int interval = 0; interval < 5; interval++) {
			assertThat(admittedAtOnce(limit)).isEqualTo(100);
			advance(Duration.ofMinutes(1));
		}
	}

	@ParameterizedTest
	@EnumSource
	void aClockThatStepsBackLocksNoSubjectOutLongerThanAWindow(Kind kind) {
		Limit limit = kind.limit("step-back", "2/60s");
		assertThat(admittedOf(3, limit)).isEqualTo(2);
		advance(Duration.ofHours(-1));
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
		advance(Duration.ofMinutes(1));
		assertThat(admittedOf(3, limit)).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("4: changing a threshold keeps what was used")
	void aChangedThresholdKeepsWhatWasUsed(Kind kind) {
		assertThat(admittedOf(7, kind.limit("changed", "10/60s"))).isEqualTo(7);
		assertThat(remaining(kind.limit("changed", "1000/60s"))).isEqualTo(993);
		assertThat(remaining(kind.limit("changed", "9/60s"))).isEqualTo(2);
		assertThat(remaining(kind.limit("changed", "3/60s"))).isZero();
		assertThat(remaining(kind.limit("changed", "10/60s", "20/120s"))).as("a new window is empty").isEqualTo(3);
		advance(Duration.ofMinutes(1));
		assertThat(remaining(kind.limit("changed", "3/60s"))).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void plansWithTheSameWindowsShareWhatWasUsedBackAndForth(Kind kind) {
		Limit free = kind.limit("plans", "6/60s");
		Limit paid = kind.limit("plans", "60/60s");
		assertThat(admittedOf(4, free)).isEqualTo(4);
		assertThat(admittedOf(4, paid)).isEqualTo(4);
		assertThat(admittedOf(1, free)).isZero();
		assertThat(remaining(paid)).as("a refusal forgets nothing").isEqualTo(52);
		advance(Duration.ofSeconds(5));
		assertThat(remaining(paid)).isEqualTo((kind == Kind.INTERVALS) ? 52 : 57);
		assertThat(remaining(free)).as("at its own pace").isZero();
		advance(Duration.ofSeconds(55));
		assertThat(remaining(free)).isEqualTo(6);
	}

	private long remaining(Limit limit) {
		return ((AcquireResult.Refused) acquire(limit, 1_000_000)).usage().get(0).remaining();
	}

	@ParameterizedTest
	@EnumSource
	void releasedPermitsCountAsNeverTaken(Kind kind) {
		Limit limit = kind.limit("give-back", "5/60s", "6/600s");
		acquire(limit);
		advance(Duration.ofSeconds(1));
		AcquireResult before = acquire(limit, 9);
		AcquiredPermits taken = take(limit, 4);
		advance(Duration.ofSeconds(1));
		assertThat(store().settle(List.of(Settlement.release(taken)), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		advance(Duration.ofSeconds(-1));
		assertThat(acquire(limit, 9)).isEqualTo(before);
	}

	@ParameterizedTest
	@EnumSource
	void permitsWithoutAReceiptStayCounted(Kind kind) {
		Limit limit = kind.limit("no-receipt", "1/60s");
		AcquireRequest request = request(limit, "a", 1);
		acquire(request);
		assertThat(release(request)).isFalse();
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKENS", "LEAKY" })
	void ofManyRequestsUnderWayAllAreReleasedWhicheverEndsFirst(Kind kind) {
		Limit limit = kind.limit("under-way", "5/day");
		List<AcquiredPermits> taken = IntStream.range(0, 5).mapToObj((i) -> {
			advance(Duration.ofMillis(1));
			return take(limit, 1);
		}).toList();
		for (int i : new int[] { 3, 4, 0, 2, 1 }) {
			assertThat(store().settle(List.of(Settlement.release(taken.get(i))), PATIENCE).await())
				.containsExactly(SettlementResult.ACKNOWLEDGED);
		}
		advance(Duration.ofMillis(10));
		assertThat(admittedOf(9, limit)).as("after what flows in ten milliseconds").isEqualTo(5);
	}

	@Test
	void aReleaseOfTheRequestThatBeganAnIntervalDoesNotEndItForTheOthersTooEarly() {
		Limit limit = Kind.INTERVALS.limit("began", "2/60s");
		AcquiredPermits first = take(limit, 1);
		advance(Duration.ofSeconds(10));
		AcquiredPermits second = take(limit, 1);
		assertThat(store().settle(List.of(Settlement.release(first)), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(limit, 2)).isEqualTo(refused(window(1, 60 * SECOND, 60 * SECOND)));
		assertThat(store().settle(List.of(Settlement.release(second)), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(limit, 3)).isEqualTo(refused(window(2, 0, Usage.NEVER)));
	}

	/** Whatever others have asked since: a store must not have dropped the interval. */
	@Test
	void aReleaseAfterTheEndOfItsIntervalLeavesTheOthersAWholeOne() {
		Limit limit = Kind.INTERVALS.limit("late", "2/60s");
		AcquiredPermits first = take(limit, 1);
		advance(Duration.ofSeconds(40));
		take(limit, 1);
		advance(Duration.ofSeconds(30));
		for (int i = 0; i < 3; i++) {
			assertThat(acquire(limit, 3)).isEqualTo(refused(window(2, 0, Usage.NEVER)));
		}
		assertThat(store().settle(List.of(Settlement.release(first)), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(limit, 2)).isEqualTo(refused(window(1, 30 * SECOND, 30 * SECOND)));
		advance(Duration.ofSeconds(30));
		assertThat(acquire(limit, 3)).isEqualTo(refused(window(2, 0, Usage.NEVER)));
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("2^53: the longest windows and largest thresholds stay exact")
	void largeNumbersStayExact(Kind kind) {
		Limit limit = kind.limit("extreme", RLThreshold.valueOf("999983/400d").withBurst(999_999));
		assertThat(admittedOf(1, limit, 999_998)).isEqualTo(1);
		assertThat(admittedOf(1, limit)).isEqualTo(1);
		Usage usage = ((AcquireResult.Refused) acquire(limit, 7)).usage().get(0);
		advanceMicros(usage.retryMicros() - 1);
		assertThat(acquire(limit, 7)).isInstanceOfSatisfying(AcquireResult.Refused.class,
				(result) -> assertThat(result.usage().get(0).retryMicros()).isEqualTo(1));
		advanceMicros(1);
		assertThat(acquire(limit, 7)).isInstanceOf(AcquireResult.Admitted.class);
	}

	private AcquiredPermits take(Limit limit, long cost) {
		AcquireRequest request = request(limit, "taken", cost);
		return new AcquiredPermits(request, ((AcquireResult.Admitted) acquire(request)).receipts());
	}

	private long admittedOf(int requests, Limit limit) {
		return admittedOf(requests, limit, 1);
	}

	private long admittedOf(int requests, Limit limit, long cost) {
		return IntStream.range(0, requests)
			.filter((i) -> acquire(limit, cost) instanceof AcquireResult.Admitted)
			.count();
	}

	/** A first admission. */
	private AcquireResult admitted(Limit limit, Usage usage) {
		long now = micros();
		return new AcquireResult.Admitted(List.of(usage),
				(limit.refill() == Refill.INTERVAL) ? List.of(2 * now + 1) : List.of(2L, now));
	}

	@ParameterizedTest
	@CsvSource({ "TOKEN_BUCKET, CONTINUOUS", "TOKEN_BUCKET, INTERVAL", "LEAKY_BUCKET, CONTINUOUS" })
	void plansOfOtherWindowsInTurnDoNotResetEachOther(Algorithm algorithm, Refill refill) {
		List<Limit> plans = plans(algorithm, refill, "2/60s", "2/120s");
		assertThat(IntStream.range(0, 10)
			.filter((i) -> acquire(plans.get(i % 2)) instanceof AcquireResult.Admitted)
			.count()).isEqualTo(4);
		advanceMicros(60 * SECOND - 1);
		assertThat(acquire(plans.get(0)) instanceof AcquireResult.Admitted).isEqualTo(refill == Refill.CONTINUOUS);
		advanceMicros(1);
		assertThat(acquire(plans.get(0))).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(plans.get(1)) instanceof AcquireResult.Admitted).as("a permit in a minute")
			.isEqualTo(refill == Refill.CONTINUOUS);
		assertThat(acquire(plans.get(1))).isInstanceOf(AcquireResult.Refused.class);
	}

	/**
	 * Otherwise a client that has emptied the large bucket could fill it up by requests
	 * of the small one.
	 */
	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void aPlanWithASmallerBucketKeepsTheDebtOfALargerOne(Algorithm algorithm) {
		List<Limit> plans = plans(algorithm, Refill.CONTINUOUS, "5/60s", "50/60s");
		acquire(plans.get(1), 50);
		assertThat(acquire(plans.get(0))).isInstanceOf(AcquireResult.Refused.class);
		advanceMicros(12 * SECOND);
		assertThat(acquire(plans.get(0))).as("ten of fifty have come back").isInstanceOf(AcquireResult.Refused.class);
		assertThat(acquire(plans.get(1), 10)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(plans.get(1))).isInstanceOf(AcquireResult.Refused.class);
	}

	/** The slower plan would credit permits that have already flowed back. */
	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void aReleaseAssumesTheFlowOfTheFastestPlan(Algorithm algorithm) {
		List<Limit> plans = plans(algorithm, Refill.CONTINUOUS, "6/60s", "60/60s");
		AcquiredPermits taken = take(plans.get(0), 6);
		acquire(plans.get(1), 10);
		advanceMicros(6 * SECOND);
		assertThat(acquire(plans.get(1), 40)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(store().settle(List.of(Settlement.release(taken)), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(plans.get(1), 11)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(acquire(plans.get(1), 10)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@EnumSource
	void aSmallerPlanForgetsNothingWhereTheClockStepsBack(Kind kind) {
		List<Limit> plans = plans(kind.algorithm, kind.refill, "2/60s", "9/60s");
		moveTo("2026-11-20T09:30:00Z");
		assertThat(acquire(plans.get(1), 9)).isInstanceOf(AcquireResult.Admitted.class);
		moveTo("2026-11-20T09:29:59.999Z");
		assertThat(acquire(plans.get(0))).isInstanceOf(AcquireResult.Refused.class);
		assertThat(acquire(plans.get(1))).as("all is used").isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	void eachRefillCountsForItself() {
		Limit flowing = Kind.TOKENS.limit("changed", "5/60s");
		Limit intervals = Kind.INTERVALS.limit("changed", "5/60s");
		assertThat(admittedOf(9, flowing)).isEqualTo(5);
		assertThat(admittedOf(9, intervals)).isEqualTo(5);
		assertThat(admittedOf(9, flowing)).isZero();
	}

	private static List<Limit> plans(Algorithm algorithm, Refill refill, String threshold, String paid) {
		return Limits.ofPlans(RLConfig.builder("in-turn")
			.algorithm(algorithm)
			.refill(refill)
			.thresholds(threshold)
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf(paid))))))
			.build());
	}

}
