package dev.ratelimit.proof;

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
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clocks of applications do not matter. If the clock of Redis jumps, no client is
 * locked out for longer than a window, nor admitted more than twice what its mode admits.
 * The jumps need faketime; {@code -Dproof.faketime=required} fails where it is missing.
 */
@Tag("proof-clocks")
class ClocksProof {

	private static final int LIMIT = 50;

	private static final Duration WINDOW = Duration.ofSeconds(4);

	/** Each mode with each algorithm that goes with it. */
	private record Pair(Mode.ModeKind mode, Algorithm algorithm) {

		static final List<Pair> ALL = Stream.of(Mode.ModeKind.values())
			.flatMap((mode) -> mode.algorithms().stream().map((algorithm) -> new Pair(mode, algorithm)))
			.toList();

		String rules() {
			return """
					  %1$s-long: {key: 'header:X', mode: %2$s, algorithm: %3$s, thresholds: %4$d/30m}
					  %1$s-short: {key: 'header:X', mode: %2$s, algorithm: %3$s, thresholds: %4$d/%5$ds}
					""".formatted(this, this.mode.text(), this.algorithm.text(), LIMIT, WINDOW.toSeconds());
		}

		@Override
		public String toString() {
			return this.mode.text() + "-" + this.algorithm.text();
		}

	}

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

	@ParameterizedTest
	@EnumSource
	void instancesWithClocksTenSecondsApartDecideAlike(Mode.ModeKind mode) {
		try (RedisServer server = RedisServer.start()) {
			long admitted = admittedByTwo("spring.data.redis.port: " + server.port() + "\n", mode);
			System.out.printf(Locale.ROOT,
					"P12 clocks of two instances 10 s apart, %s: %d of %d admitted in four windows, by both together%n",
					mode.text(), admitted, LIMIT);
			assertThat(admitted).as("in Redis").isBetween((long) LIMIT, LIMIT + Policies.mostAbove(mode, LIMIT, 2));
		}
	}

	@Test
	void instancesThatCountOnTheirOwnClocksAdmitMore() {
		assertThat(admittedByTwo("ratelimit.store: memory\n", Mode.ModeKind.STRICT)).isGreaterThan(LIMIT);
	}

	/** Acquires from two instances in turns, for longer than their clocks are apart. */
	private static long admittedByTwo(String store, Mode.ModeKind mode) {
		String prefix = App.newPrefix();
		String yaml = store + """
				ratelimit.deadline: 10s
				ratelimit.rules.all: {key: 'header:X', mode: %s, algorithm: fixed-window, thresholds: %d/1d}
				""".formatted(mode.text(), LIMIT);
		try (App ahead = App.start(prefix, yaml, Ahead.class); App behind = App.start(prefix, yaml, Behind.class)) {
			if (mode == Mode.ModeKind.SYNCED) {
				// An instance that does not know of the other yet may go as far above as
				// one alone.
				Awaitility.await()
					.until(() -> Stream.of(ahead, behind)
						.allMatch((app) -> app.bean(Instances.class)
							.known()
							.filter((all) -> all.instances() == 2)
							.isPresent()));
			}
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
	void aJumpOfTheClockOfRedisByAnHourLocksNoClientOutForLong(long hours) throws Exception {
		Optional<Path> faketime = FakedRedis.faketime();
		if (faketime.isEmpty()) {
			System.out.println("P12 clock of Redis: not shown, as faketime is not installed");
			assertThat(System.getProperty("proof.faketime", "")).isNotEqualTo("required");
			Assumptions.abort("faketime is not installed");
		}
		String rules = Pair.ALL.stream().map(Pair::rules).collect(Collectors.joining());
		try (FakedRedis redis = FakedRedis.start(faketime.orElseThrow(), directory);
				App app = App.start("spring.data.redis.port: " + redis.port()
						+ "\nratelimit.deadline: 10s\nratelimit.rules:\n" + rules);
				Jedis control = new Jedis("127.0.0.1", redis.port())) {
			RateLimiter limiter = app.bean(RateLimiter.class);
			for (Pair pair : Pair.ALL) {
				assertThat(admitted(limiter, pair + "-long")).as("%s", pair).isBetween((long) LIMIT, most(pair));
				assertThat(admitted(limiter, pair + "-short")).as("%s", pair).isGreaterThanOrEqualTo(LIMIT);
			}
			control.set("naive", "1", SetParams.setParams().px(WINDOW.toMillis()));
			redis.jumpTo(Duration.ofHours(hours));
			Map<Pair, Duration> lockedOut = awaitAdmissions(limiter);
			for (Pair pair : Pair.ALL) {
				long all = LIMIT + admitted(limiter, pair + "-long");
				System.out.printf(Locale.ROOT,
						"P12 clock of Redis %+d h, %s: %d of %d admitted, locked out for %.1f s with a window of %d s%n",
						hours, pair, all, LIMIT, lockedOut.get(pair).toNanos() / 1e9, WINDOW.toSeconds());
				assertThat(all).as("%s", pair).isLessThanOrEqualTo(2 * most(pair));
			}
			// A limiter that relies on expiry alone locks clients out for an hour.
			assertThat(control.exists("naive")).isEqualTo(hours < 0);
		}
	}

	private static long most(Pair pair) {
		return LIMIT + Policies.mostAbove(pair.mode(), LIMIT, 1);
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

	/** How long it took each of them to admit a request again. */
	private static Map<Pair, Duration> awaitAdmissions(RateLimiter limiter) {
		Map<Pair, Duration> waited = new HashMap<>();
		long start = System.nanoTime();
		while (waited.size() < Pair.ALL.size()) {
			Duration now = Duration.ofNanos(System.nanoTime() - start);
			assertThat(now).as("without admission, but for %s", waited).isLessThan(WINDOW.plusSeconds(1));
			for (Pair pair : Pair.ALL) {
				if (!waited.containsKey(pair) && isAdmitted(limiter, pair + "-short")) {
					waited.put(pair, now);
				}
			}
			FaultRound.pass(Duration.ofMillis(20));
		}
		return waited;
	}

}
