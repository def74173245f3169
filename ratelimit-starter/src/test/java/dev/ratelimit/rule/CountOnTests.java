package dev.ratelimit.rule;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.rule.CountOn.Statuses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CountOnTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "always | 100 399 400 599 999 |", "success | 100 200 399 | 400 500 999",
			"failure | 400 418 500 599 600 999 | 100 200 399", "402 | 402 | 401 403 200", "5xx | 500 503 599 | 499 600",
			"402,5xx | 402 500 599 | 400 403 499 200", "success, 404 | 200 302 404 | 400 500" })
	void anOutcomeCountsByItsStatus(String outcomes, String counted, String others) {
		CountOn countOn = CountOn.valueOf(outcomes);
		assertThat(statuses(counted)).allMatch(countOn::counts);
		assertThat(statuses(others)).noneMatch(countOn::counts);
	}

	private static IntStream statuses(String text) {
		return (text != null) ? List.of(text.split(" ")).stream().mapToInt(Integer::parseInt) : IntStream.empty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "always | always", "402,5xx | 402, 5xx", "FAILURE | failure", "5XX | 5xx",
			"2xx , 301 | 2xx, 301" })
	void outcomesAreWrittenInOneForm(String text, String written) {
		assertThat(CountOn.valueOf(text)).hasToString(written).isEqualTo(CountOn.valueOf(written));
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "success, failure", "1xx, 2xx, 3xx, failure", "failure, 5xx, success" })
	void allOutcomesTogetherAreAlways(String outcomes) {
		assertThat(CountOn.valueOf(outcomes)).isEqualTo(CountOn.ALWAYS);
		assertThat(CountOn.valueOf(outcomes).isAlways()).isTrue();
	}

	/** A container may send statuses outside all classes. */
	@Test
	void allStatusClassesTogetherAreNotAlways() {
		assertThat(CountOn.valueOf("1xx,2xx,3xx,4xx,5xx").isAlways()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "fail", "600", "099", "40", "4000", "4x", "6xx", "xxx", "402,", ",402", "402;403",
			"400-499", "always, 402", "-402" })
	void aTextThatIsNoOutcomeIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> CountOn.valueOf(text))
			.satisfies((ex) -> {
				assertThat(ex.property()).isEqualTo("count-on");
				assertThat(ex.cure()).contains("success (below 400), failure (400 and above)");
			});
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 99, 1000, Integer.MAX_VALUE })
	void aStatusOutOfRangeCountsAsTheNearest(int status) {
		assertThat(CountOn.ALWAYS.counts(status)).isTrue();
		assertThat(CountOn.valueOf("failure").counts(status)).isEqualTo(status >= 400);
		assertThat(CountOn.valueOf("success").counts(status)).isEqualTo(status < 400);
	}

	@Test
	void rangesMadeInCodeAreCheckedToo() {
		assertThat(new CountOn(List.of(new Statuses(400, 403)))).hasToString("400-403");
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Statuses(99, 200));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Statuses(300, 200));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Statuses(200, 1000));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new CountOn(List.of()));
	}

}
