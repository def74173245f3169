package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store promises whatever the algorithm, on a clock that the test moves.
 */
abstract class AlgorithmContract extends StoreFixture {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private int reservations;

	static Stream<Algorithm> algorithms() {
		return Stream.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.SLIDING_WINDOW_COUNTER, Algorithm.FIXED_WINDOW);
	}

	/** Whether permits are identified by their name; else they are only counted. */
	private static boolean identifiesPermits(Algorithm algorithm) {
		return algorithm == Algorithm.SLIDING_WINDOW_LOG;
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void admitsUpToTheThresholdAtOnceAndReportsWhatIsLeft(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "three", "3/60s");
		assertThat(LongStream.range(0, 3).map((i) -> usage(acquire(limit)).get(0).remaining())).containsExactly(2L, 1L,
				0L);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void theWaitOfARefusalIsExactForTheSameCost(Algorithm algorithm) {
		for (int cost = 1; cost <= 5; cost++) {
			Limit limit = Limits.of(algorithm, "wait-" + cost, "5/60s", "9/90s");
			for (int i = 0; i < 5; i++) {
				acquire(limit);
				this.clock.advanceMicros(7_000_001);
			}
			while (acquire(limit, cost) instanceof AcquireResult.Admitted) {
				this.clock.advanceMicros(1);
			}
			long wait = waitMicros(acquire(limit, cost));
			this.clock.advanceMicros(wait - 1);
			assertThat(waitMicros(acquire(limit, cost))).as("cost " + cost).isEqualTo(1);
			this.clock.advanceMicros(1);
			assertThat(acquire(limit, cost)).as("cost " + cost).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aRefusalByOneWindowTakesNothingFromTheOthers(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "all-windows", "9/600s", "2/60s");
		acquire(limit, 2);
		List<Usage> usage = usage(acquire(limit));
		assertThat(usage).extracting(Usage::remaining).as("the shortest window first").containsExactly(0L, 7L);
		assertThat(usage).extracting(Usage::refuses).containsExactly(true, false);
		assertThat(usage(acquire(limit))).isEqualTo(usage);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aCostAboveTheThresholdCanNeverBeAdmitted(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "cost", "2/60s", "5/600s");
		assertThat(acquire(limit, 3)).isEqualTo(refused(usage(2, 0, Usage.NEVER), usage(5, 0, 0)));
		assertThat(acquire(limit, Long.MAX_VALUE))
			.isEqualTo(refused(usage(2, 0, Usage.NEVER), usage(5, 0, Usage.NEVER)));
		assertThat(usage(acquire(limit, 2))).extracting(Usage::remaining).containsExactly(0L, 3L);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aCostThatNoDoubleHoldsIsRefusedByTheLargestThresholdToo(Algorithm algorithm) {
		long largest = (algorithm == Algorithm.SLIDING_WINDOW_LOG) ? 1_000_000 : 999_999_999_999_999L;
		Limit limit = Limits.of(algorithm, "huge", largest + "/400d");
		acquire(limit);
		for (long cost : new long[] { largest + 1, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE }) {
			assertThat(acquire(limit, cost)).as("cost " + cost)
				.isInstanceOfSatisfying(AcquireResult.Refused.class, (result) -> {
					assertThat(result.usage().get(0).remaining()).isEqualTo(largest - 1);
					assertThat(result.usage().get(0).retryMicros()).isEqualTo(Usage.NEVER);
				});
		}
		assertThat(acquire(limit)).isInstanceOfSatisfying(AcquireResult.Admitted.class,
				(result) -> assertThat(result.usage().get(0).remaining()).isEqualTo(largest - 2));
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aLimitIsWholeAgainAfterItsReset(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "forgotten", "3/60s");
		long reset = usage(acquire(limit, 3)).get(0).resetMicros();
		assertThat(reset).isPositive().isLessThanOrEqualTo(limit.horizon().toMillis() * 1000);
		this.clock.advanceMicros(reset);
		assertThat(usage(acquire(limit, 3)).get(0).remaining()).isZero();
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	@DisplayName("3.21: of 1280 requests at once by 64 threads as many pass as the threshold says")
	void sixtyFourThreadsOnAFrozenClockAreAdmittedExactlyToTheThreshold(Algorithm algorithm) throws Exception {
		Limit limit = Limits.of(algorithm, "hot", "500/60s");
		ExecutorService threads = Executors.newFixedThreadPool(64);
		try {
			Callable<Long> client = () -> IntStream.range(0, 20)
				.filter((i) -> acquire(limit) instanceof AcquireResult.Admitted)
				.count();
			long admitted = 0;
			for (Future<Long> result : threads.invokeAll(IntStream.range(0, 64).mapToObj((i) -> client).toList())) {
				admitted += result.get();
			}
			assertThat(admitted).isEqualTo(500);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aReservationIsWhatIsWantedButAtMostHalfOfWhatIsLeftAndAtLeastTheCost(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "ahead", "100/60s", "200/90s");
		assertThat(LongStream.of(30, 50, 50, 50, 50).map((wanted) -> ahead(limit, 1, wanted))).containsExactly(30L, 35L,
				17L, 9L, 4L);
		assertThat(ahead(limit, 4, 50)).as("of 5 that are left").isEqualTo(4);
		assertThat(acquire(reservationRequest(limit, 2, 50))).as("of the last one")
			.isInstanceOf(AcquireResult.Refused.class);
		assertThat(usage(acquire(limit))).extracting(Usage::remaining).containsExactly(0L, 100L);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void theRestOfAReservationIsReleased(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "unspent", "100/60s");
		AcquireRequest request = reservationRequest(limit, 1, 40);
		AcquireResult.Reserved reserved = (AcquireResult.Reserved) acquire(request);
		assertThat(reserved.permits()).isEqualTo(40);
		AcquiredPermits unspent = new AcquiredPermits(request.of(15), reserved.receipts());
		assertThat(this.store.release(List.of(unspent), Patience.LONG).await())
			.containsExactly(ReleaseResult.ACKNOWLEDGED);
		assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(74);
	}

	private long ahead(Limit limit, long cost, long wanted) {
		return ((AcquireResult.Reserved) acquire(reservationRequest(limit, cost, wanted))).permits();
	}

	private AcquireRequest reservationRequest(Limit limit, long cost, long wanted) {
		return new AcquireRequest(limit, this.subject, cost, new PermitId("a" + this.reservations++), wanted);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void releasedPermitsCountAsNeverTaken(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "give-back", "5/60s", "6/600s");
		acquire(limit);
		this.clock.advance(Duration.ofSeconds(1));
		AcquireRequest bulk = request(limit, "bulk", 4);
		assertThat(release(bulk, acquire(bulk))).isTrue();
		assertThat(usage(acquire(limit))).extracting(Usage::remaining).containsExactly(3L, 4L);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void permitsThatHaveLeftTheWindowAreNotReleasedAgain(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "too-late", "5/60s");
		AcquireRequest early = request(limit, "early", 4);
		AcquireResult result = acquire(early);
		this.clock.advance(limit.horizon());
		acquire(limit, 3);
		assertThat(release(early, result)).isTrue();
		assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void permitsWhoseReplyWasLostAreReleasedByTheirNameOrStayCounted(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "lost", "5/60s");
		AcquireRequest lost = request(limit, "lost", 4);
		assertThat(release(lost)).as("before it arrived").isEqualTo(identifiesPermits(algorithm));
		acquire(lost);
		assertThat(release(lost)).isEqualTo(identifiesPermits(algorithm));
		assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(identifiesPermits(algorithm) ? 4 : 0);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aRequestRepeatedWithTheSameIdIsIdentifiedByItOrCountedAgain(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "again", "5/60s");
		AcquireRequest first = request(limit, "first", 1);
		acquire(first);
		assertThat(usage(acquire(first)).get(0).remaining()).isEqualTo(identifiesPermits(algorithm) ? 4 : 3);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aClockThatStepsBackLocksNoSubjectOutLongerThanAWindow(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "step-back", "2/60s");
		acquire(limit, 2);
		for (Duration step : List.of(Duration.ofHours(-1), Duration.ofSeconds(-21), Duration.ofNanos(-1000))) {
			this.clock.advance(step);
			assertThat(acquire(limit)).as("a step of " + step).isInstanceOf(AcquireResult.Refused.class);
			assertThat(waitMicros(acquire(limit))).isPositive().isLessThanOrEqualTo(60_000_001);
		}
		this.clock.advanceMicros(waitMicros(acquire(limit)));
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	@DisplayName("Changing a threshold keeps what was already used; windows are identified by their length")
	void changingAThresholdKeepsWhatWasUsed(Algorithm algorithm) {
		acquire(Limits.of(algorithm, "changed", "5/60s", "9/600s"), 4);
		Limit raised = Limits.of(algorithm, "changed", "20/600s", "10/60s");
		assertThat(usage(acquire(raised))).extracting(Usage::remaining).containsExactly(5L, 15L);
		Limit lowered = Limits.of(algorithm, "changed", "3/60s");
		assertThat(usage(acquire(lowered))).extracting(Usage::remaining).containsExactly(0L);
		assertThat(waitMicros(acquire(lowered))).isPositive();
		this.clock.advance(MINUTE.multipliedBy(2));
		assertThat(acquire(lowered)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void plansWithTheSameWindowsShareWhatWasUsedBackAndForth(Algorithm algorithm) {
		Limit free = Limits.of(algorithm, "plans", "5/60s", "50/600s");
		Limit paid = Limits.of(algorithm, "plans", "50/60s", "500/600s");
		acquire(free, 3);
		assertThat(usage(acquire(paid, 4))).extracting(Usage::remaining).containsExactly(43L, 493L);
		assertThat(acquire(free)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(usage(acquire(paid))).extracting(Usage::remaining).containsExactly(42L, 492L);
		this.clock.advance(MINUTE.multipliedBy(2));
		assertThat(usage(acquire(free))).extracting(Usage::remaining).containsExactly(4L, 41L);
		assertThat(usage(acquire(paid))).extracting(Usage::remaining).containsExactly(48L, 490L);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void plansOfOtherWindowsInTurnDoNotResetEachOther(Algorithm algorithm) {
		List<Limit> plans = Limits.ofPlans(RLConfig.builder("in-turn")
			.algorithm(algorithm)
			.thresholds("2/60s")
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("2/120s"))))))
			.build());
		assertThat(IntStream.range(0, 10)
			.filter((i) -> acquire(plans.get(i % 2)) instanceof AcquireResult.Admitted)
			.count()).isEqualTo((algorithm == Algorithm.SLIDING_WINDOW_LOG) ? 2 : 4);
		this.clock.moveTo("2026-11-20T09:31:40Z");
		assertThat(usage(acquire(plans.get(0))).get(0).remaining()).as("the next window").isPositive();
		assertThat(acquire(plans.get(1))).as("still the same window").isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void noMoreThanEightWindowsAreStoredBesideTheRequestedOnes(Algorithm algorithm) {
		Stream<Limit> others = IntStream.rangeClosed(61, 70)
			.mapToObj((seconds) -> Limits.of(algorithm, "many-windows", "3/" + seconds + "s"));
		others.forEach(this::acquire);
		Limit oldest = Limits.of(algorithm, "many-windows", "3/61s");
		Limit second = Limits.of(algorithm, "many-windows", "3/63s");
		if (algorithm == Algorithm.SLIDING_WINDOW_LOG) {
			assertThat(acquire(second)).as("a log has one list for all windows")
				.isInstanceOf(AcquireResult.Refused.class);
			assertThat(acquire(oldest)).isInstanceOf(AcquireResult.Refused.class);
			return;
		}
		assertThat(usage(acquire(second)).get(0).remaining()).as("one of the last eight").isEqualTo(1);
		assertThat(usage(acquire(oldest)).get(0).remaining()).as("dropped").isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void otherWindowsCountWhatALogHoldsAndElseBeginAnewBesideThese(Algorithm algorithm) {
		Limit minute = Limits.of(algorithm, "other-windows", "5/60s");
		acquire(minute, 2);
		boolean isKept = algorithm == Algorithm.SLIDING_WINDOW_LOG;
		assertThat(usage(acquire(Limits.of(algorithm, "other-windows", "5/90s"))).get(0).remaining())
			.isEqualTo(isKept ? 2 : 4);
		assertThat(usage(acquire(minute)).get(0).remaining()).isEqualTo(isKept ? 1 : 2);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void theRequestsOfOneCallAreDecidedInTheirOrder(Algorithm algorithm) {
		Limit narrow = Limits.of(algorithm, "narrow", "1/60s");
		Limit wide = Limits.of(algorithm, "wide", "9/60s");
		List<AcquireResult> results = this.store
			.acquire(List.of(request(wide, "a", 1), request(narrow, "b", 1), request(narrow, "c", 1),
					request(wide, "d", 2)), Patience.LONG)
			.await();
		assertThat(results).extracting((result) -> usage(result).get(0).remaining()).containsExactly(8L, 0L, 0L, 6L);
		assertThat(results.get(2)).isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void rulesAlgorithmsAndSubjectsShareNothing(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "mine", "1/60s");
		acquire(limit);
		Subject other = new Subject(this.subject.text() + "x");
		assertThat(acquire(new AcquireRequest(limit, other, 1, new PermitId("x"))))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(Limits.of(algorithm, "mine-too", "1/60s"))).isInstanceOf(AcquireResult.Admitted.class);
		algorithms().filter((another) -> another != algorithm)
			.forEach((another) -> assertThat(acquire(Limits.of(another, "mine", "1/60s")))
				.isInstanceOf(AcquireResult.Admitted.class));
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	static List<Usage> usage(AcquireResult result) {
		return (result instanceof AcquireResult.Admitted admitted) ? admitted.usage()
				: ((AcquireResult.Refused) result).usage();
	}

	static long waitMicros(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Refused.class);
		return usage(result).stream().mapToLong(Usage::retryMicros).max().orElseThrow();
	}

	boolean release(AcquireRequest request, AcquireResult result) {
		AcquiredPermits taken = new AcquiredPermits(request, ((AcquireResult.Admitted) result).receipts());
		return this.store.release(List.of(taken), Patience.LONG).await().get(0) == ReleaseResult.ACKNOWLEDGED;
	}

}
