package dev.ratelimit.store.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Usage;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many bytes a key takes when its threshold is used up, compared with the tables in
 * docs/redis.md and docs/algorithms.md.
 */
@ExtendWith(SharedRedis.class)
class KeyMemoryTests {

	private static final long[] THRESHOLDS = { 100, 1_000, 10_000 };

	/** Allocators and versions of Redis differ; the text does not. */
	private static final Percentage TOLERANCE = Percentage.withPercentage(15);

	/** Above any threshold: the refusal reports what is left, and takes nothing. */
	private static final long TOO_MUCH = 1_000_000_000;

	private static final int MINUTES = 130;

	private static final int PIPELINE = 500;

	private final MovableClock clock = new MovableClock();

	private final RedisStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	/** The rows of the tables. */
	private enum Kind {

		LOG("`sliding-window-log`", Algorithm.SLIDING_WINDOW_LOG),
		COUNTER("`sliding-window-counter`", Algorithm.SLIDING_WINDOW_COUNTER),
		FIXED("`fixed-window`", Algorithm.FIXED_WINDOW), TOKENS("`token-bucket`", Algorithm.TOKEN_BUCKET),
		INTERVALS("`token-bucket` with `refill: interval`", Algorithm.TOKEN_BUCKET),
		LEAKY("`leaky-bucket`", Algorithm.LEAKY_BUCKET);

		private final String row;

		private final Algorithm algorithm;

		Kind(String row, Algorithm algorithm) {
			this.row = row;
			this.algorithm = algorithm;
		}

		Limit limit(long threshold) {
			return limit(threshold + "/60s");
		}

		/** A log holds the entries of its largest threshold, whatever its windows. */
		Limit twoWindows(long threshold) {
			return limit(threshold + "/60s", (this == LOG) ? threshold + "/90s" : 10 * threshold + "/1h");
		}

		private Limit limit(String... thresholds) {
			RLConfigBuilder rule = RLConfig.builder("get-product").algorithm(this.algorithm).thresholds(thresholds);
			return Limits.of((this == INTERVALS) ? rule.refill(Refill.INTERVAL) : rule);
		}

		/** The cells of this row, without its name. */
		List<String> cells(String file, String heading) throws IOException {
			String text = Files.readString(Path.of("..", file));
			String section = text.substring(text.indexOf(heading));
			return Stream.of(section.split("\n"))
				.filter((line) -> line.startsWith("| " + this.row + " |"))
				.findFirst()
				.map((line) -> Arrays.stream(line.split(Pattern.quote("|"))).map(String::strip).skip(2).toList())
				.orElseThrow(() -> new AssertionError("No row " + this.row + " in " + file));
		}

	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("2.4: after two hours of full use a key holds two counters per window, or what else the table says")
	void theTextIsAsLongAsTheTableSays(Kind kind) throws IOException {
		List<String> cells = kind.cells("docs/redis.md", "## What is stored");
		if (kind == Kind.LOG) {
			assertThat(cells.subList(0, 2)).containsExactly("a sorted set", "the same");
			assertThat(size(kind.twoWindows(1_000))).isEqualTo(1_000);
			return;
		}
		assertThat(numbers(cells.get(0))).containsExactly(each((threshold) -> size(kind.limit(threshold))));
		assertThat(numbers(cells.get(1))).containsExactly(each((threshold) -> size(kind.twoWindows(threshold))));
	}

	@Test
	@DisplayName("2.4: whatever the clock, a client has one key, with the counters of two windows: the last one used and the one before")
	void twoCountersLiveAtAnyClock() {
		Limit limit = Limits.of(Algorithm.SLIDING_WINDOW_COUNTER, "two-counters", "9/60s");
		SplittableRandom random = new SplittableRandom(1);
		Map<Long, Long> admitted = new HashMap<>();
		long last = 0;
		for (int i = 0; i < 500; i++) {
			this.clock.advanceMicros(random.nextLong((i % 10 == 0) ? 200_000_000 : 10_000_000));
			if (StoreRequests.isAdmitted(StoreRequests.acquire(this.store, limit, "i10.0.0.1"))) {
				last = this.clock.micros() / 60_000_000;
				admitted.merge(last, 1L, Long::sum);
			}
			assertThat(this.redis.keys("*")).hasSize(1);
			assertThat((List<?>) this.redis.eval("return { struct.unpack('<I5I7I7I7I2', redis.call('GET', KEYS[1])) }",
					1, StoreRequests.key(StoreRequests.request(limit, "i10.0.0.1"))))
				.isEqualTo(List.of(60_000L, last, admitted.get(last), admitted.getOrDefault(last - 1, 0L), 0L, 29L));
		}
		assertThat(admitted).as("windows").hasSizeGreaterThan(50);
	}

