package dev.ratelimit.backtest.log;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TimesTests {

	@ParameterizedTest
	@CsvSource({ "10/Oct/2026:13:55:36 -0700, 2026-10-10T20:55:36Z", "29/Feb/2028:23:59:59 +0000, 2028-02-29T23:59:59Z",
			"01/Jan/2027:00:00:00 +0530, 2026-12-31T18:30:00Z", "01/Jan/2027:00:00:00 -0330, 2027-01-01T03:30:00Z" })
	void theCommonFormHasAnOffset(String text, Instant time) {
		assertThat(Times.common(text)).isEqualTo(time);
	}

	@Test
	void theRepeatedHourOfADaylightSavingChangeIsTwoHours() {
		Instant summer = Times.common("25/Oct/2026:02:30:00 +0200");
		Instant winter = Times.common("25/Oct/2026:02:30:00 +0100");
		assertThat(summer.plusSeconds(3600)).isEqualTo(winter);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-", "10/Oct/2026:13:55:36", "30/Feb/2026:13:55:36 +0000",
			"10/Okt/2026:13:55:36 +0000", "10/ctN/2026:13:55:36 +0000", "10/Oct/2026:25:55:36 +0000",
			"10/Oct/2026:13:55:60 +0000", "10/Oct/2026:13:55:36 *0000", "10/Oct/2026:13:55:36 +9900",
			"1a/Oct/2026:13:55:36 +0000", "10-Oct-2026:13:55:36 +0000", "2026-10-10T13:55:36+00:00X" })
	void anInvalidTimeIsRejected(String text) {
		assertThatExceptionOfType(BrokenLineException.class).isThrownBy(() -> Times.common(text))
			.withMessage("has no time that can be read");
	}

	@ParameterizedTest
	@CsvSource({ "2026-10-10T13:55:36Z", "2026-10-10T13:55:36.000Z", "2026-10-10T15:55:36+02:00",
			"2026-10-10T15:55:36+0200", "2026-10-10T15:55:36+02", "2026-10-10 15:55:36 +0200", "1791640536",
			"1791640536.000", "1791640536000", "1791640536000000", "[10/Oct/2026:13:55:36 +0000]",
			"10/Oct/2026:13:55:36 +0000" })
	void timesInJsonMayHaveManyForms(String text) {
		assertThat(Times.any(text)).isEqualTo(Instant.parse("2026-10-10T13:55:36Z"));
	}

	@Test
	void fractionsOfSecondsAreRead() {
		assertThat(Times.any("1791640536.123")).isEqualTo(Instant.parse("2026-10-10T13:55:36.123Z"));
		assertThat(Times.any("2026-10-10T13:55:36.123456Z")).isEqualTo(Instant.parse("2026-10-10T13:55:36.123456Z"));
	}

	@Test
	void aTimeWithoutItsOffsetIsRejected() {
		assertThatExceptionOfType(BrokenLineException.class).isThrownBy(() -> Times.any("2026-10-10 13:55:36"))
			.withMessage("has a time without its offset");
	}

}
