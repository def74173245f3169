package dev.ratelimit.rule.config;

import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An algorithm and its options, as set by a rule or by the defaults.
 */
class ReadAlgorithmsTests {

	@ParameterizedTest
	@EnumSource
	void everyAlgorithmIsReadByItsName(Algorithm algorithm) {
		assertThat(read("ratelimit.rules.a: {algorithm: " + algorithm.text() + ", thresholds: 5/1m}"))
			.containsExactly(RLConfig.builder("a").algorithm(algorithm).thresholds("5/1m").build());
	}

	@Test
	void everyOptionIsReadForAnAlgorithmThatTakesIt() {
		assertThat(read("""
				ratelimit:
				  rules:
				    counter: {algorithm: sliding-window-counter, rounding: up, thresholds: 500/1m}
				    bucket:
				      algorithm: token-bucket
				      refill: continuous
				      thresholds:
				        - {threshold: 5, window: 1m, burst: 10}
				        - 100/d
				    hard: {algorithm: tokenBucket, refill: INTERVAL, thresholds: 5/1m}
				    leak: {algorithm: leaky_bucket, thresholds: [{threshold: 1, window: 1s, burst: 3}]}
				    plain: {algorithm: fixed-window, count-rejected: false, thresholds: 5/1m}
				""")).containsExactly(
				RLConfig.builder("counter")
					.algorithm(Algorithm.SLIDING_WINDOW_COUNTER)
					.rounding(Rounding.UP)
					.thresholds("500/1m")
					.build(),
				RLConfig.builder("bucket")
					.algorithm(Algorithm.TOKEN_BUCKET)
					.thresholds(List.of(RLThreshold.valueOf("5/1m").withBurst(10), RLThreshold.valueOf("100/1d")))
					.build(),
				RLConfig.builder("hard")
					.algorithm(Algorithm.TOKEN_BUCKET)
					.refill(Refill.INTERVAL)
					.thresholds("5/1m")
					.build(),
				RLConfig.builder("leak")
					.algorithm(Algorithm.LEAKY_BUCKET)
					.thresholds(List.of(RLThreshold.valueOf("1/1s").withBurst(3)))
					.build(),
				RLConfig.builder("plain").algorithm(Algorithm.FIXED_WINDOW).thresholds("5/1m").build());
	}

	@Test
	void aDefaultIsUsedWhereItFitsTheAlgorithm() {
		assertThat(read("""
				ratelimit:
				  defaults: {algorithm: sliding-window-counter, rounding: up, refill: interval, count-rejected: true}
				  rules:
				    counter: {thresholds: 5/1m}
				    down: {rounding: down, thresholds: 5/1m}
				    bucket: {algorithm: token-bucket, thresholds: 5/1m}
				    log: {algorithm: sliding-window-log, thresholds: 5/1m}
				    fixed: {algorithm: fixed-window, thresholds: 5/1m}
				""")).containsExactly(
				RLConfig.builder("counter")
					.algorithm(Algorithm.SLIDING_WINDOW_COUNTER)
					.rounding(Rounding.UP)
					.thresholds("5/1m")
					.build(),
				RLConfig.builder("down").algorithm(Algorithm.SLIDING_WINDOW_COUNTER).thresholds("5/1m").build(),
				RLConfig.builder("bucket")
					.algorithm(Algorithm.TOKEN_BUCKET)
					.refill(Refill.INTERVAL)
					.thresholds("5/1m")
					.build(),
				RLConfig.builder("log").countRejected(true).thresholds("5/1m").build(),
				RLConfig.builder("fixed").algorithm(Algorithm.FIXED_WINDOW).thresholds("5/1m").build());
	}

	private static List<RLConfig> read(String yaml) {
		return TestSources.yaml(yaml).read().rules().rules();
	}

}
