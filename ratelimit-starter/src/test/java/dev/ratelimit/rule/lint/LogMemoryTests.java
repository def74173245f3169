package dev.ratelimit.rule.lint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class LogMemoryTests {

	@Test
	@DisplayName("3.5: a log that may take too much memory is reported at the start")
	void aLogThatMayTakeTooMuchMemoryIsReported() {
		assertThat(warnings(RLConfig.builder("get-product").thresholds("500/2s", "10000/1m"), "256KB")).singleElement()
			.asString()
			.contains("Rule 'get-product'", "10000 entries", "about 1.2MB", "ratelimit.log-memory-warning (256KB)",
					"Use algorithm sliding-window-counter");
	}

	@Test
	void theLargestLogOfAPlanCounts() {
		assertThat(
				warnings(
						RLConfig.builder("a")
							.thresholds("5/1m")
							.plans(Plans.by("principal",
									Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("10000/1m")))))),
						"256KB"))
			.singleElement()
			.asString()
			.contains("10000 entries");
	}

	/** A client of an override uses no plan. */
	@Test
	void anOverrideNeedsNoMoreThanItsThreshold() {
		RLConfigBuilder rule = RLConfig.builder("a")
			.thresholds("100/1m")
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("100/1h"))))))
			.overrides(List.of(new KeyOverride(List.of("10.0.0.1"),
					new Allowance.Limited(List.of(RLThreshold.valueOf("1500/1h"))))));
		assertThat(warnings(rule, "256KB")).isEmpty();
		assertThat(warnings(rule, "1KB")).singleElement().asString().contains("1500 entries");
	}

	/** 100 in each of 61 minutes, and 100 in each of two hours. */
	@Test
	void whatNeedNotCountIsKeptAsLongAsTheLongestWindow() {
		RLConfigBuilder rule = RLConfig.builder("a")
			.thresholds("100/1m")
			.plans(Plans.by("principal",
					Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("100/1h"))))));
		assertThat(warnings(rule, "1KB")).singleElement().asString().contains("200 entries");
		assertThat(warnings(rule.countOn(CountOn.valueOf("success")), "1KB")).singleElement()
			.asString()
			.contains("6300 entries");
	}

	@ParameterizedTest
	@CsvSource({ "2148/1s,256KB,0", "2149/1s,256KB,1", "1000000/1d,116MB,1", "1000000/1d,117MB,0", "128/1s,4KB,0",
			"129/1s,4KB,1", "1/1s,27B,1", "1/1s,28B,0" })
	void theBudgetMayBeUsedUp(String threshold, String budget, int warnings) {
		assertThat(warnings(RLConfig.builder("a").thresholds(threshold), budget)).hasSize(warnings);
	}

	@ParameterizedTest
	@EnumSource(names = "SLIDING_WINDOW_LOG", mode = EnumSource.Mode.EXCLUDE)
	void otherAlgorithmsStaySmall(Algorithm algorithm) {
		assertThat(warnings(RLConfig.builder("a").algorithm(algorithm).thresholds("1000000/1d"), "1KB")).isEmpty();
	}

	@Test
	void theEstimateMatchesTheMemoryThatRedisUses() {
		PermitIds ids = new PermitIds(RandomGenerator.getDefault());
		Jedis redis = SharedRedis.inspection();
		try {
			long entries = 0;
			for (long target : new long[] { 100, 128, 129, 1000, 1025, 2000, 10_000 }) {
				Map<String, Double> added = new HashMap<>();
				for (; entries < target; entries++) {
					added.put(ids.next().text(), 1_795_166_420_123_456.0 + 137 * entries);
				}
				redis.zadd("log", added);
				assertThat(redis.memoryUsage("log", 0) / (double) LogMemory.estimate(target).toBytes())
					.as("%d entries", target)
					.isBetween(0.85, 1.15);
			}
		}
		finally {
			redis.del("log");
		}
	}

	private static List<String> warnings(RLConfigBuilder rule, String budget) {
		return RuleLint.warnings(new RuleSet(List.of(rule.build())), DataSize.parse(budget));
	}

}
