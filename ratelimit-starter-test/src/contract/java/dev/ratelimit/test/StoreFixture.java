package dev.ratelimit.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.support.Pending;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A store on a clock that the test moves, and a subject that is new to it.
 */
public abstract class StoreFixture {

	/** How long a call of the store may take. */
	protected static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	private final RateLimitClock clock = new RateLimitClock();

	private final Subject subject = new Subject("s-" + SUBJECTS.incrementAndGet());

	private final AtomicInteger ids = new AtomicInteger();

	private RateLimitStore store;

	/**
	 * Create a fixture.
	 */
	protected StoreFixture() {
		moveTo("2026-11-20T09:30:20Z");
	}

	/**
	 * Open the store of one test. It is closed after the test.
	 * @param clock the only clock that the store reads
	 * @return the store, in which the subject of the test is unknown
	 */
	protected abstract RateLimitStore open(InstantSource clock);

	/**
	 * Skip the rest of a test that is about to move the clock, if the store does not
	 * follow it: by an assumption that fails. A store that counts on the clock of its
	 * server cannot follow it. By default, all of each test runs.
	 * @param by the time to add; negative if the clock is about to step back
	 */
	protected void assumeClockMoves(Duration by) {
	}

	@BeforeEach
	void openStore() {
		this.store = open(this.clock::instant);
	}

	@AfterEach
	void closeStore() {
		this.store.close();
	}

	/**
	 * The store of this test.
	 * @return the store
	 */
	protected final RateLimitStore store() {
		return this.store;
	}

	/**
	 * The subject of this test.
	 * @return a subject that no other test uses
	 */
	protected final Subject subject() {
		return this.subject;
	}

	/**
	 * Move the clock.
	 * @param duration the time to add; if negative, the clock steps back
	 */
	protected final void advance(Duration duration) {
		assumeClockMoves(duration);
		this.clock.set(this.clock.instant().plus(duration));
	}

	/**
	 * Move the clock.
	 * @param micros the time to add, in microseconds
	 */
	protected final void advanceMicros(long micros) {
		advance(Duration.of(micros, ChronoUnit.MICROS));
	}

	/**
	 * Set the clock.
	 * @param instant the time, in the form of {@link Instant#parse}
	 */
	protected final void moveTo(String instant) {
		this.clock.set(Instant.parse(instant));
	}

	/**
	 * The time of the clock.
	 * @return microseconds since 1970
	 */
	protected final long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, this.clock.instant());
	}

	/**
	 * A limit; the test is skipped if the store does not decide its algorithm.
	 * @param algorithm the algorithm
	 * @param rule the id of its rule
	 * @param thresholds such as {@code 5/60s}
	 * @return the limit
	 */
	protected Limit limit(Algorithm algorithm, String rule, String... thresholds) {
		assumeTrue(this.store.capabilities().algorithms().contains(algorithm),
				() -> this.store.describe() + " does not decide " + algorithm);
		return Limit.of(RLConfig.builder(rule).algorithm(algorithm).thresholds(thresholds).build());
	}

	/**
	 * Acquire one permit for the subject of this test.
	 * @param limit the limit
	 * @return the result
	 */
	protected final AcquireResult acquire(Limit limit) {
		return acquire(limit, 1);
	}

	/**
	 * Acquire permits for the subject of this test.
	 * @param limit the limit
	 * @param cost the number of permits
	 * @return the result
	 */
	protected final AcquireResult acquire(Limit limit, long cost) {
		return acquire(request(limit, "p" + this.ids.incrementAndGet(), cost));
	}

	/**
	 * Acquire permits.
	 * @param request the request
	 * @return the result
	 */
	protected final AcquireResult acquire(AcquireRequest request) {
		List<AcquireResult> results = this.store.acquire(List.of(request), PATIENCE).await();
		assertThat(results).hasSize(1);
		return results.get(0);
	}

	/**
	 * Release the permits of a request whose result is unknown.
	 * @param request the request
	 * @return whether the store acknowledged it
	 */
	protected final boolean release(AcquireRequest request) {
		return this.store.settle(List.of(Settlement.release(new AcquiredPermits(request))), PATIENCE)
			.await()
			.get(0) == SettlementResult.ACKNOWLEDGED;
	}

	/**
	 * A request of the subject of this test.
	 * @param limit the limit
	 * @param id the name of the permits
	 * @param cost the number of permits
	 * @return the request
	 */
	protected final AcquireRequest request(Limit limit, String id, long cost) {
		return new AcquireRequest(limit, this.subject, cost, new PermitId(id));
	}

	/**
	 * Acquire single permits for the subject of this test, 1280 by 64 threads at once.
	 * @param limit the limit
	 * @return how many were admitted
	 * @throws Exception if a request has thrown
	 */
	protected final long admittedAtOnce(Limit limit) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(64);
		try {
			Callable<Long> client = () -> IntStream.range(0, 20)
				.filter((i) -> acquire(limit) instanceof AcquireResult.Admitted)
				.count();
			long admitted = 0;
			for (Future<Long> result : threads.invokeAll(Collections.nCopies(64, client))) {
				admitted += result.get();
			}
			return admitted;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Assert that costs above a threshold are refused for good, however large they are,
	 * and take nothing.
	 * @param limit a limit of one threshold, of which nothing is used
	 * @param largest its threshold
	 */
	protected final void assertHugeCostsAreRefused(Limit limit, long largest) {
		acquire(limit);
		for (long cost : new long[] { largest + 1, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE }) {
			assertThat(acquire(limit, cost)).as("cost " + cost)
				.isInstanceOfSatisfying(AcquireResult.Refused.class, (result) -> {
					assertThat(result.usage().get(0).remaining()).isEqualTo(largest - 1);
					assertThat(result.usage().get(0).retryMicros()).isEqualTo(Usage.NEVER);
				});
		}
		assertThat(acquire(limit)).isInstanceOfSatisfying(AcquireResult.Admitted.class,
				(result) -> assertThat(result.usage().get(0).remaining()).isEqualTo(largest - 2));
	}

	/**
	 * Obtain a value as a caller does that does not wait, and assert that what follows
	 * runs on no thread but that of the caller and of its executor.
	 * @param <T> the type of the value
	 * @param pending the value
	 * @return the value
	 */
	protected static <T> T started(Pending<T> pending) {
		AtomicReference<Thread> ofExecutor = new AtomicReference<>();
		ExecutorService executor = Executors.newSingleThreadExecutor((task) -> {
			ofExecutor.set(new Thread(task, "executor of the caller"));
			return ofExecutor.get();
		});
		try {
			AtomicReference<Thread> after = new AtomicReference<>();
			T value = pending.start(executor).whenComplete((result, failure) -> after.set(Thread.currentThread()))
				.toCompletableFuture()
				.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
			assertThat(after.get()).as("the thread of what follows").isIn(Thread.currentThread(), ofExecutor.get());
			return value;
		}
		catch (Exception ex) {
			throw new AssertionError("The value was not completed", ex);
		}
		finally {
			executor.shutdownNow();
		}
	}

}
