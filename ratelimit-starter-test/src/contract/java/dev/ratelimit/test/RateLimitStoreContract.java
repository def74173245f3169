package dev.ratelimit.test;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What every {@link dev.ratelimit.store.RateLimitStore} promises. A test of a store
 * extends it and {@linkplain #open opens} the store; the stores of the starter do the
 * same. Tests of what a store is not {@linkplain dev.ratelimit.store.StoreCapabilities
 * capable} of are skipped: those of algorithms that it does not decide, and of permits
 * taken ahead if it lists no instances. Those that move the clock are skipped from there
 * on where a store {@linkplain #assumeClockMoves cannot follow}. Needs JUnit Jupiter and
 * AssertJ, which come with {@code spring-boot-starter-test}.
 */
public abstract class RateLimitStoreContract extends StoreFixture {

	private int reservations;

	/**
	 * Create the tests.
	 */
	protected RateLimitStoreContract() {
	}

	/**
	 * The algorithms with windows.
	 * @return all but the buckets
	 */
	protected static Stream<Algorithm> algorithms() {
		return Stream.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.SLIDING_WINDOW_COUNTER, Algorithm.FIXED_WINDOW);
	}

	/**
	 * Whether permits can be taken ahead.
	 * @return whether the store lists instances, without which no permits are leased
	 */
	protected boolean reservesPermits() {
		return store().capabilities().instances().isPresent();
	}

	/** Whether permits are identified by their name; else they are only counted. */
	private static boolean identifiesPermits(Algorithm algorithm) {
		return algorithm == Algorithm.SLIDING_WINDOW_LOG;
	}

	@Test
	void namesItselfItsShardsAndWhatItCanDo() {
		assertThat(store().describe()).isNotBlank();
		assertThat(store().capabilities()).isEqualTo(store().capabilities());
		store().capabilities().algorithms().forEach((algorithm) -> {
			AcquireRequest request = request(limit(algorithm, "shard", "1/60s"), "p", 1);
			assertThat(store().shard(request)).isNotBlank();
		});
	}

	@ParameterizedTest
	@EnumSource
	void aCallerWithoutAThreadReceivesTheSame(Algorithm algorithm) {
		Limit limit = limit(algorithm, "without-a-thread", "3/60s");
		AcquireRequest request = request(limit, "p", 2);
		List<AcquireResult> results = started(store().acquire(List.of(request), PATIENCE));
		assertThat(results).singleElement().isInstanceOf(AcquireResult.Admitted.class);
		AcquiredPermits taken = new AcquiredPermits(request, ((AcquireResult.Admitted) results.get(0)).receipts());
		assertThat(started(store().settle(List.of(Settlement.release(taken)), PATIENCE))).containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(limit, 3)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@EnumSource
	void admitsUpToTheThresholdAtOnceAndReportsWhatIsLeft(Algorithm algorithm) {
		Limit limit = limit(algorithm, "three", "3/60s");
		assertThat(LongStream.range(0, 3).map((i) -> usage(acquire(limit)).get(0).remaining())).containsExactly(2L, 1L,
				0L);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void theWaitOfARefusalIsExactForTheSameCost(Algorithm algorithm) {
		for (int cost = 1; cost <= 5; cost++) {
			Limit limit = limit(algorithm, "wait-" + cost, "5/60s", "9/90s");
			for (int i = 0; i < 5; i++) {
				acquire(limit);
				advanceMicros(7_000_001);
			}
			int admitted = 0;
			while (acquire(limit, cost) instanceof AcquireResult.Admitted) {
				advanceMicros(1);
				assertThat(++admitted).as("admitted at once with cost " + cost).isLessThanOrEqualTo(5);
			}
			long wait = waitMicros(acquire(limit, cost));
			advanceMicros(wait - 1);
			assertThat(waitMicros(acquire(limit, cost))).as("cost " + cost).isEqualTo(1);
			advanceMicros(1);
			assertThat(acquire(limit, cost)).as("cost " + cost).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aRefusalByOneWindowTakesNothingFromTheOthers(Algorithm algorithm) {
		Limit limit = limit(algorithm, "all-windows", "9/600s", "2/60s");
		acquire(limit, 2);
		List<Usage> usage = usage(acquire(limit));
		assertThat(usage).extracting(Usage::remaining).as("the shortest window first").containsExactly(0L, 7L);
		assertThat(usage).extracting(Usage::refuses).containsExactly(true, false);
		assertThat(usage(acquire(limit))).isEqualTo(usage);
	}

	@ParameterizedTest
	@EnumSource
	void aCostAboveTheThresholdCanNeverBeAdmitted(Algorithm algorithm) {
		Limit limit = limit(algorithm, "cost", "2/60s", "5/600s");
		assertThat(usage(acquire(limit, 3))).containsExactly(new Usage(2, 0, Usage.NEVER), new Usage(5, 0, 0));
		assertThat(usage(acquire(limit, Long.MAX_VALUE))).containsExactly(new Usage(2, 0, Usage.NEVER),
				new Usage(5, 0, Usage.NEVER));
		assertThat(usage(acquire(limit, 2))).extracting(Usage::remaining).containsExactly(0L, 3L);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aCostThatNoDoubleHoldsIsRefusedByTheLargestThresholdToo(Algorithm algorithm) {
		long largest = (algorithm == Algorithm.SLIDING_WINDOW_LOG) ? 1_000_000 : 999_999_999_999_999L;
		assertHugeCostsAreRefused(limit(algorithm, "huge", largest + "/400d"), largest);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aLimitIsWholeAgainAfterItsReset(Algorithm algorithm) {
		Limit limit = limit(algorithm, "forgotten", "3/60s");
		long reset = usage(acquire(limit, 3)).get(0).resetMicros();
		advanceMicros(reset);
		assertThat(reset).isPositive().isLessThanOrEqualTo(limit.horizon().toMillis() * 1000);
		assertThat(usage(acquire(limit, 3)).get(0).remaining()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("3.21: of 1280 requests at once by 64 threads as many pass as the threshold says")
	void sixtyFourThreadsOnAFrozenClockAreAdmittedExactlyToTheThreshold(Algorithm algorithm) throws Exception {
		Limit limit = limit(algorithm, "hot", "500/60s");
		assertThat(admittedAtOnce(limit)).isEqualTo(500);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aReservationIsWhatIsWantedButAtMostHalfOfWhatIsLeftAndAtLeastTheCost(Algorithm algorithm) {
		assumeTrue(reservesPermits());
		Limit limit = limit(algorithm, "ahead", "100/60s", "200/90s");
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
		assumeTrue(reservesPermits());
		Limit limit = limit(algorithm, "unspent", "100/60s");
		AcquireRequest request = reservationRequest(limit, 1, 40);
		AcquireResult.Reserved reserved = (AcquireResult.Reserved) acquire(request);
		assertThat(reserved.permits()).isEqualTo(40);
		AcquiredPermits unspent = new AcquiredPermits(request.of(15), reserved.receipts());
		assertThat(store().settle(List.of(Settlement.release(unspent)), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(74);
	}

	@ParameterizedTest
	@EnumSource
	void aPartOfWhatWasAdmittedIsKept(Algorithm algorithm) {
		Limit limit = limit(algorithm, "part", "10/60s");
		AcquireRequest request = request(limit, "p", 10);
		AcquireResult.Admitted admitted = (AcquireResult.Admitted) acquire(request);
		Settlement settlement = new Settlement(new AcquiredPermits(request, admitted.receipts()), 3);
		assertThat(store().settle(List.of(settlement), PATIENCE).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(limit, 8)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(acquire(limit, 7)).isInstanceOf(AcquireResult.Admitted.class);
	}

	private long ahead(Limit limit, long cost, long wanted) {
		return ((AcquireResult.Reserved) acquire(reservationRequest(limit, cost, wanted))).permits();
	}

	private AcquireRequest reservationRequest(Limit limit, long cost, long wanted) {
		return new AcquireRequest(limit, subject(), cost, new PermitId("a" + this.reservations++), wanted);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void releasedPermitsCountAsNeverTaken(Algorithm algorithm) {
		Limit limit = limit(algorithm, "give-back", "5/60s", "6/600s");
		acquire(limit);
		advance(Duration.ofSeconds(1));
		AcquireRequest bulk = request(limit, "bulk", 4);
		assertThat(release(bulk, acquire(bulk))).isTrue();
		assertThat(usage(acquire(limit))).extracting(Usage::remaining).containsExactly(3L, 4L);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void permitsThatHaveLeftTheWindowAreNotReleasedAgain(Algorithm algorithm) {
		Limit limit = limit(algorithm, "too-late", "5/60s");
		AcquireRequest early = request(limit, "early", 4);
		AcquireResult result = acquire(early);
		advance(limit.horizon());
		acquire(limit, 3);
		assertThat(release(early, result)).isTrue();
		assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void permitsWhoseReplyWasLostAreReleasedByTheirNameOrStayCounted(Algorithm algorithm) {
		Limit limit = limit(algorithm, "lost", "5/60s");
		AcquireRequest lost = request(limit, "lost", 4);
		assertThat(release(lost)).as("before it arrived").isEqualTo(identifiesPermits(algorithm));
		acquire(lost);
		assertThat(release(lost)).isEqualTo(identifiesPermits(algorithm));
		assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(identifiesPermits(algorithm) ? 4 : 0);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aRequestRepeatedWithTheSameIdIsIdentifiedByItOrCountedAgain(Algorithm algorithm) {
		Limit limit = limit(algorithm, "again", "5/60s");
		AcquireRequest first = request(limit, "first", 1);
		acquire(first);
		assertThat(usage(acquire(first)).get(0).remaining()).isEqualTo(identifiesPermits(algorithm) ? 4 : 3);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aClockThatStepsBackLocksNoSubjectOutLongerThanAWindow(Algorithm algorithm) {
		Limit limit = limit(algorithm, "step-back", "2/60s");
		acquire(limit, 2);
		for (Duration step : List.of(Duration.ofHours(-1), Duration.ofSeconds(-21), Duration.ofNanos(-1000))) {
			advance(step);
			assertThat(acquire(limit)).as("a step of " + step).isInstanceOf(AcquireResult.Refused.class);
			assertThat(waitMicros(acquire(limit))).isPositive().isLessThanOrEqualTo(60_000_001);
		}
		advanceMicros(waitMicros(acquire(limit)));
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	@DisplayName("Changing a threshold keeps what was already used; windows are identified by their length")
	void changingAThresholdKeepsWhatWasUsed(Algorithm algorithm) {
		acquire(limit(algorithm, "changed", "5/60s", "9/600s"), 4);
		Limit raised = limit(algorithm, "changed", "20/600s", "10/60s");
		assertThat(usage(acquire(raised))).extracting(Usage::remaining).containsExactly(5L, 15L);
		Limit lowered = limit(algorithm, "changed", "3/60s");
		assertThat(usage(acquire(lowered))).extracting(Usage::remaining).containsExactly(0L);
		assertThat(waitMicros(acquire(lowered))).isPositive();
		advance(Duration.ofMinutes(2));
		assertThat(acquire(lowered)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void plansWithTheSameWindowsShareWhatWasUsedBackAndForth(Algorithm algorithm) {
		Limit free = limit(algorithm, "plans", "5/60s", "50/600s");
		Limit paid = limit(algorithm, "plans", "50/60s", "500/600s");
		acquire(free, 3);
		assertThat(usage(acquire(paid, 4))).extracting(Usage::remaining).containsExactly(43L, 493L);
		assertThat(acquire(free)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(usage(acquire(paid))).extracting(Usage::remaining).containsExactly(42L, 492L);
		advance(Duration.ofMinutes(2));
		assertThat(usage(acquire(free))).extracting(Usage::remaining).containsExactly(4L, 41L);
		assertThat(usage(acquire(paid))).extracting(Usage::remaining).containsExactly(48L, 490L);
	}

	@ParameterizedTest
	@EnumSource
	void theRequestsOfOneCallAreDecidedInTheirOrder(Algorithm algorithm) {
		Limit narrow = limit(algorithm, "narrow", "1/60s");
		Limit wide = limit(algorithm, "wide", "9/60s");
		List<AcquireResult> results = store()
			.acquire(List.of(request(wide, "a", 1), request(narrow, "b", 1), request(narrow, "c", 1),
					request(wide, "d", 2)), PATIENCE)
			.await();
		assertThat(results).extracting((result) -> usage(result).get(0).remaining()).containsExactly(8L, 0L, 0L, 6L);
		assertThat(results.get(2)).isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@EnumSource
	void rulesAlgorithmsAndSubjectsShareNothing(Algorithm algorithm) {
		Limit limit = limit(algorithm, "mine", "1/60s");
		acquire(limit);
		Subject other = new Subject(subject().text() + "x");
		assertThat(acquire(new AcquireRequest(limit, other, 1, new PermitId("x"))))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(limit(algorithm, "mine-too", "1/60s"))).isInstanceOf(AcquireResult.Admitted.class);
		for (Algorithm another : store().capabilities().algorithms()) {
			assertThat(acquire(limit(another, "mine", "1/60s"))).as(another + " beside " + algorithm)
				.isInstanceOf((another == algorithm) ? AcquireResult.Refused.class : AcquireResult.Admitted.class);
		}
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	/**
	 * The state of the windows.
	 * @param result an admission or a refusal
	 * @return one entry per window
	 */
	protected static List<Usage> usage(AcquireResult result) {
		return (result instanceof AcquireResult.Admitted admitted) ? admitted.usage()
				: ((AcquireResult.Refused) result).usage();
	}

	/**
	 * The wait of a refusal.
	 * @param result the refusal
	 * @return the longest of its windows, in microseconds
	 */
	protected static long waitMicros(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Refused.class);
		return usage(result).stream().mapToLong(Usage::retryMicros).max().orElseThrow();
	}

	/**
	 * Release what was admitted.
	 * @param request the request
	 * @param result its admission
	 * @return whether the store acknowledged it
	 */
	protected boolean release(AcquireRequest request, AcquireResult result) {
		AcquiredPermits taken = new AcquiredPermits(request, ((AcquireResult.Admitted) result).receipts());
		return store().settle(List.of(Settlement.release(taken)), PATIENCE).await().get(0) == SettlementResult.ACKNOWLEDGED;
	}

}
