package dev.ratelimit.queue.worker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.SubjectPermits;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.redis.CountingAndQueueing;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.Waiter;

/**
 * A whole job on the shipped queue, for a process of its own: it enqueues requests,
 * reports the results, and handles the requests one after the other. One of them always
 * fails.
 */
final class QueueJob {

	static final String PREFIX = "rl:job";

	static final String RULE = "orders";

	static final String FAILING = "b1";

	static final List<String> IDS = List.of("a1", FAILING, "a2", "b2");

	private static final QueueSettings SETTINGS = new QueueSettings(4, Duration.ofMillis(300), 2, Duration.ofMillis(1),
			Duration.ofMillis(1), Duration.ofHours(1), Duration.ofHours(1));

	private final ItemQueue queue;

	private final QueueWorker worker;

	private final Consumer<String> report;

	private QueueJob(CountingAndQueueing redis, long seed, Consumer<String> report) {
		this.queue = redis.queue();
		this.report = report;
		CompiledRules rules = new CompiledRules(
				new RuleSet(List
					.of(RLConfig.builder(RULE).key("header:X").thresholds("1000/1s").onLimit(Enqueue.DEFAULT).build())),
				64, NamedRules.NONE);
		RequestLimiter limiter = TestLimiter.over(redis.store())
			.permitIds(new PermitIds(new SplittableRandom(seed)))
			.build();
		RulePermits permits = new SubjectPermits(() -> rules, limiter, new SubjectEncoder(64, ""));
		QueueRules queueRules = new QueueRules((rule) -> {
		});
		queueRules.follow(rules.ruleSet(), List.of());
		Listeners<QueueListener> listeners = new Listeners<>("queue listener", List.of());
		ItemHandling run = new ItemHandling(this.queue, this::handle, queueRules, permits, SETTINGS, listeners,
				new Waiter(System::nanoTime, LockSupport::parkNanos), () -> false);
		this.worker = new QueueWorker(this.queue, queueRules, run, SETTINGS, listeners, Runnable::run,
				new PermitIds(new SplittableRandom(seed + 1)), System::nanoTime);
	}

	/**
	 * Do the job in a process of its own.
	 * @param arguments the address of Redis
	 */
	public static void main(String[] arguments) {
		try (CountingAndQueueing redis = TimedQueues.shipped(arguments[0], PREFIX)) {
			QueueJob job = new QueueJob(redis, 1, System.out::println);
			IDS.forEach(job::enqueue);
			job.finish();
		}
	}

	/** Finish the job of another process. */
	static void finish(String address, Consumer<String> report) {
		try (CountingAndQueueing redis = TimedQueues.shipped(address, PREFIX)) {
			new QueueJob(redis, 2, report).finish();
		}
	}

	private void enqueue(String id) {
		QueuedRequest request = new QueuedRequest(id, RULE, "POST", "/", Optional.empty(), Optional.empty(), Map.of(),
				id.getBytes(StandardCharsets.UTF_8), 1, Instant.EPOCH);
		EnqueueResult enqueued = this.queue.enqueue(new QueuedSubject(RULE, "h" + id.charAt(0)), id,
				StoredRequest.of(request, Optional.empty(), 1).fields(), new ItemQueue.Room(10, 10, 1 << 20),
				Patience.LONG);
		this.report.accept(enqueued + " " + id);
	}

	private void handle(QueuedRequest request) {
		this.report.accept("handled " + request.id());
		if (request.id().equals(FAILING)) {
			throw new IllegalArgumentException(FAILING);
		}
	}

	private void finish() {
		long started = System.nanoTime();
		while (this.queue.statuses(List.of(RULE), 1, Patience.LONG).get(0).orElseThrow().queued() > 0) {
			if (System.nanoTime() - started > TimeUnit.MINUTES.toNanos(1)) {
				throw new IllegalStateException("The queue does not become empty");
			}
			LockSupport.parkNanos(this.worker.round().toNanos() / 10);
		}
	}

}
