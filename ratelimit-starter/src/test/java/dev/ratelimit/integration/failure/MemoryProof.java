package dev.ratelimit.integration.failure;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A million subjects, and a million refusals, leave nothing behind: not on the heap, not
 * in Redis, not among the meters; nor do they in memory or while Redis is away.
 */
@Tag("proof-memory")
class MemoryProof {

	private static final int MILLION = 1_000_000;

	private static final int THREADS = 8;

	private static final long HEAP_BYTES = 16L << 20;

	/**
	 * A key of the limiter takes 119 to 140 bytes, its expiry and its place in Redis'
	 * tables 60 to 100.
	 */
	private static final long BYTES_PER_SUBJECT = 220;

	private final RedisServer server = RedisServer.start();

	private final Jedis redis = new Jedis(this.server.host(), this.server.port());

	private final App app = App.start("""
			spring.data.redis.port: %d
			ratelimit.deadline: 10s
			ratelimit.deny-cache: 0
			ratelimit.rules:
			  many: {key: 'header:X-Client', algorithm: token-bucket, thresholds: 5/60s}
			  one: {key: 'header:X-Client', thresholds: 5/1h}
			""".formatted(this.server.port()));

	@AfterEach
	void close() {
		this.app.close();
		this.redis.close();
		this.server.close();
	}

	@Test
	void aMillionSubjectsLeaveNothingBehind() throws Exception {
		acquire((i) -> "warm-up-" + i % 1000, 100_000);
		Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> keys() == 0);
		long heapBefore = heap();
		long redisBefore = usedMemory();
		Set<Meter.Id> metersBefore = meters();
		long start = System.nanoTime();
		acquire((i) -> "subject-" + i, MILLION);
		double seconds = (System.nanoTime() - start) / 1e9;
		long keys = keys();
		long bytes = (usedMemory() - redisBefore) / keys;
		Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> keys() == 0);
		long heapMore = heap() - heapBefore;
		long redisMore = usedMemory() - redisBefore;
		System.out.printf(Locale.ROOT,
				"P10 a million subjects in %.0f s: heap %+.1f MiB, Redis %d bytes per subject (%,d at once), then no key "
						+ "and %+.1f MiB, meters %+d%n",
				seconds, heapMore / 1048576.0, bytes, keys, redisMore / 1048576.0,
				meters().size() - metersBefore.size());
		assertThat(heapMore).isLessThanOrEqualTo(HEAP_BYTES);
		assertThat(bytes).isLessThanOrEqualTo(BYTES_PER_SUBJECT);
		assertThat(meters()).containsExactlyInAnyOrderElementsOf(metersBefore);
		// A limiter that stored an entry per subject would fail.
		List<String> stored = new ArrayList<>();
		for (int i = 0; i < MILLION; i++) {
			stored.add("subject-" + i);
		}
		assertThat(heap() - heapBefore).as("a map of subjects").isGreaterThan(HEAP_BYTES);
		assertThat(stored).hasSize(MILLION);
	}

	@Test
	void aMillionRefusalsAddNothing() throws Exception {
		countRefusals(1000);
		long memoryBefore = this.redis.memoryUsage(key(), 0);
		long heapBefore = heap();
		long refused = countRefusals(MILLION);
		long more = this.redis.memoryUsage(key(), 0) - memoryBefore;
		long heapMore = heap() - heapBefore;
		System.out.printf(Locale.ROOT, "P10 %,d refused requests: %+d bytes in Redis, heap %+.1f MiB%n", refused, more,
				heapMore / 1048576.0);
		assertThat(refused).isEqualTo(MILLION);
		assertThat(more).isZero();
		assertThat(heapMore).isLessThanOrEqualTo(HEAP_BYTES);
	}

	private String key() {
		return this.redis.keys("*{one:*").iterator().next();
	}

	private long countRefusals(int count) throws Exception {
		return count - acquire("one", (i) -> "victim", count);
	}

	private void acquire(IntFunction<String> subjects, int count) throws Exception {
		assertThat(acquire("many", subjects, count)).isPositive();
	}

	/** How many were admitted. */
	private long acquire(String rule, IntFunction<String> subjects, int count) throws Exception {
		RateLimiter limiter = this.app.bean(RateLimiter.class);
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<Long>> parts = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				int first = thread;
				parts.add(() -> {
					long admitted = 0;
					for (int i = first; i < count; i += THREADS) {
						admitted += limiter.tryAcquire(rule, subjects.apply(i)).isAllowed() ? 1 : 0;
					}
					return admitted;
				});
			}
			long admitted = 0;
			for (Future<Long> part : threads.invokeAll(parts)) {
				admitted += part.get();
			}
			return admitted;
		}
		finally {
			threads.shutdown();
		}
	}

	/** All keys except those of the instances, which report that they are alive. */
	private long keys() {
		String instances = this.app.prefix() + ":{instances}";
		return this.redis.dbSize() - this.redis.exists(instances, instances + ":names");
	}

	private long usedMemory() {
		return this.redis.info("memory")
			.lines()
			.filter((line) -> line.startsWith("used_memory:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
			.findFirst()
			.orElseThrow();
	}

	/** Those of the limiter: the JVM adds a meter for each new cause of collections. */
	private Set<Meter.Id> meters() {
		return this.app.bean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().startsWith("ratelimit."))
			.collect(Collectors.toSet());
	}

	private static long heap() {
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
