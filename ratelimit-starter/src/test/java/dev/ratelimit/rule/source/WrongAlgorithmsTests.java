package dev.ratelimit.rule.source;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.source.WrongRulesTests.Wrong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.ratelimit.rule.source.WrongRulesTests.wrong;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Options that do not go with the algorithm of their rule, and thresholds that an
 * algorithm cannot count.
 */
class WrongAlgorithmsTests {

	static Stream<Wrong> options() {
		return Stream.of(
				wrong("rounding of the default algorithm", "rounding: up", "rounding", "up",
						"does not go with algorithm sliding-window-log",
						"Use algorithm sliding-window-counter, or remove rounding"),
				wrong("rounding that is the default anyway", "algorithm: fixed-window\nrounding: down", "rounding",
						"down", "does not go with algorithm fixed-window", "Use algorithm sliding-window-counter"),
				wrong("misspelt rounding", "algorithm: sliding-window-counter\nrounding: half-up", "rounding",
						"half-up", "is not known", "Use down, up"),
				wrong("empty rounding", "algorithm: sliding-window-counter\nrounding:", "rounding", "", "is empty",
						"Give it a value"),
				wrong("refill of a leaky bucket", "algorithm: leaky-bucket\nrefill: interval", "refill", "interval",
						"does not go with algorithm leaky-bucket", "Use algorithm token-bucket, or remove refill"),
				wrong("refill that is the default anyway", "algorithm: sliding-window-counter\nrefill: continuous",
						"refill", "continuous", "does not go with algorithm sliding-window-counter",
						"Use algorithm token-bucket"),
				wrong("misspelt refill", "algorithm: token-bucket\nrefill: greedy", "refill", "greedy", "is not known",
						"Use continuous, interval"),
				wrong("counted refusals of a counter", "algorithm: sliding-window-counter\ncount-rejected: true",
						"count-rejected", "true", "does not go with algorithm sliding-window-counter",
						"Use algorithm sliding-window-log, or remove count-rejected"),
				wrong("counted refusals of a bucket", "algorithm: token-bucket\ncount-rejected: true", "count-rejected",
						"true", "does not go with algorithm token-bucket", "Use algorithm sliding-window-log"),
				wrong("misspelt algorithm, with an option that cannot be checked",
						"algorithm: token-bukket\nrefill: interval", "algorithm", "token-bukket", "is not known",
						"token-bucket"));
	}

	static Stream<Wrong> bursts() {
		String bucket = "algorithm: token-bucket\nthresholds: [{threshold: 5, window: 1m, burst: %s}]";
		return Stream.of(
				wrong("burst of a log", "thresholds: [{threshold: 5, window: 1m, burst: 10}]", "thresholds[0].burst",
						"10", "does not go with algorithm sliding-window-log",
						"Use algorithm token-bucket or leaky-bucket, or remove burst"),
				wrong("burst of a fixed window that is its threshold",
						"algorithm: fixed-window\nthresholds: [9/1s, {threshold: 5, window: 1m, burst: 5}]",
						"thresholds[1].burst", "5", "does not go with algorithm fixed-window",
						"Use algorithm token-bucket or leaky-bucket"),
				wrong("no burst", bucket.formatted(0), "thresholds[0].burst", "0",
						"is not a whole number of at least 1", "Write a whole number from 1"),
				wrong("negative burst", bucket.formatted(-1), "thresholds[0].burst", "-1",
						"is not a whole number of at least 1", "Write a whole number from 1"),
				wrong("part of a burst", bucket.formatted("2.5"), "thresholds[0].burst", "2.5",
						"is not a whole number of at least 1", "plain digits"),
				wrong("leading zero of a burst", bucket.formatted("010"), "thresholds[0].burst", "010",
						"is not a whole number of at least 1", "without a leading zero"),
				wrong("burst with an exponent", bucket.formatted("1e3"), "thresholds[0].burst", "1e3",
						"is not a whole number of at least 1", "plain digits"),
				wrong("burst out of range", bucket.formatted("1000000000000000"), "thresholds[0].burst",
						"1000000000000000", "is out of range", "to 999999999999999"),
				wrong("empty burst", bucket.formatted(""), "thresholds[0].burst", "", "is empty", "Give it a value"),
				wrong("burst of centuries", bucket.formatted("576000001"), "thresholds", "5/1m (burst 576000001)",
						"has a burst that takes longer than 80000d to come back", "at most 576000000 for 5/1m"),
				wrong("burst of an interval bucket", bucket.formatted(10) + "\nrefill: interval", "thresholds",
						"5/1m (burst 10)", "does not go with refill interval",
						"Remove burst, or use refill continuous"),
				wrong("burst beside the thresholds", "algorithm: token-bucket\nburst: 10", "burst", "10",
						"belongs to no key", "thresholds: [{threshold: 5, window: 1m, burst: 10}]"),
				wrong("burst without a window", "algorithm: token-bucket\nthresholds: [{threshold: 5, burst: 10}]",
						"thresholds[0].window", "", "is missing", "both threshold and window"));
	}

