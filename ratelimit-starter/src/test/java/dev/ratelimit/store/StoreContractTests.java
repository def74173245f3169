package dev.ratelimit.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.ratelimit.store.Results.admitted;
import static dev.ratelimit.store.Results.refused;
import static dev.ratelimit.store.Results.window;
import static dev.ratelimit.store.Results.usedUp;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store promises, on a clock that the test moves.
 */
@ParameterizedClass
@EnumSource
@ExtendWith(SharedRedis.class)
@DisplayName("The store contract; E3, 3.16: after each test every key in Redis expires within its horizon")
class StoreContractTests extends CounterContract {

	private static final long SECOND = 1_000_000;

	private final TestedStore tested;

	StoreContractTests(TestedStore tested) {
		this.tested = tested;
	}

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return this.tested.open(clock);
	}

	@Test
	void admitsUpToTheThresholdAndReportsWhatIsLeft() {
		Limit limit = Limits.of("three-a-minute", "3/60s");
		assertThat(acquire(limit)).isEqualTo(admitted(window(2, 60 * SECOND, 0)));
		advance(Duration.ofSeconds(10));
		assertThat(acquire(limit)).isEqualTo(admitted(window(1, 60 * SECOND, 0)));
		advance(Duration.ofSeconds(10));
		assertThat(acquire(limit)).isEqualTo(admitted(usedUp(60 * SECOND, 40 * SECOND)));
		advance(Duration.ofSeconds(10));
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 50 * SECOND, 30 * SECOND)));
	}

	@Test
	void aWindowLastsExactlyItsLength() {
		Limit limit = Limits.of("one-a-minute", "1/60s");
		acquire(limit);
		advanceMicros(60 * SECOND - 1);
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 1, 1)));
		advanceMicros(1);
		assertThat(acquire(limit)).isEqualTo(admitted(usedUp(60 * SECOND, 60 * SECOND)));
	}

	@Test
	void theWaitOfARefusalIsExactForTheSameCost() {
		Limit limit = Limits.of("five-a-minute", "5/60s");
		for (int i = 0; i < 5; i++) {
			acquire(limit);
			advance(Duration.ofSeconds(1));
		}
		assertThat(acquire(limit, 3)).isEqualTo(refused(window(0, 59 * SECOND, 57 * SECOND)));
		advanceMicros(57 * SECOND - 1);
		assertThat(acquire(limit, 3)).isEqualTo(refused(window(2, 2 * SECOND + 1, 1)));
		advanceMicros(1);
		assertThat(acquire(limit, 3)).isEqualTo(admitted(usedUp(60 * SECOND, SECOND)));
	}

	@Test
	@DisplayName("1.6, 1.12, 0.14: all windows of a rule hold at once, and a refusal by one takes nothing from the others")
	void allWindowsAreDecidedAtOnce() {
		Limit limit = Limits.of("two-windows", "2/60s", "3/600s");
		assertThat(acquire(limit)).isEqualTo(admitted(window(1, 60 * SECOND, 0), window(2, 600 * SECOND, 0)));
		acquire(limit);
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 60 * SECOND, 60 * SECOND), window(1, 600 * SECOND, 0)));
		advance(Duration.ofSeconds(60));
		assertThat(acquire(limit)).isEqualTo(admitted(window(1, 60 * SECOND, 0), usedUp(600 * SECOND, 540 * SECOND)));
		assertThat(acquire(limit)).isEqualTo(refused(window(1, 60 * SECOND, 0), window(0, 600 * SECOND, 540 * SECOND)));
	}

	@Test
	void windowsAreReturnedShortestFirstHoweverTheyAreDeclared() {
		AcquireResult result = acquire(Limits.of("unordered", "9/600s", "2/60s"));
		assertThat(result).isEqualTo(admitted(window(1, 60 * SECOND, 0), window(8, 600 * SECOND, 0)));
	}

	@Test
	void aCostAboveTheThresholdCanNeverBeAdmitted() {
		Limit limit = Limits.of("cost", "2/60s", "5/600s");
		assertThat(acquire(limit, 3)).isEqualTo(refused(window(2, 0, Usage.NEVER), window(5, 0, 0)));
		assertThat(acquire(limit, Long.MAX_VALUE))
			.isEqualTo(refused(window(2, 0, Usage.NEVER), window(5, 0, Usage.NEVER)));
		assertThat(acquire(limit, 2)).isEqualTo(admitted(usedUp(60 * SECOND, 60 * SECOND), window(3, 600 * SECOND, 0)));
	}

	@Test
	void theLargestCostOfALogIsOneDecision() {
		Limit limit = Limits.of("bulk", "150/60s");
		assertThat(acquire(limit, 100)).isEqualTo(admitted(window(50, 60 * SECOND, 0)));
		assertThat(acquire(limit, 51)).isEqualTo(refused(window(50, 60 * SECOND, 60 * SECOND)));
		assertThat(acquire(limit, 50)).isEqualTo(admitted(usedUp(60 * SECOND, 60 * SECOND)));
	}

	@Test
	@DisplayName("1.10: the article's eleven requests at 5/60s, refusals counted: 200 x8, 429, 429, 200")
	void theWalkThroughOfTheArticle() {
		Limit limit = Limits.countingRefusals("walk-through", "5/60s");
		List<Integer> statuses = Stream
			.of("09:30:20", "09:30:25", "09:30:50", "09:31:10", "09:31:22", "09:31:45", "09:31:48", "09:32:05",
					"09:32:09", "09:32:15", "09:32:46")
			.map((time) -> {
				moveTo("2026-11-20T" + time + "Z");
				return (acquire(limit) instanceof AcquireResult.Admitted) ? 200 : 429;
			})
			.toList();
		assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 200, 200, 200, 429, 429, 200);
	}

	@Test
	@DisplayName("3.14: 2 a minute, refusals counted: 1:00:01 and 1:00:30 pass, 1:00:50 is refused, 1:01:40 passes")
	void theLogOfTheCatalogue() {
		Limit limit = Limits.countingRefusals("catalogue", "2/1m");
		moveTo("2026-11-20T01:00:01Z");
		assertThat(acquire(limit)).isEqualTo(admitted(window(1, 60 * SECOND, 0)));
		moveTo("2026-11-20T01:00:30Z");
		assertThat(acquire(limit)).isEqualTo(admitted(usedUp(60 * SECOND, 31 * SECOND)));
		moveTo("2026-11-20T01:00:50Z");
		assertThat(acquire(limit)).as("in the log now, in place of 1:00:01")
			.isEqualTo(refused(window(0, 60 * SECOND, 40 * SECOND)));
		moveTo("2026-11-20T01:01:40Z");
		assertThat(acquire(limit)).as("after 1:00:50").isEqualTo(admitted(usedUp(60 * SECOND, 10 * SECOND)));
	}

	@Test
	@DisplayName("1.8, 1.9: with refusals counted a refusal uses up every window; without, none")
	void refusalsAreCountedInEveryWindowOrInNone() {
		Limit counting = Limits.countingRefusals("counting", "1/60s", "5/600s");
		acquire(counting);
		assertThat(acquire(counting))
			.isEqualTo(refused(window(0, 60 * SECOND, 60 * SECOND), window(3, 600 * SECOND, 0)));
		assertThat(acquire(counting))
			.isEqualTo(refused(window(0, 60 * SECOND, 60 * SECOND), window(2, 600 * SECOND, 0)));
		Limit forgiving = Limits.of("forgiving", "1/60s", "5/600s");
		acquire(forgiving);
		acquire(forgiving);
		assertThat(acquire(forgiving))
			.isEqualTo(refused(window(0, 60 * SECOND, 60 * SECOND), window(4, 600 * SECOND, 0)));
	}

	@Test
	@DisplayName("1.9, E4: a refusal that is counted puts the next admission off; one that is not does not")
	void aCountedRefusalExtendsTheBlock() {
		assertThat(admissionsOfOneRequestEvery10Seconds(Limits.countingRefusals("steady-counting", "5/60s")))
			.as("E4: a client that keeps hammering stays refused until it slows down")
			.isEqualTo("11111" + "0".repeat(55));
		assertThat(admissionsOfOneRequestEvery10Seconds(Limits.of("steady", "5/60s")))
			.as("E4: without it the client retains its quota")
			.isEqualTo("111110".repeat(10));
	}

	private String admissionsOfOneRequestEvery10Seconds(Limit limit) {
		StringBuilder admissions = new StringBuilder();
		for (int i = 0; i < 60; i++) {
			admissions.append((acquire(limit) instanceof AcquireResult.Admitted) ? '1' : '0');
			advance(Duration.ofSeconds(10));
		}
		return admissions.toString();
	}

	@Test
	@DisplayName("E1: a window given in seconds is counted in seconds")
	void twentyRequestsInTwoSecondsMeetAWindowOfAMinute() {
		Limit limit = Limits.of("e1", "5/60s");
		long admitted = IntStream.range(0, 20).filter((i) -> {
			advance(Duration.ofMillis(100));
			return acquire(limit) instanceof AcquireResult.Admitted;
		}).count();
		assertThat(admitted).isEqualTo(5);
	}

	@Test
	@DisplayName("E2: requests of the same microsecond are all counted")
	void aHundredRequestsInOneMicrosecond() {
		Limit limit = Limits.of("e2", "5/60s");
		assertThat(IntStream.range(0, 100).filter((i) -> acquire(limit) instanceof AcquireResult.Admitted).count())
			.isEqualTo(5);
	}

	@Test
	void aRequestRepeatedWithTheSameIdIsCountedOnceAndGetsTheSameResult() {
		Limit limit = Limits.of("again", "2/60s");
		AcquireRequest first = request(limit, "first", 1);
		assertThat(acquire(first)).isEqualTo(admitted(window(1, 60 * SECOND, 0)));
		advance(Duration.ofSeconds(1));
		assertThat(acquire(first)).isEqualTo(admitted(window(1, 59 * SECOND, 0)));
		acquire(limit);
		assertThat(acquire(first)).as("when the window is full").isEqualTo(admitted(window(0, 60 * SECOND, 0)));
		advance(Duration.ofSeconds(60));
		assertThat(acquire(first)).as("when it has left the window").isEqualTo(admitted(window(1, 60 * SECOND, 0)));
	}

	@Test
	void aCountedRefusalIsRepeatedAndCountedOnce() {
		Limit limit = Limits.countingRefusals("refused-again", "1/60s", "9/600s");
		acquire(limit);
		AcquireRequest refused = request(limit, "refused", 1);
		AcquireResult result = refused(window(0, 60 * SECOND, 60 * SECOND), window(7, 600 * SECOND, 0));
		assertThat(acquire(refused)).isEqualTo(result);
		assertThat(acquire(refused)).isEqualTo(result);
		advance(Duration.ofSeconds(60));
		assertThat(acquire(refused)).as("even when there is room")
			.isEqualTo(refused(window(1, 0, 1), window(7, 540 * SECOND, 1)));
	}

	@Test
	void releasedPermitsCountAsNeverTaken() {
		Limit limit = Limits.of("give-back", "5/60s", "6/600s");
		AcquireRequest bulk = request(limit, "bulk", 4);
		acquire(limit);
		advance(Duration.ofSeconds(1));
		acquire(bulk);
		assertThat(release(bulk)).isTrue();
		assertThat(release(bulk)).as("a second time").isTrue();
		assertThat(release(request(limit, "unknown", 9))).as("never taken").isTrue();
		assertThat(acquire(limit)).isEqualTo(admitted(window(3, 60 * SECOND, 0), window(4, 600 * SECOND, 0)));
	}

	@Test
	void aCountedRefusalIsNotReleased() {
		Limit limit = Limits.countingRefusals("kept", "1/60s", "9/600s");
		acquire(limit);
		AcquireRequest refused = request(limit, "refused", 1);
		acquire(refused);
		assertThat(release(refused)).isTrue();
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 60 * SECOND, 60 * SECOND), window(6, 600 * SECOND, 0)));
	}

	@Test
	void aClockThatStepsBackLocksNoSubjectOutLongerThanAWindow() {
		Limit limit = Limits.of("step-back", "2/60s");
		acquire(limit);
		acquire(limit);
		advance(Duration.ofHours(-1));
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 60 * SECOND, 60 * SECOND)));
		advance(Duration.ofSeconds(60));
		assertThat(acquire(limit)).isEqualTo(admitted(window(1, 60 * SECOND, 0)));
	}

	@Test
	void theRequestsOfOneCallAreDecidedInTheirOrder() {
		Limit narrow = Limits.of("narrow", "1/60s");
		Limit wide = Limits.of("wide", "9/60s");
		List<AcquireRequest> requests = List.of(request(wide, "a", 1), request(narrow, "b", 1), request(narrow, "c", 1),
				request(wide, "d", 2));
		assertThat(store().acquire(requests, PATIENCE).await()).containsExactly(admitted(window(8, 60 * SECOND, 0)),
				admitted(usedUp(60 * SECOND, 60 * SECOND)), refused(window(0, 60 * SECOND, 60 * SECOND)),
				admitted(window(6, 60 * SECOND, 0)));
		assertThat(store().settle(Settlement.release(requests.stream().map(AcquiredPermits::new).toList()), PATIENCE)
			.await()).containsExactly(SettlementResult.ACKNOWLEDGED, SettlementResult.ACKNOWLEDGED,
					SettlementResult.ACKNOWLEDGED, SettlementResult.ACKNOWLEDGED);
		assertThat(acquire(narrow)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void rulesAndSubjectsShareNothing() {
		Limit limit = Limits.of("mine", "1/60s");
		acquire(limit);
		Subject other = new Subject(subject().text() + "x");
		assertThat(acquire(new AcquireRequest(limit, other, 1, new PermitId("x"))))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(Limits.of("mine-too", "1/60s"))).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	void theLongestWindowsAndLargestThresholdsStayExact() {
		Limit limit = Limits.of("extreme", "1000000/400d");
		Limit small = Limits.of("small", "100/400d");
		long year = Duration.ofDays(400).toMillis() * 1000;
		assertThat(acquire(limit, 100)).isEqualTo(admitted(window(999_900, year, 0)));
		assertThat(acquire(small)).isEqualTo(admitted(window(99, year, 0)));
		advanceMicros(year - 1);
		assertThat(acquire(limit, 101)).isEqualTo(refused(window(999_900, 1, Usage.NEVER)));
		assertThat(acquire(small, 100)).isEqualTo(refused(window(99, 1, 1)));
		advanceMicros(1);
		assertThat(acquire(limit)).isEqualTo(admitted(window(999_999, year, 0)));
		assertThat(acquire(small)).isEqualTo(admitted(window(99, year, 0)));
	}

}
