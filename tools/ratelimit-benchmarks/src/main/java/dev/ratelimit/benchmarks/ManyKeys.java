package dev.ratelimit.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import redis.clients.jedis.Jedis;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Decisions of a fixed window while Redis holds many keys, and while those expire. One
 * thread decides, so a figure is a latency that nothing queues for.
 */
final class ManyKeys {

	private static final int DECISIONS = 20_000;

	private static final int FEW = 1000;

	private static final int SHORTEST_WINDOW_SECONDS = 90;

	/** No fewer are written in a second. */
	private static final int KEYS_PER_SECOND = 20_000;

	private static final long MEGABYTE = 1 << 20;

	private final Redis redis;

	private final int keys;

	ManyKeys(Redis redis, int keys) {
		this.redis = redis;
		this.keys = keys;
	}

	String table() throws InterruptedException {
		StringBuilder table = new StringBuilder(String.format(Locale.ROOT,
				"### %,d keys%n%nFixed window, one thread.%n%n| Redis holds | p50/p99 us | slowest us | memory MB |%n|---|---:|---:|---:|%n",
				this.keys));
		try (Jedis jedis = this.redis.connect();
				RedisAdmin admin = this.redis.admin();
				ConfigurableApplicationContext context = Ours.start("fixed-window", threshold(),
						this.redis.properties().toArray(String[]::new))) {
			admin.flush();
			RateLimiter limiter = context.getBean(RateLimiter.class);
			decide(limiter, FEW);
			table.append(row("1,000 keys", decide(limiter, FEW), memory(jedis)));
			fill(limiter);
			table.append(row("%,d keys".formatted(jedis.dbSize()), decide(limiter, this.keys), memory(jedis)));
			long full = jedis.dbSize();
			while (jedis.dbSize() >= full) {
				Thread.sleep(100);
			}
			table.append(row("keys that expire", decide(limiter, this.keys), memory(jedis)));
			admin.flush();
		}
		return table.append('\n').toString();
	}

	/** Its window is long enough to write all keys and to look at them. */
	private String threshold() {
		return "1000000/" + Math.max(SHORTEST_WINDOW_SECONDS, this.keys / KEYS_PER_SECOND) + "s";
	}

	private void fill(RateLimiter limiter) throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(Workload.THREADS);
		try {
			for (Future<?> filled : threads.invokeAll(IntStream.range(0, Workload.THREADS)
				.mapToObj((thread) -> Executors.callable(() -> fill(limiter, thread)))
				.toList())) {
				filled.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Not all keys were written", ex);
		}
		finally {
			threads.shutdown();
		}
	}

	private void fill(RateLimiter limiter, int thread) {
		for (int i = thread; i < this.keys; i += Workload.THREADS) {
			limiter.tryAcquire("bench", "client-" + i);
		}
	}

	/** The latencies in nanoseconds, in order. */
	private static long[] decide(RateLimiter limiter, int keys) {
		long[] nanos = new long[DECISIONS];
		for (int i = 0; i < nanos.length; i++) {
			String key = "client-" + i * 31L % keys;
			long start = System.nanoTime();
			limiter.tryAcquire("bench", key);
			nanos[i] = System.nanoTime() - start;
		}
		Arrays.sort(nanos);
		return nanos;
	}

	private static long memory(Jedis jedis) {
		String info = jedis.info("memory");
		int from = info.indexOf("\nused_memory:") + "\nused_memory:".length();
		return Long.parseLong(info.substring(from, info.indexOf('\r', from))) / MEGABYTE;
	}

	private static String row(String title, long[] nanos, long megabytes) {
		return String.format(Locale.ROOT, "| %s | %.0f/%.0f | %.0f | %,d |%n", title, nanos[nanos.length / 2] / 1e3,
				nanos[nanos.length * 99 / 100] / 1e3, nanos[nanos.length - 1] / 1e3, megabytes);
	}

}