	static Stream<Wrong> rates() {
		return Stream.of(
				wrong("token bucket above a permit per microsecond", "algorithm: token-bucket\nthresholds: 1000001/1s",
						"thresholds", "1000001/1s", "is more than one permit per microsecond", "at most 1000000/1s"),
				wrong("leaky bucket above a permit per microsecond",
						"algorithm: leaky-bucket\nthresholds: 5/1d, 1001/ms", "thresholds", "1001/1ms",
						"is more than one permit per microsecond", "at most 1000/1ms"),
				wrong("interval bucket above a permit per microsecond",
						"algorithm: token-bucket\nrefill: interval\nthresholds: 1000001/1s", "thresholds", "1000001/1s",
						"is more than one permit per microsecond", "at most 1000000/1s"),
				wrong("counter above the largest threshold",
						"algorithm: sliding-window-counter\nthresholds: 1000000000000000/1d", "thresholds",
						"1000000000000000/1d", "has a threshold that is out of range", "to 999999999999999"));
	}

	@ParameterizedTest
	@MethodSource({ "options", "bursts", "rates" })
	void aWrongSettingStopsTheStartWithItsReason(Wrong wrong) {
		WrongRulesTests.assertStopsTheStart(wrong);
	}

	@Test
	void anUnknownDefaultIsReportedOnce() {
		assertThat(TestSources.yaml("""
				ratelimit:
				  defaults: {rounding: sideways, refill: never}
				  rules:
				    one: {thresholds: 1/s}
				    two: {thresholds: 1/s, algorithm: token-bucket}
				""").problems()).extracting(Problem::property)
			.containsExactly("ratelimit.defaults.rounding", "ratelimit.defaults.refill");
	}

	@Test
	void rulesAreNotCheckedAgainstAnUnknownDefaultAlgorithm() {
		assertThat(TestSources.yaml("""
				ratelimit:
				  defaults: {algorithm: bucket}
				  rules:
				    one: {refill: interval, thresholds: 1/s}
				    two: {thresholds: [{threshold: 5, window: 1m, burst: 10}]}
				""").problems()).extracting(Problem::property).containsExactly("ratelimit.defaults.algorithm");
	}

	@Test
	void aBurstThatDoesNotGoWithADefaultIsRefused() {
		List<Problem> problems = TestSources.yaml("""
				ratelimit:
				  defaults: {algorithm: token-bucket, refill: interval}
				  rules:
				    login: {thresholds: [{threshold: 5, window: 1m, burst: 10}]}
				""").problems();
		assertThat(problems).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.login.thresholds");
			assertThat(problem.cure()).contains("use refill continuous");
		});
	}

	@Test
	void aBurstUnderTheDefaultsIsRefusedWithTheCure() {
		assertThat(TestSources.yaml("ratelimit.defaults.burst: 10").problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.cure()).contains("Each threshold has its own"));
	}

}
