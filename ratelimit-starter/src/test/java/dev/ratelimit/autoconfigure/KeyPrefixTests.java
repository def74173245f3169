package dev.ratelimit.autoconfigure;

import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KeyPrefixTests {

	@ParameterizedTest
	@CsvSource({ "rl:shop, rl:shop", "rl:my shop, rl:my-shop", "rl:{shop}, rl:-shop-", "rl:größe, rl:größe" })
	void charactersThatNoKeyPrefixMayHaveBecomeDashes(String text, String prefix) {
		assertThat(KeyPrefix.keyPrefix(text)).isEqualTo(prefix);
	}

	@Test
	void applicationsWithNamesOfOneLengthDoNotShareTheirKeys() {
		assertThat(KeyPrefix.keyPrefix("rl:магазин")).isNotEqualTo(KeyPrefix.keyPrefix("rl:корзина"));
	}

	@Test
	void aKeyPrefixThatIsTooLongIsNotCut() {
		assertThatExceptionOfType(InvalidSettingsException.class)
			.isThrownBy(() -> KeyPrefix.keyPrefix("rl:" + "a".repeat(78)));
	}

}
