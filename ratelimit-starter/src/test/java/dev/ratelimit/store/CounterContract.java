package dev.ratelimit.store;

import java.time.Duration;
import java.util.stream.IntStream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Rounding;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static dev.ratelimit.store.Results.refused;
import static dev.ratelimit.store.Results.window;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store promises of fixed windows and of sliding-window counters: the worked
 * numbers of the articles.
 */
abstract class CounterContract extends AlgorithmContract {

	private static final long SECOND = 1_000_000;

	private static final long LARGEST = 999_999_999_999_999L;

	@Test
	@DisplayName("0.20: with windows of 10 s, 162731878077 ms lies in the one from 162731870000 to 162731880000")
	void aFixedWindowIsAlignedToTheClock() {
		Limit limit = Limits.of(Algorithm.FIXED_WINDOW, "aligned", "1/10s");
		moveTo("1975-02-27T11:17:58.077Z");
		assertThat(micros()).isEqualTo(162731878077_000L);
		AcquireResult.Admitted result = (AcquireResult.Admitted) acquire(limit);
		assertThat(result.usage()).containsExactly(window(0, (162731880000L - 162731878077L) * 1000, 0));
		assertThat(result.receipts()).containsExactly(162731880000_000L);
		advance(Duration.ofMillis(100));
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 1823_000, 1823_000)));
		moveTo("1975-02-27T11:17:59.999999Z");
		assertThat(acquire(limit)).isEqualTo(refused(window(0, 1, 1)));
		advanceMicros(1);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	@DisplayName("0.21: the first fixed window may be short, later ones are exact")
	void theFirstFixedWindowMayBeShort() {
		Limit limit = Limits.of(Algorithm.FIXED_WINDOW, "short", "3/60s");
		moveTo("2026-11-20T09:30:59Z");
		acquire(limit, 3);
		advance(Duration.ofSeconds(1));
		assertThat(usage(acquire(limit, 3))).containsExactly(window(0, 60 * SECOND, 0));
		advanceMicros(60 * SECOND - 1);
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	@DisplayName("3.13: around an edge of fixed windows twice the threshold passes; a log admits it once")
	void twiceTheThresholdPassesAroundAnEdgeOfFixedWindows() {
		assertThat(admittedAroundAnEdge(Algorithm.FIXED_WINDOW)).isEqualTo(20);
		assertThat(admittedAroundAnEdge(Algorithm.SLIDING_WINDOW_COUNTER)).isEqualTo(11);
		assertThat(admittedAroundAnEdge(Algorithm.SLIDING_WINDOW_LOG)).isEqualTo(10);
	}

	private long admittedAroundAnEdge(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "edge", "10/60s");
		moveTo("2026-11-20T09:30:59.999Z");
		long before = IntStream.range(0, 20).filter((i) -> acquire(limit) instanceof AcquireResult.Admitted).count();
		advance(Duration.ofMillis(2));
		return before + IntStream.range(0, 20).filter((i) -> acquire(limit) instanceof AcquireResult.Admitted).count();
	}

	@Test
	@DisplayName("2.3: 400 in the last minute and 250 in this one at :45 are an estimate of 350, and the next makes 251")
	void theEstimateOfTheArticle() {
		Limit limit = Limits.of(Algorithm.SLIDING_WINDOW_COUNTER, "estimate", "500/1m");
		moveTo("2026-11-20T09:22:10Z");
		acquire(limit, 400);
		moveTo("2026-11-20T09:23:30Z");
		acquire(limit, 250);
		moveTo("2026-11-20T09:23:45Z");
		assertThat(acquire(limit, 151)).as("an estimate of 350").isEqualTo(refused(window(150, 75 * SECOND, 1)));
		assertThat(usage(acquire(limit))).containsExactly(window(149, 75 * SECOND, 0));
		moveTo("2026-11-20T09:24:00Z");
		assertThat(acquire(limit, 250)).as("251 are previous now").isEqualTo(refused(window(249, 60 * SECOND, 1)));
	}

	@Test
	@DisplayName("2.8: 10 per second and 3000 per 10 minutes together")
	void aShortAndALongWindowTogether() {
		Limit limit = Limits.of(Algorithm.SLIDING_WINDOW_COUNTER, "flexible", "10/s", "3000/10m");
		moveTo("2026-11-20T09:30:00.999Z");
		for (int second = 0; second < 300; second++) {
			assertThat(acquire(limit, 10)).as("second " + second).isInstanceOf(AcquireResult.Admitted.class);
			assertThat(usage(acquire(limit)).get(0).refuses()).as("second " + second).isTrue();
			advance(Duration.ofSeconds(1));
		}
		assertThat(usage(acquire(limit))).extracting(Usage::refuses).containsExactly(false, true);
	}

	@Test
	@DisplayName("3.15: 5 and 3 at 30 % are 6.5 of 7: rounded down there is room, rounded up there is none")
	void roundingByChoice() {
		AcquireResult down = sixAndAHalf(Rounding.DOWN);
		assertThat(usage(down)).containsExactly(window(0, 102 * SECOND, 0));
		assertThat(down).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(sixAndAHalf(Rounding.UP)).as("6 at 40 %").isEqualTo(refused(window(0, 102 * SECOND, 6 * SECOND)));
	}

	private AcquireResult sixAndAHalf(Rounding rounding) {
		Limit limit = Limits.of(RLConfig.builder("rounding-" + (rounding == Rounding.UP ? "up" : "down"))
			.algorithm(Algorithm.SLIDING_WINDOW_COUNTER)
			.rounding(rounding)
			.thresholds("7/1m"));
		moveTo("2026-11-20T09:30:40Z");
		acquire(limit, 5);
		moveTo("2026-11-20T09:31:12Z");
		acquire(limit, 3);
		moveTo("2026-11-20T09:31:18Z");
		return acquire(limit);
	}

	@Test
	void theWaitOfACounterMayLieInTheNextWindow() {
		Limit limit = Limits.of(Algorithm.SLIDING_WINDOW_COUNTER, "next", "10/60s");
		moveTo("2026-11-20T09:30:50Z");
		acquire(limit, 10);
		assertThat(acquire(limit, 5)).as("below 6 of 10 are left after 24 s of the next minute")
			.isEqualTo(refused(window(0, 70 * SECOND, 34 * SECOND + 1)));
	}

	@Test
	void permitsAreReleasedFromTheWindowBefore() {
		Limit limit = Limits.of(Algorithm.SLIDING_WINDOW_COUNTER, "previous", "10/60s");
		acquire(limit, 2);
		AcquireRequest request = request(limit, "late", 8);
		AcquireResult result = acquire(request);
		moveTo("2026-11-20T09:31:30Z");
		assertThat(release(request, result)).isTrue();
		assertThat(usage(acquire(limit)).get(0).remaining()).as("1 of the 2, and this one").isEqualTo(8);
	}

	@Test
	void permitsOfBeforeAStepBackOfTheClockStayCounted() {
		for (Algorithm algorithm : new Algorithm[] { Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER }) {
			Limit limit = Limits.of(algorithm, "stepped", "10/60s");
			AcquireRequest request = request(limit, "before", 4);
			AcquireResult result = acquire(request);
			advance(Duration.ofMinutes(-1));
			assertThat(usage(acquire(limit)).get(0).remaining()).isEqualTo(5);
			assertThat(release(request, result)).isFalse();
			advance(Duration.ofMinutes(1));
			acquire(limit);
			assertThat(release(request, result)).as("when its window has come again").isFalse();
		}
	}

	@Test
	void theLongestWindowsAndLargestThresholdsOfCountersStayExact() {
		for (Algorithm algorithm : new Algorithm[] { Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER }) {
			Limit limit = Limits.of(algorithm, "extreme", LARGEST + "/400d");
			assertThat(usage(acquire(limit, LARGEST - 1)).get(0).remaining()).isEqualTo(1);
			assertThat(usage(acquire(limit, 2)).get(0).remaining()).isEqualTo(1);
			advanceMicros(waitMicros(acquire(limit, 12_345_678_901_234L)) - 1);
			assertThat(waitMicros(acquire(limit, 12_345_678_901_234L))).isEqualTo(1);
			advanceMicros(1);
			assertThat(acquire(limit, 12_345_678_901_234L)).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

}