	@Test
	void aLogOfPlansWithDifferentWindowsKeepsTwiceTheLargestThreshold() {
		List<Limit> plans = Limits.ofPlans(RLConfig.builder("plans")
			.thresholds("10/1m")
			.plans(Plans.by("principal",
					Map.of("hourly", new Allowance.Limited(List.of(RLThreshold.valueOf("30/1h"))))))
			.build());
		long most = 0;
		for (int i = 0; i < 300; i++) {
			this.clock.advanceMicros(7_000_000);
			StoreRequests.acquire(this.store, plans.get(0), "i10.0.0.1");
			StoreRequests.acquire(this.store, plans.get(1), "i10.0.0.1");
			most = Math.max(most, this.redis.zcard(this.redis.keys("*").iterator().next()));
		}
		assertThat(most).as("and the one that was added, and the member #").isEqualTo(2 * 30 + 2);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("3.5: memory per key is what the tables say")
	void theKeyTakesWhatTheTablesSay(Kind kind) throws IOException {
		long[] measured = each((threshold) -> this.redis.memoryUsage(useUp(kind.limit(threshold)), 0));
		assertClose(measured, kind.cells("docs/redis.md", "## What is stored").get(2));
		assertClose(measured, kind.cells("docs/algorithms.md", "## Which algorithm when").get(3));
	}

	private static void assertClose(long[] measured, String cell) {
		long[] reported = numbers(cell);
		assertThat(reported).hasSameSizeAs(measured);
		for (int i = 0; i < reported.length; i++) {
			assertThat(measured[i]).as("%s, measured %s", cell, Arrays.toString(measured))
				.isCloseTo(reported[i], TOLERANCE);
		}
	}

	private static long[] numbers(String cell) {
		return Stream.of(cell.split(" / ")).mapToLong((number) -> Long.parseLong(number.replace(",", ""))).toArray();
	}

	private static long[] each(LongUnaryOperator figure) {
		return LongStream.of(THRESHOLDS).map(figure).toArray();
	}

	/** Bytes of a string, entries of a sorted set. */
	private long size(Limit limit) {
		String key = useUp(limit);
		return (limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG) ? this.redis.zcard(key) : this.redis.strlen(key);
	}

	/** Takes all there is, minute after minute. */
	private String useUp(Limit limit) {
		this.redis.flushAll();
		this.clock.moveTo("2026-11-20T09:30:59Z");
		boolean isLog = limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
		for (int minute = 0; minute < (isLog ? 3 : MINUTES); minute++) {
			this.clock.advanceMicros(60_000_000);
			long left = left(limit);
			if (isLog) {
				for (long taken = 0; taken < left; taken += PIPELINE) {
					take(limit, Math.min(PIPELINE, left - taken), 1);
				}
			}
			else if (left > 0) {
				take(limit, 1, left);
			}
		}
		return StoreRequests.key(StoreRequests.request(limit, "i10.0.0.1"));
	}

	private long left(Limit limit) {
		AcquireResult result = StoreRequests.acquire(this.store, StoreRequests.request(limit, "i10.0.0.1", TOO_MUCH));
		return ((AcquireResult.Refused) result).usage().stream().mapToLong(Usage::remaining).min().orElseThrow();
	}

	private void take(Limit limit, long count, long cost) {
		List<AcquireRequest> requests = LongStream.range(0, count)
			.mapToObj((i) -> StoreRequests.request(limit, "i10.0.0.1", cost))
			.toList();
		assertThat(this.store.acquire(requests, Patience.LONG).await()).allMatch(StoreRequests::isAdmitted);
	}

}
