package dev.ratelimit.backtest.tally;

import java.util.Locale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class KeyMemoryTests {

	/** Compared with {@code docs/redis.md}, at thresholds of 100, 1,000 and 10,000. */
	@ParameterizedTest
	@CsvSource({ "sliding-window-log, CONTINUOUS", "sliding-window-counter, CONTINUOUS", "fixed-window, CONTINUOUS",
			"token-bucket, CONTINUOUS", "token-bucket, INTERVAL", "leaky-bucket, CONTINUOUS" })
	void theEstimateMatchesTheDocumentation(String algorithm, Refill refill) throws IOException {
		String name = "`" + algorithm + "`" + ((refill == Refill.INTERVAL) ? " with `refill: interval`" : "");
		Matcher row = Pattern
			.compile("(?m)^\\| " + Pattern.quote(name) + " \\|.*\\| ([0-9,]+) / ([0-9,]+) / ([0-9,]+) \\|$")
			.matcher(Files.readString(Path.of("../../docs/redis.md")));
		assertThat(row.find()).isTrue();
		RLConfigBuilder rule = RLConfig.builder("any")
			.algorithm(Algorithm.valueOf(algorithm.replace('-', '_').toUpperCase(Locale.ROOT)));
		if (refill == Refill.INTERVAL) {
			rule.refill(refill);
		}
		RLConfig built = rule.thresholds("10000/1m").build();
		long permits = 100;
		for (int i = 1; i <= 3; i++) {
			long documented = Long.parseLong(row.group(i).replace(",", ""));
			boolean isLog = built.counting().algorithm() == Algorithm.SLIDING_WINDOW_LOG;
			assertThat(KeyMemory.bytes(built, permits)).isCloseTo(documented, within(isLog ? documented / 8 : 0));
			permits *= 10;
		}
	}

	@Test
	void aKeyThatNeverExistedTakesNoMemory() {
		assertThat(KeyMemory.bytes(RLConfig.builder("any").thresholds("1/1m").build(), 0)).isZero();
	}

}
