package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import com.google.common.util.concurrent.GuavaLimiters;
import com.google.common.util.concurrent.RateLimiter;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderRefillStage;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;

/**
 * A limiter in memory, on a clock that the benchmark moves.
 *
 * @param title the name in tables
 * @param counts how it counts
 * @param documentation the page that describes it
 * @param factory opens it
 */
record ClockedPeer(String title, String counts, String documentation, Factory factory) {

	private static final String OURS = "algorithms.md";

	private static final String BUCKET4J = "https://bucket4j.com/8.17.0/toc.html";

	static List<ClockedPeer> all() {
		return List.of(ours(Algorithm.SLIDING_WINDOW_LOG, "a log"),
				ours(Algorithm.SLIDING_WINDOW_COUNTER, "two counters: an estimate"),
				ours(Algorithm.FIXED_WINDOW, "from edge to edge"),
				ours(Algorithm.TOKEN_BUCKET, "token bucket, refilled continuously"),
				ours("ratelimit-starter, token-bucket, refill: interval", "token bucket, full again once per interval",
						Algorithm.TOKEN_BUCKET, (rule) -> rule.refill(Refill.INTERVAL)),
				ours(Algorithm.LEAKY_BUCKET, "leaky bucket"),
				bucket4j("refillGreedy", "token bucket, refilled continuously",
						BandwidthBuilderRefillStage::refillGreedy),
				bucket4j("refillIntervally", "token bucket, full again once per interval",
						BandwidthBuilderRefillStage::refillIntervally),
				new ClockedPeer("Guava RateLimiter", "a rate, and the unused permits of one second",
						"https://guava.dev/releases/33.8.0-jre/api/docs/com/google/common/util/concurrent/RateLimiter.html",
						ClockedPeer::guava),
				new ClockedPeer("Resilience4j RateLimiter", "from edge to edge, which begin with the limiter",
						"https://resilience4j.readme.io/docs/ratelimiter", ClockedPeer::resilience4j));
	}

	private static ClockedPeer ours(Algorithm algorithm, String counts) {
		return ours("ratelimit-starter, " + algorithm.text(), counts, algorithm, UnaryOperator.identity());
	}

	private static ClockedPeer ours(String title, String counts, Algorithm algorithm,
			UnaryOperator<RLConfigBuilder> options) {
		return new ClockedPeer(title, counts, OURS, (quota, clock) -> {
			RLConfig rule = options.apply(RLConfig.builder("bench").thresholds(quota.text()).algorithm(algorithm))
				.build();
			return ours(Limit.of(rule), clock);
		});
	}

	private static Contender ours(Limit limit, MovedClock clock) {
		MemoryStore store = new MemoryStore(clock::instant);
		PermitIds permits = new PermitIds(new SplittableRandom(1));
		return new Contender() {

			@Override
			public boolean tryAcquire(String key) {
				AcquireRequest request = new AcquireRequest(limit, new Subject(key), 1, permits.next());
				return store.acquire(List.of(request), Duration.ofSeconds(10))
					.await()
					.get(0) instanceof AcquireResult.Admitted;
			}

			@Override
			public void close() {
				store.close();
			}

		};
	}

	private static ClockedPeer bucket4j(String refill, String counts, Refilled refilled) {
		return new ClockedPeer("bucket4j, " + refill, counts, BUCKET4J, (quota, clock) -> {
			Bandwidth limit = refilled
				.refill(Bandwidth.builder().capacity(quota.permits()), quota.permits(), quota.window())
				.build();
			Bucket bucket = Bucket.builder().withCustomTimePrecision(meter(clock)).addLimit(limit).build();
			return (key) -> bucket.tryConsume(1);
		});
	}

	private static TimeMeter meter(MovedClock clock) {
		return new TimeMeter() {

			@Override
			public long currentTimeNanos() {
				return clock.nanos();
			}

			@Override
			public boolean isWallClockBased() {
				return true;
			}

		};
	}

	private static Contender guava(Quota quota, MovedClock clock) {
		double perSecond = quota.permits() * 1e9 / quota.window().toNanos();
		RateLimiter limiter = GuavaLimiters.create(perSecond, () -> TimeUnit.NANOSECONDS.toMicros(clock.nanos()));
		return (key) -> limiter.tryAcquire();
	}

	private static Contender resilience4j(Quota quota, MovedClock clock) {
		RateLimiterConfig config = RateLimiterConfig.custom()
			.limitForPeriod(Math.toIntExact(quota.permits()))
			.limitRefreshPeriod(quota.window())
			.timeoutDuration(Duration.ZERO)
			.build();
		AtomicRateLimiter limiter = new AtomicRateLimiter("bench", config, clock::nanos);
		return (key) -> limiter.acquirePermission();
	}

	/** Opens a contender on a clock. */
	@FunctionalInterface
	interface Factory {

		Contender open(Quota quota, MovedClock clock);

	}

	/** A way to refill a bucket of bucket4j. */
	@FunctionalInterface
	private interface Refilled {

		BandwidthBuilderBuildStage refill(BandwidthBuilderRefillStage bandwidth, long tokens, Duration period);

	}

	/** Stands still until it is moved. Starts at an edge of windows. */
	static final class MovedClock {

		private static final long START_SECOND = 1_600_000_000;

		private long micros;

		void moveTo(long micros) {
			this.micros = micros;
		}

		long nanos() {
			return TimeUnit.SECONDS.toNanos(START_SECOND) + TimeUnit.MICROSECONDS.toNanos(this.micros);
		}

		Instant instant() {
			return Instant.ofEpochSecond(0, nanos());
		}

	}

}
