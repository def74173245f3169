package dev.ratelimit.store.redis;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.TestPipeline;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances that lease permits of one key from a real Redis, a thousand decisions a
 * second together.
 */
@Tag("proof-slow")
class LeasedRedisProof {

	private static final int DECISIONS = 6000;

	/** How many times fewer calls than those of a strict rule, one per decision. */
	private static final int FEWER = 20;

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	private static final PermitIds PERMIT_IDS = new PermitIds(new SplittableRandom());

	private final CountingRunner runner = SharedRedis.runner();

	private final RateLimitStore store = InjectedTime.shipped(this.runner);

	@AfterEach
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

	@ParameterizedTest
	@CsvSource({ "3, 100000/60s, FIXED_WINDOW", "10, 100000/60s, SLIDING_WINDOW_LOG",
			"10, 100000/60s, SLIDING_WINDOW_COUNTER" })
	void redisIsCalledTwentyTimesLessOftenThanByAStrictRule(int instances, String threshold, Algorithm algorithm)
			throws InterruptedException {
		Outcome outcome = run(instances, limit(threshold, algorithm));
		assertThat(outcome.admitted()).isEqualTo(DECISIONS);
		assertThat(outcome.calls() * FEWER).as("%s", outcome).isLessThanOrEqualTo(DECISIONS);
	}

	@ParameterizedTest
	@CsvSource({ "3, 1000/10m, SLIDING_WINDOW_LOG", "10, 1000/10m, SLIDING_WINDOW_LOG" })
	void theLimitHoldsWhileItIsUsedUp(int instances, String threshold, Algorithm algorithm)
			throws InterruptedException {
		Outcome outcome = run(instances, limit(threshold, algorithm));
		assertThat(outcome.admitted()).as("%s", outcome).isEqualTo(1000);
		assertThat(outcome.calls() * FEWER).as("%s", outcome).isLessThanOrEqualTo(DECISIONS);
	}

	private static Limit limit(String threshold, Algorithm algorithm) {
		return Limits.of(RLConfig.builder("leased-" + algorithm.letter())
			.algorithm(algorithm)
			.mode(Mode.LEASED)
			.thresholds(threshold));
	}

	private record Outcome(int admitted, long calls) {
	}

	private Outcome run(int count, Limit limit) throws InterruptedException {
		Subject subject = new Subject("leased-" + SUBJECTS.incrementAndGet());
		List<Leases> instances = Stream
			.generate(() -> Leases.create(TestLimiter.over(this.store, System::nanoTime).remote(), PERMIT_IDS,
					Patience.LONG, System::nanoTime))
			.limit(count)
			.toList();
		List<TestPipeline> pipelines = instances.stream()
			.map((leases) -> TestPipeline.leasing(leases, this.store, System::nanoTime))
			.toList();
		AtomicInteger admitted = new AtomicInteger();
		AtomicInteger requested = new AtomicInteger();
		CountDownLatch open = new CountDownLatch(DECISIONS);
		long before = this.runner.calls().sum();
		ScheduledExecutorService clients = Executors.newScheduledThreadPool(2);
		try {
			Runnable decision = () -> {
				int number = requested.getAndIncrement();
				if (number < DECISIONS) {
					admitted.addAndGet(isAdmitted(pipelines.get(number % count), limit, subject, number) ? 1 : 0);
					open.countDown();
				}
			};
			ScheduledFuture<?> requesting = clients.scheduleAtFixedRate(decision, 0, 1, TimeUnit.MILLISECONDS);
			ScheduledFuture<?> tidying = clients.scheduleAtFixedRate(() -> instances.forEach(Leases::tidy), 1, 1,
					TimeUnit.SECONDS);
			assertThat(open.await(2, TimeUnit.MINUTES)).isTrue();
			assertThat(List.of(requesting, tidying)).as("nothing was thrown").noneMatch(ScheduledFuture::isDone);
		}
		finally {
			clients.shutdownNow();
		}
		Outcome outcome = new Outcome(admitted.get(), this.runner.calls().sum() - before);
		instances.forEach(Leases::close);
		return outcome;
	}

	private static boolean isAdmitted(TestPipeline instance, Limit limit, Subject subject, int number) {
		AcquireRequest request = new AcquireRequest(limit, subject, 1, new PermitId("p" + number));
		return instance.acquire(request).result() instanceof AcquireResult.Admitted;
	}

}
