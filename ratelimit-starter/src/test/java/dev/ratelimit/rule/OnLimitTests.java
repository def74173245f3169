package dev.ratelimit.rule;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a rule in code says about requests over its limit is checked as in YAML.
 */
class OnLimitTests {

	@ParameterizedTest
	@CsvSource({ "PT0S", "PT24H0.001S", "PT0.0005S" })
	void aWaitIsWithinItsRange(Duration maxWait) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new OnLimit.Delay(maxWait, 1))
			.satisfies((ex) -> assertOutOfRange(ex, "max-wait"));
	}

	private static void assertOutOfRange(InvalidRuleException ex, String key) {
		assertThat(ex.property()).isEqualTo(key);
		assertThat(ex.reason()).isIn("is out of range", "is finer than a millisecond");
	}

}
