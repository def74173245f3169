package dev.ratelimit.benchmarks;

import java.util.Locale;

import dev.ratelimit.RateLimiter;
import redis.clients.jedis.Jedis;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * How long one decision of a log keeps Redis busy, and all others waiting: one with a
 * large cost, one in a full log, and the first after a whole log has ended.
 */
final class LargeLog {

	private static final int ENTRIES = 1_000_000;

	private static final int COST = 100;

	private static final int WINDOW_SECONDS = 20;

	private LargeLog() {
	}

	static String table(Redis redis) throws InterruptedException {
		StringBuilder table = new StringBuilder(String.format(Locale.ROOT,
				"### A log of %,d entries%n%n| decision | Redis is busy for, ms |%n|---|---:|%n", ENTRIES));
		try (Jedis jedis = redis.connect();
				RedisAdmin admin = redis.admin();
				ConfigurableApplicationContext context = Ours.start("sliding-window-log",
						ENTRIES + "/" + WINDOW_SECONDS + "s", with(redis, "--ratelimit.deadline=10s"))) {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			admin.flush();
			jedis.configSet("slowlog-log-slower-than", "0");
			table.append(row("of cost %,d, admitted".formatted(COST), admitted(jedis, limiter)));
			limiter.tryAcquire("bench", new String[] { "client" }, COST);
			table.append(row("of cost %,d, refused".formatted(COST), slowest(jedis)));
			limiter.tryAcquire("bench", "client");
			table.append(row("of cost 1, refused", slowest(jedis)));
			Thread.sleep(WINDOW_SECONDS * 1000L);
			limiter.tryAcquire("bench", "client");
			table.append(row("of cost 1, when all entries have left the window", slowest(jedis)));
			admin.flush();
		}
		return table.append('\n').toString();
	}

	private static String[] with(Redis redis, String setting) {
		String[] settings = redis.properties().toArray(new String[redis.properties().size() + 1]);
		settings[settings.length - 1] = setting;
		return settings;
	}

	/** The slowest of those that fill the log. */
	private static double admitted(Jedis jedis, RateLimiter limiter) {
		double slowest = 0;
		for (int i = 0; i < ENTRIES / COST; i++) {
			limiter.tryAcquire("bench", new String[] { "client" }, COST);
			slowest = Math.max(slowest, slowest(jedis));
		}
		return slowest;
	}

	/** The slowest command since the last call. */
	private static double slowest(Jedis jedis) {
		double slowest = jedis.slowlogGet(128)
			.stream()
			.filter((entry) -> entry.getArgs().get(0).toLowerCase(Locale.ROOT).startsWith("eval"))
			.mapToLong((entry) -> entry.getExecutionTime())
			.max()
			.orElse(0) / 1e3;
		jedis.slowlogReset();
		return slowest;
	}

	private static String row(String decision, double millis) {
		return String.format(Locale.ROOT, "| %s | %.1f |%n", decision, millis);
	}

}
