package dev.ratelimit.store.redis.resp;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the limiter's own settings may be.
 */
class RedisStoreSettingsTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@ParameterizedTest
	@ValueSource(strings = { "", "a{b", "a}b", "a\nb", "\u0000" })
	void aPrefixThatWouldBreakTheKeyIsRefused(String prefix) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisStoreSettings(prefix, SECOND, 1, 1, "ratelimit"));
	}

	@Test
	void aPrefixIsMeasuredInBytes() {
		assertThatCode(() -> new RedisStoreSettings("é".repeat(40), SECOND, 1, 1, "ratelimit"))
			.doesNotThrowAnyException();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisStoreSettings("é".repeat(41), SECOND, 1, 1, "ratelimit"));
	}

	@Test
	void timesAndSizesAreAtLeastOne() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisStoreSettings("rl", Duration.ZERO, 1, 1, "ratelimit"))
			.withMessageContaining("connect timeout");
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisStoreSettings("rl", SECOND, 0, 1, "ratelimit"));
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisStoreSettings("rl", SECOND, 1, -1, "ratelimit"))
			.withMessageContaining("may wait");
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisStoreSettings("rl", SECOND, 1, 1, "a b"));
	}

}
