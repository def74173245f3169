package dev.ratelimit.integration.algorithms;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.rule.Mode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The load of the article on the two-layer cache: 25 tenants, 1000 calls a second, three
 * instances that synchronize or lease once a second; here with a Redis that answers 15 ms
 * later.
 */
@Tag("proof-modes")
class ArticleLoadProof {

	private static final int INSTANCES = 3;

	private static final int TENANTS = 25;

	private static final int CALLS_PER_SECOND = 1000;

	private static final int SECONDS = 30;

	private static final int THREADS = 10;

	/** With a lease time of a second. */
	private static final int LEASED_CALLS = 2 * INSTANCES * TENANTS * 32 / 21;

	private static final Duration LATENCY = Duration.ofMillis(15);

	private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

	/** The latency of the decisions, and the Redis calls that they cost. */
	private record Measured(double callsPerSecond, double p50Millis, double p95Millis) {

		Measured(double callsPerSecond, long[] nanos) {
			this(callsPerSecond, nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 95 / 100] / 1e6);
		}

	}

	@Test
	@DisplayName("0.26, 0.27: at most 75 Redis calls a second, and less than 1 ms at p95")
	void synced() throws Exception {
		Measured measured = measure(Mode.ModeKind.SYNCED);
		System.out.printf(Locale.ROOT,
				"synced: the article's load costs %.1f Redis calls a second (at most 75), and adds %.3f ms at p50, "
						+ "%.3f ms at p95 (1 ms) while Redis answers %d ms later%n",
				measured.callsPerSecond(), measured.p50Millis(), measured.p95Millis(), LATENCY.toMillis());
		// The counts that an instance adds at a time share a command.
		assertThat(measured.callsPerSecond()).isBetween(INSTANCES - 0.5, 75.0);
		assertThat(measured.p95Millis()).isLessThanOrEqualTo(1);
	}

	/**
	 * An instance fetches a lease of each tenant, and releases what is left of it, once
	 * in seven eighths of the life of a lease, which is three quarters of the lease time.
	 */
	@Test
	void leased() throws Exception {
		Measured measured = measure(Mode.ModeKind.LEASED);
		System.out.printf(Locale.ROOT,
				"leased: the article's load costs %.1f Redis calls a second (at most %d), and adds %.3f ms at p50, "
						+ "%.3f ms at p95 while Redis answers %d ms later%n",
				measured.callsPerSecond(), LEASED_CALLS, measured.p50Millis(), measured.p95Millis(),
				LATENCY.toMillis());
		assertThat(measured.callsPerSecond()).isBetween(1.0, (double) LEASED_CALLS);
		assertThat(measured.p95Millis()).isLessThanOrEqualTo(1);
	}

	private static Measured measure(Mode.ModeKind mode) throws Exception {
		List<App> apps = new ArrayList<>();
		try (RedisServer redis = RedisServer.start();
				FaultProxy network = FaultProxy.to(redis.port());
				Jedis jedis = new Jedis(redis.host(), redis.port())) {
			String prefix = App.newPrefix();
			for (int i = 0; i < INSTANCES; i++) {
				apps.add(start(prefix, network, mode));
			}
			for (App app : apps) {
				Awaitility.await()
					.until(() -> app.bean(Instances.class)
						.known()
						.filter((share) -> share.instances() == INSTANCES)
						.isPresent());
			}
			network.inject(Fault.DELAY, LATENCY);
			run(apps, 5);
			long before = scripts(jedis);
			long[] nanos = run(apps, SECONDS);
			double beats = INSTANCES;
			return new Measured((double) (scripts(jedis) - before) / SECONDS - beats, nanos);
		}
		finally {
			apps.forEach(App::close);
		}
	}

	private static App start(String prefix, FaultProxy network, Mode.ModeKind mode) {
		return App.start(prefix, """
				spring.data.redis: {host: 127.0.0.1, port: %d}
				ratelimit.rules.get-product:
				  key: header:X-Org
				  algorithm: fixed-window
				  thresholds: 1000/10s
				  mode: %s
				""".formatted(network.port(), mode.text()));
	}

	private static long scripts(Jedis jedis) {
		Matcher calls = SCRIPTS.matcher(jedis.info("commandstats"));
		assertThat(calls.find()).isTrue();
		return Long.parseLong(calls.group(1));
	}

	/** How long each decision took, the quickest first. */
	private static long[] run(List<App> apps, int seconds) throws Exception {
		List<RateLimiter> limiters = apps.stream().map((app) -> app.bean(RateLimiter.class)).toList();
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			long start = System.nanoTime();
			List<Callable<long[]>> callers = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int first = i;
				callers.add(() -> call(limiters, first, start, seconds));
			}
			List<long[]> all = new ArrayList<>();
			for (Future<long[]> each : threads.invokeAll(callers)) {
				all.add(each.get());
			}
			return all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** This thread makes every tenth call, at its due time and not before. */
	private static long[] call(List<RateLimiter> limiters, int first, long startNanos, int seconds) {
		int calls = CALLS_PER_SECOND * seconds / THREADS;
		long[] nanos = new long[calls];
		for (int i = 0; i < calls; i++) {
			int number = i * THREADS + first;
			long due = startNanos + number * (1_000_000_000L / CALLS_PER_SECOND);
			while (System.nanoTime() - due < 0) {
				LockSupport.parkNanos(due - System.nanoTime());
			}
			RateLimiter limiter = limiters.get(number % INSTANCES);
			String tenant = "org" + (number / INSTANCES) % TENANTS;
			long begin = System.nanoTime();
			assertThat(limiter.tryAcquire("get-product", tenant).isAllowed()).isTrue();
			nanos[i] = System.nanoTime() - begin;
		}
		return nanos;
	}

}
