package dev.ratelimit.autoconfigure;

import dev.ratelimit.rule.config.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SettingChecksTests {

	@ParameterizedTest
	@CsvSource({ "rl:shop, rl:shop", "rl:my shop, rl:my-shop", "rl:{shop}, rl:-shop-", "rl:größe, rl:größe" })
	void charactersThatNoKeyPrefixMayHaveBecomeDashes(String text, String prefix) {
		assertThat(SettingChecks.keyPrefix(text)).isEqualTo(prefix);
	}

	@Test
	void applicationsWithNamesOfOneLengthDoNotShareTheirKeys() {
		assertThat(SettingChecks.keyPrefix("rl:магазин")).isNotEqualTo(SettingChecks.keyPrefix("rl:корзина"));
	}

	@Test
	void aKeyPrefixThatIsTooLongIsNotCut() {
		assertThatExceptionOfType(InvalidSettingsException.class)
			.isThrownBy(() -> SettingChecks.keyPrefix("rl:" + "a".repeat(78)));
	}

}
