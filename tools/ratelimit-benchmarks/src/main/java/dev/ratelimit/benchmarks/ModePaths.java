package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.embeddedredis.RedisServer;
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
 * Decisions of each mode on Redis, for a thousand keys in turn, including the calls that
 * the mode makes meanwhile. The warm-up is long, because a lease begins with one permit
 * and doubles.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 3, time = 1)
public class ModePaths {

	private static final int KEYS = 1024;

	/** Never used up, and no more per nanosecond than a bucket accepts. */
	private static final long BUCKET4J_PERMITS = 900_000_000;

	private final List<String> keys = IntStream.range(0, KEYS).mapToObj((number) -> "client-" + number).toList();

	private final RedisServer server = RedisServer.start();

	private final ConfigurableApplicationContext strict = application("strict");

	private final ConfigurableApplicationContext leased = application("leased");

	private final ConfigurableApplicationContext synced = application("synced");

	private final Contender delayed = Peers.delaying(redis(), new Workload("delayed", "", this.keys,
			new Quota(BUCKET4J_PERMITS, Duration.ofSeconds(10)), 1, false, OptionalInt.empty()));

	private final RateLimiter strictLimiter = this.strict.getBean(RateLimiter.class);

	private final RateLimiter leasedLimiter = this.leased.getBean(RateLimiter.class);

	private final RateLimiter syncedLimiter = this.synced.getBean(RateLimiter.class);

	private int next;

	private Redis redis() {
		return new Redis(this.server.host(), this.server.port());
	}

	private ConfigurableApplicationContext application(String mode) {
		return Ours.inMode(mode, redis());
	}

	/** Creates every key. */
	@Setup
	public void fill() {
		for (RateLimiter limiter : List.of(this.strictLimiter, this.leasedLimiter, this.syncedLimiter)) {
			this.keys.forEach((key) -> decide(limiter));
		}
		this.keys.forEach(this.delayed::tryAcquire);
	}

	/** Close the applications and their server. */
	@TearDown
	public void close() {
		List.of(this.strict, this.leased, this.synced).forEach(ConfigurableApplicationContext::close);
		this.delayed.close();
		this.server.close();
	}

	private String key() {
		this.next = (this.next + 1) % KEYS;
		return this.keys.get(this.next);
	}

	private boolean decide(RateLimiter limiter) {
		return limiter.tryAcquire("bench", key()).isAllowed();
	}

	/**
	 * Bucket4j on Redis, which synchronizes once a second.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean bucket4jDelaying() {
		return this.delayed.tryAcquire(key());
	}

	/**
	 * Every decision calls Redis.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean ratelimitStarterStrict() {
		return decide(this.strictLimiter);
	}

	/**
	 * Permits are leased from Redis.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean ratelimitStarterLeased() {
		return decide(this.leasedLimiter);
	}

	/**
	 * Permits are synchronized with Redis once a second.
	 * @return whether admitted
	 */
	@Benchmark
	public boolean ratelimitStarterSynced() {
		return decide(this.syncedLimiter);
	}

}
