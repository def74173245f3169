package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.InvalidRuleException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a rule in code says about requests that it enqueues is checked as in YAML.
 */
class EnqueueTests {

	@ParameterizedTest
	@CsvSource({ "-1, 16777216, P1D, enqueue.max-body", "16777217, 1073741824, P1D, enqueue.max-body",
			"0, 16383, P1D, enqueue.max-bytes", "0, 16777216, PT0.999S, enqueue.max-age",
			"0, 16777216, PT1.0000001S, enqueue.max-age", "0, 16777216, P401D, enqueue.max-age" })
	void aQueueIsWithinItsRanges(int maxBodyBytes, long maxBytes, Duration maxAge, String key) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Enqueue(List.of(), maxBodyBytes, 1, 1, maxBytes, maxAge))
			.satisfies((ex) -> {
				assertThat(ex.property()).isEqualTo(key);
				assertThat(ex.reason()).isIn("is out of range", "is finer than a millisecond");
			});
	}

}
