package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of one client, in Memcached and in memory, whose counters are the
 * oracle. One request follows the other: what several do at once is bounded by the other
 * tests.
 */
class HistoryTests {

	private static final int HISTORIES = 40;

	private static final int STEPS = 60;

	private static MemcachedServer server;

	private final TestClock clock = new TestClock();

	private final Random random = new Random(20);

	@BeforeAll
	static void start() {
		server = MemcachedServer.start();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void twoCountersDecideAsTheirOracleDoes(Rounding rounding) {
		compare((history) -> List.of(counters(history, rounding, 5, 60), counters(history, rounding, 60, 5)),
				Usage::toString, Duration.ofSeconds(40));
	}

	private static Limit counters(int history, Rounding rounding, long shorter, long longer) {
		return Limit.of(RLConfig.builder("c-" + rounding.name().length() + "-" + history)
			.algorithm(Algorithm.SLIDING_WINDOW_COUNTER)
			.rounding(rounding)
			.thresholds(shorter + "/60s", longer + "/150s")
			.build());
	}

	/** The oracle counts from whole hours on, so its windows end at another time. */
	@Test
	void fixedWindowsDecideAsTheirOracleDoesUntilTheyEnd() {
		compare((history) -> List.of(Requests.limit(Algorithm.FIXED_WINDOW, "f-" + history, "5/12h", "9/24h"),
				Requests.limit(Algorithm.FIXED_WINDOW, "f-" + history, "12/12h", "7/24h")),
				(usage) -> usage.remaining() + (usage.refuses() ? " refuses" : ""), Duration.ZERO);
	}

	private void compare(Plans plans, Seen seen, Duration longestStep) {
		try (RateLimitStore oracle = new MemoryStore(this.clock);
				RateLimitStore store = new MemcachedStore(MemcachedServer.connections(server.address()).open(),
						"rl:test", this.clock, (rule, acknowledged) -> {
						})) {
			int admitted = 0;
			for (int history = 0; history < HISTORIES; history++) {
				admitted += compare(oracle, store, plans.of(history), seen, longestStep);
			}
			assertThat(admitted).as("of all requests").isBetween(HISTORIES * STEPS / 10, HISTORIES * STEPS * 9 / 10);
		}
	}

	private int compare(RateLimitStore oracle, RateLimitStore store, List<Limit> limits, Seen seen,
			Duration longestStep) {
		List<Taken> taken = new ArrayList<>();
		int admitted = 0;
		for (int step = 0; step < STEPS; step++) {
			this.clock.advance(Duration.ofNanos((long) (this.random.nextDouble() * longestStep.toNanos())));
			if (!taken.isEmpty() && this.random.nextInt(4) == 0) {
				Taken back = taken.remove(this.random.nextInt(taken.size()));
				Requests.release(oracle, back.request(), back.inOracle());
				Requests.release(store, back.request(), back.inStore());
				continue;
			}
			AcquireRequest request = Requests.request(limits.get(this.random.nextInt(limits.size())), "u1",
					1 + this.random.nextInt(4));
			AcquireResult expected = Requests.acquire(oracle, request);
			AcquireResult result = Requests.acquire(store, request);
			assertThat(seen(result, seen)).as("step %d of %s", step, request).isEqualTo(seen(expected, seen));
			if (result instanceof AcquireResult.Admitted) {
				admitted++;
				taken.add(new Taken(request, expected, result));
			}
		}
		return admitted;
	}

	private static String seen(AcquireResult result, Seen seen) {
		if (result instanceof AcquireResult.Admitted admitted) {
			return "admitted " + admitted.usage().stream().map(seen::of).toList();
		}
		return "refused " + ((AcquireResult.Refused) result).usage().stream().map(seen::of).toList();
	}

	private interface Plans {

		List<Limit> of(int history);

	}

	private interface Seen {

		String of(Usage usage);

	}

	private record Taken(AcquireRequest request, AcquireResult inOracle, AcquireResult inStore) {
	}

}
