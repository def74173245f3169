package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * In-memory decisions for a thousand keys in turn, compared with a map look-up and an
 * increment.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class LocalPaths {

	private static final int KEYS = 1024;

	/** The permits of one key; never used up. */
	private static final long PERMITS = 1_000_000_000;

	private static final Duration WINDOW = Duration.ofSeconds(1);

	private final List<String> keys = IntStream.range(0, KEYS).mapToObj((number) -> "client-" + number).toList();

	private final ConcurrentMap<String, AtomicLong> counts = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, RateLimiter> guava = new ConcurrentHashMap<>();

	private final RateLimiterRegistry resilience4j = RateLimiterRegistry.of(RateLimiterConfig.custom()
		.limitForPeriod((int) PERMITS)
		.limitRefreshPeriod(WINDOW)
		.timeoutDuration(Duration.ZERO)
		.build());

	private final ConfigurableApplicationContext context = Ours.inMemory("fixed-window", PERMITS + "/1s");

	private final dev.ratelimit.RateLimiter ours = this.context.getBean(dev.ratelimit.RateLimiter.class);

	private int next;

	/** Creates every key. */
	@Setup
	public void fill() {
		for (String key : this.keys) {
			this.counts.put(key, new AtomicLong());
			this.buckets.put(key,
					Bucket.builder()
						.addLimit((limit) -> limit.capacity(PERMITS).refillGreedy(PERMITS, WINDOW))
						.build());
			this.guava.put(key, RateLimiter.create(PERMITS));
		}
	}

	/** Close the application. */
	@TearDown
	public void close() {
		this.context.close();
	}

	private String key() {
		this.next = (this.next + 1) % KEYS;
		return this.keys.get(this.next);
	}

	/**
	 * The floor: a map look-up and an increment.
	 * @return a count
	 */
	@Benchmark
	public long mapAndIncrement() {
		return this.counts.computeIfAbsent(key(), (key) -> new AtomicLong()).incrementAndGet();
	}

	/**
	 * This starter with {@code ratelimit.store: memory}.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean ratelimitStarterInMemory() {
		return this.ours.tryAcquire("bench", key()).isAllowed();
	}

	/**
	 * Bucket4j without a store.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean bucket4j() {
		return this.buckets.computeIfAbsent(key(), (key) -> Bucket.builder().build()).tryConsume(1);
	}

	/**
	 * Resilience4j.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean resilience4j() {
		return this.resilience4j.rateLimiter(key()).acquirePermission();
	}

	/**
	 * Guava.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean guava() {
		return this.guava.computeIfAbsent(key(), (key) -> RateLimiter.create(PERMITS)).tryAcquire();
	}

}
