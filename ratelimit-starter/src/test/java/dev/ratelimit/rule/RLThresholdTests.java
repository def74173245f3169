package dev.ratelimit.rule;

import java.time.Duration;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class RLThresholdTests {

	@ParameterizedTest
	@CsvSource({ "500/2s,500,2000,500/2s", "1/500ms,1,500,1/500ms", "100/s,100,1000,100/1s",
			"200/minute,200,60000,200/1m", "20/day,20,86400000,20/1d", "7/ms,7,1,7/1ms", "7/second,7,1000,7/1s",
			"7/hour,7,3600000,7/1h", "7/h,7,3600000,7/1h", "10000/60s,10000,60000,10000/1m", "5/24h,5,86400000,5/1d",
			"5/90s,5,90000,5/90s", "5/1500ms,5,1500,5/1500ms",
			"999999999999999/400d,999999999999999,34560000000,999999999999999/400d" })
	void theShortFormIsReadAndWritten(String text, long threshold, long millis, String written) {
		RLThreshold read = RLThreshold.valueOf(text);
		assertThat(read).isEqualTo(new RLThreshold(threshold, Duration.ofMillis(millis)));
		assertThat(read).hasToString(written);
	}

	@Property
	void aWrittenThresholdIsReadBackEqual(@ForAll @LongRange(min = 1, max = RLThreshold.MAX_THRESHOLD) long threshold,
			@ForAll @LongRange(min = 1, max = 34_560_000_000L) long millis) {
		RLThreshold written = new RLThreshold(threshold, Duration.ofMillis(millis));
		assertThat(RLThreshold.valueOf(written.toString())).isEqualTo(written);
	}

	@Test
	void aBurstIsTheThresholdUnlessItIsGiven() {
		assertThat(RLThreshold.valueOf("5/1m").burst()).isEqualTo(5);
		assertThat(RLThreshold.of("5", "1m", "10")).isEqualTo(new RLThreshold(5, Duration.ofMinutes(1), 10))
			.hasToString("5/1m (burst 10)");
		assertThat(RLThreshold.of("5", "1m", "5")).isEqualTo(RLThreshold.valueOf("5/1m")).hasToString("5/1m");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "01", "1.5", "1e3", "", "1000000000000000", "9223372036854775808" })
	void aBurstIsAWholeNumber(String burst) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RLThreshold.of("5", "1m", burst))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("burst"));
	}

	/** The form of a list in YAML. */
	@Test
	void severalWindowsAreSeveralTexts() {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RLThreshold.valueOf("1/1s, 5/1m"))
			.withMessage("thresholds '1/1s, 5/1m' has more than one window. Write each window as a text of its own: "
					+ "\"1/1s\", \"5/1m\"");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RLThreshold.valueOf("1,000/1m"))
			.withMessageContaining("has a threshold that is not a whole number");
	}

	@ParameterizedTest
	@ValueSource(strings = { "concurrent", "calendar-day", "calendar-week", "calendar-month" })
	void windowsOfOtherKindsAreRefused(String window) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RLThreshold.valueOf("3/" + window))
			.withMessageStartingWith(
					"thresholds '3/%s' has a window that is of a kind that this version does not support. Write a duration",
					window);
	}

	@Test
	void aWindowOfALengthIsThatWhichIsRead() {
		RLWindow window = RLWindow.of(Duration.ofMinutes(1));
		assertThat(window).isEqualTo(RLWindow.valueOf("60s")).hasToString("1m").isNotEqualTo(RLWindow.valueOf("1s"));
		assertThat(window.length()).hasValue(Duration.ofMinutes(1));
		assertThat(new RLThreshold(5, window, 5).windowLength()).isEqualTo(Duration.ofMinutes(1));
	}

	@Property
	void anyTextIsReadOrRefused(@ForAll String threshold, @ForAll String window) {
		Throwable thrown = catchThrowable(() -> RLThreshold.valueOf(threshold + "/" + window));
		if (thrown != null) {
			assertThat(thrown).isInstanceOf(InvalidRuleException.class);
		}
	}

	@Property
	void anyNumberWithAnyUnitIsReadOrRefused(@ForAll long threshold, @ForAll long count) {
		Throwable thrown = catchThrowable(() -> RLThreshold.valueOf(threshold + "/" + count + "d"));
		if (thrown != null) {
			assertThat(thrown).isInstanceOf(InvalidRuleException.class);
		}
	}

	@Test
	void aThresholdMadeInCodeIsCheckedToo() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new RLThreshold(0, Duration.ofSeconds(1)))
			.withMessage(
					"threshold '0' is not a whole number of at least 1. Write a whole number from 1 to 999999999999999 in plain digits, "
							+ "without a leading zero");
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new RLThreshold(1_000_000_000_000_000L, Duration.ofSeconds(1)));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new RLThreshold(1, Duration.ZERO));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new RLThreshold(1, Duration.ofSeconds(1), 0));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new RLThreshold(1, Duration.ofDays(401)));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new RLThreshold(1, Duration.ofNanos(1_500_000)))
			.withMessageContaining("is finer than a millisecond");
	}

}
