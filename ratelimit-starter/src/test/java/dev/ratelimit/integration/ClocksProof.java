package dev.ratelimit.integration;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.rule.Algorithm;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clocks of applications do not matter, and where that of Redis jumps nobody is
 * locked out for longer than a window, nor gets more than twice the limit. The jumps need
 * faketime; {@code -Dproof.faketime=required} fails where it is missing.
 */
@Tag("proof-clocks")
class ClocksProof {

	private static final int LIMIT = 50;

	private static final Duration WINDOW = Duration.ofSeconds(4);

	private static final List<String> ALGORITHMS = Stream.of(Algorithm.values())
		.map((algorithm) -> algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-'))
		.toList();

	@TempDir
	static Path directory;

	@Configuration(proxyBeanMethods = false)
	static class Ahead {

		@Bean(defaultCandidate = false)
		InstantSource rateLimitClock() {
			return () -> InstantSource.system().instant().plusSeconds(5);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Behind {

		@Bean(defaultCandidate = false)
		InstantSource rateLimitClock() {
			return () -> InstantSource.system().instant().minusSeconds(5);
		}

	}

	@Test
	void clocksOfApplicationsTenSecondsApartDecideAlike() {
		try (RedisServer server = RedisServer.start()) {
			String redis = "spring.data.redis.port: " + server.port() + "\n";
			assertThat(admittedByTwo(redis)).as("in Redis").isEqualTo(LIMIT);
			assertThat(admittedByTwo("ratelimit.store: memory\n")).as("each on its own clock").isGreaterThan(LIMIT);
			System.out.printf(Locale.ROOT,
					"P12 clocks of two instances 10 s apart: %d of %d admitted in four windows, by both together%n",
					LIMIT, LIMIT);
		}
	}

	/** Asks two instances in turns, for longer than their clocks are apart. */
	private static long admittedByTwo(String store) {
		String prefix = App.newPrefix();
		String yaml = store + """
				ratelimit.deadline: 10s
				ratelimit.rules.all: {key: 'header:X', algorithm: fixed-window, thresholds: %d/1d}
				""".formatted(LIMIT);
		try (App ahead = App.start(prefix, yaml, Ahead.class); App behind = App.start(prefix, yaml, Behind.class)) {
			List<RateLimiter> limiters = List.of(ahead.bean(RateLimiter.class), behind.bean(RateLimiter.class));
			long admitted = 0;
			for (int i = 0; i < 4 * LIMIT; i++) {
				admitted += limiters.get(i % 2).tryAcquire("all", "subject").isAllowed() ? 1 : 0;
			}
			return admitted;
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, -1 })
	void theClockOfRedisJumpsAnHour(long hours) throws Exception {
		Optional<Path> faketime = FakedRedis.faketime();
		if (faketime.isEmpty()) {
			System.out.println("P12 clock of Redis: not shown, as faketime is not installed");
			assertThat(System.getProperty("proof.faketime", "")).isNotEqualTo("required");
			Assumptions.abort("faketime is not installed");
		}
		String rules = ALGORITHMS.stream().map(ClocksProof::rules).collect(Collectors.joining());
		try (FakedRedis redis = FakedRedis.start(faketime.orElseThrow(), directory);
				App app = App.start("spring.data.redis.port: " + redis.port()
						+ "\nratelimit.deadline: 10s\nratelimit.rules:\n" + rules);
				Jedis control = new Jedis("127.0.0.1", redis.port())) {
			RateLimiter limiter = app.bean(RateLimiter.class);
			for (String algorithm : ALGORITHMS) {
				assertThat(admitted(limiter, algorithm + "-long")).isEqualTo(LIMIT);
				assertThat(admitted(limiter, algorithm + "-short")).isGreaterThanOrEqualTo(LIMIT);
			}
			control.set("naive", "1", SetParams.setParams().px(WINDOW.toMillis()));
			redis.jumpTo(Duration.ofHours(hours));
			Map<String, Duration> lockedOut = awaitAdmissions(limiter);
			for (String algorithm : ALGORITHMS) {
				long all = LIMIT + admitted(limiter, algorithm + "-long");
				System.out.printf(Locale.ROOT,
						"P12 clock of Redis %+d h, %s: %d of %d admitted, locked out for %.1f s with a window of %d s%n",
						hours, algorithm, all, LIMIT, lockedOut.get(algorithm).toNanos() / 1e9, WINDOW.toSeconds());
				assertThat(all).isLessThanOrEqualTo(2 * LIMIT);
			}
			// Who trusts expiry alone is locked out for an hour.
			assertThat(control.exists("naive")).isEqualTo(hours < 0);
		}
	}

	private static String rules(String algorithm) {
		return """
				  %1$s-long: {key: 'header:X', algorithm: %1$s, thresholds: %2$d/30m}
				  %1$s-short: {key: 'header:X', algorithm: %1$s, thresholds: %2$d/%3$ds}
				""".formatted(algorithm, LIMIT, WINDOW.toSeconds());
	}

	private static long admitted(RateLimiter limiter, String rule) {
		long admitted = 0;
		for (int i = 0; i < 2 * LIMIT; i++) {
			admitted += isAdmitted(limiter, rule) ? 1 : 0;
		}
		return admitted;
	}

	private static boolean isAdmitted(RateLimiter limiter, String rule) {
		return limiter.tryAcquire(rule, "subject").isAllowed();
	}

	/** How long it took each algorithm to admit anybody again. */
	private static Map<String, Duration> awaitAdmissions(RateLimiter limiter) {
		Map<String, Duration> waited = new HashMap<>();
		long start = System.nanoTime();
		while (waited.size() < ALGORITHMS.size()) {
			Duration now = Duration.ofNanos(System.nanoTime() - start);
			assertThat(now).as("without admission, but for %s", waited).isLessThan(WINDOW.plusSeconds(1));
			for (String algorithm : ALGORITHMS) {
				if (!waited.containsKey(algorithm) && isAdmitted(limiter, algorithm + "-short")) {
					waited.put(algorithm, now);
				}
			}
			FaultRound.pass(Duration.ofMillis(20));
		}
		return waited;
	}

}
