package dev.ratelimit.rule;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CostTests {

	@ParameterizedTest
	@ValueSource(strings = { "1", "10", "999999999999999", "bean:cost", "bean:Cost Of Request" })
	void aCostIsWrittenAsItIsRead(String text) {
		assertThat(Cost.valueOf(text)).hasToString(text);
	}

	@Test
	void aNumberIsTheSameForEveryRequest() {
		assertThat(Cost.valueOf("7")).isEqualTo(new Cost.Fixed(7));
		assertThat(Cost.valueOf("1")).isEqualTo(Cost.ONE);
		assertThat(Cost.valueOf("bean:x")).isEqualTo(new Cost.BeanCost("x"));
	}

	@ParameterizedTest
	@CsvSource({ "'',whole number", "0,whole number", "-5,whole number", "+5,whole number", "1.5,whole number",
			"010,whole number", "1e3,whole number", "' 1',whole number", "abc,whole number", "bean,whole number",
			"1000000000000000,out of range", "9223372036854775807,out of range",
			"99999999999999999999999999,out of range", "bean:,names no bean", "'bean: x',names no bean" })
	void aTextThatIsNoCostIsRefused(String text, String reason) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Cost.valueOf(text)).satisfies((ex) -> {
			assertThat(ex.property()).isEqualTo("cost");
			assertThat(ex.value()).isEqualTo(text);
			assertThat(ex.reason()).contains(reason);
			assertThat(ex.cure()).contains("from 1 to the smallest threshold, or bean:NAME");
		});
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE, 1_000_000_000_000_000L, Long.MAX_VALUE })
	void aCostMadeInCodeIsCheckedToo(long permits) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Cost.Fixed(permits));
	}

}
