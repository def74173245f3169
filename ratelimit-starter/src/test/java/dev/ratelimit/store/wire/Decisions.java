package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.WaitingStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Decisions of many requests at once. Each thread alternates between a decision of the
 * store and one that only waits for the deadline. One half of the threads begins with the
 * store, the other half with the wait. On a busy machine, decisions of the store may be
 * as late as those that only wait.
 */
public final class Decisions {

	private static final String RULE = "decisions";

	private final CompiledRule rule = CompiledRule
		.of(RLConfig.builder(RULE).thresholds("1000000/60s").onStoreFailure(OnStoreFailure.ALLOW).build(), 64, false);

	private final Duration deadline;

	private final RequestLimiter limiter;

	private final RequestLimiter control;

	private final Queue<RateLimitDecision> made = new ConcurrentLinkedQueue<>();

	private final Queue<Duration> times = new ConcurrentLinkedQueue<>();

	private final Queue<Duration> controlTimes = new ConcurrentLinkedQueue<>();

	public Decisions(RateLimitStore store, Duration deadline) {
		this.deadline = deadline;
		this.limiter = limiter(store);
		this.control = limiter(new WaitingStore());
	}

	private RequestLimiter limiter(RateLimitStore store) {
		return TestLimiter.over(store).deadline(this.deadline).build();
	}

	/** Decide one request, whatever time it takes. */
	public RateLimitDecision decide() {
		return decide(this.limiter);
	}

	private RateLimitDecision decide(RequestLimiter by) {
		return by.decide(List.of(new RuleRequest(this.rule, this.rule.standard(), new Subject("s"), 1)), by.newBudget())
			.await()
			.decided()
			.get(0)
			.decision();
	}

	/**
	 * Decide many requests, after a first round that warms up.
	 * @param factory makes the threads
	 * @param clients how many threads
	 * @param rounds how many requests each of them decides, one after the other
	 */
	public Decisions make(ThreadFactory factory, int clients, int rounds) throws InterruptedException {
		CountDownLatch warm = new CountDownLatch(clients);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < clients; i++) {
			boolean waitFirst = i % 2 == 0;
			threads.add(factory.newThread(() -> {
				try {
					decide();
				}
				finally {
					warm.countDown();
				}
				await(warm);
				for (int round = 0; round < rounds; round++) {
					if (waitFirst) {
						measure(this.control, this.controlTimes);
					}
					this.made.add(measure(this.limiter, this.times));
					if (!waitFirst) {
						measure(this.control, this.controlTimes);
					}
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(this.times).hasSize(clients * rounds);
		return this;
	}

	private RateLimitDecision measure(RequestLimiter by, Queue<Duration> times) {
		long before = System.nanoTime();
		RateLimitDecision decision = decide(by);
		times.add(Duration.ofNanos(System.nanoTime() - before));
		return decision;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	/** How many the store did not decide. */
	public long withoutStore() {
		return this.made.stream().filter((decision) -> decision.source() == Source.NONE).count();
	}

	/**
	 * None took longer than the deadline, but for what waiting costs on this machine:
	 * both are the largest of many, and chance decides by which factor they differ. One
	 * thread of a hundred may have lost its processor for longer than all that only
	 * waited did, and took less than two deadlines.
	 */
	public Decisions assertInTime() {
		return assertWithin(this.deadline);
	}

	/** As above, where more than a deadline may pass. */
	public Decisions assertWithin(Duration longest) {
		Duration delay = Collections.max(this.controlTimes).minus(this.deadline).multipliedBy(3);
		List<Duration> slowest = this.times.stream().sorted(Comparator.reverseOrder()).toList();
		Duration slowestButFew = slowest.get(slowest.size() / 100);
		String measured = "the slowest of %d took %s, all but one of a hundred %s".formatted(slowest.size(),
				slowest.get(0), slowestButFew);
		assertThat(slowestButFew).as(measured).isLessThanOrEqualTo(longest.plus(delay));
		assertThat(slowest.get(0)).as(measured).isLessThanOrEqualTo(longest.multipliedBy(2).plus(delay));
		return this;
	}

}
