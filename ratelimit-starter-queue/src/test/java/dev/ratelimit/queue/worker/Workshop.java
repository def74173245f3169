package dev.ratelimit.queue.worker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import dev.ratelimit.fixture.MovableClock;
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
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.Waiter;

/**
 * Workers over one queue, on a clock that the test moves; each round runs to its end on
 * the thread of the test.
 */
final class Workshop {

	static final String RULE = "orders";

	static final QueueSettings SETTINGS = new QueueSettings(2, Duration.ofSeconds(30), 3, Duration.ofSeconds(1),
			Duration.ofSeconds(3), Duration.ofHours(1), Duration.ofDays(1));

	static final Enqueue TERMS = new Enqueue(List.of(), 1024, 10, 20, 1 << 20, Duration.ofHours(1));

	private static final List<String> BLOCKED = List.of("mallory");

	private static final long MANY = 1000;

	private static final ItemQueue.Room ROOM = new ItemQueue.Room(100, 100, 1 << 20);

	final MovableClock clock = new MovableClock();

	final ItemQueue queue;

	final List<String> happened = new ArrayList<>();

	final List<QueueStatus> statuses = new ArrayList<>();

	/** Whether the workers are stopping; set by tests. */
	boolean stopping;

	QueuedRequestHandler handler = (request) -> this.happened.add(request.text());

	private final RequestLimiter limiter = TestLimiter.over(new MemoryStore(this.clock), this.clock).build();

	/** The subject that the rule blocks. */
	final String blocked;

	private final RulePermits permits;

	private final QueueRules queueRules = new QueueRules((rule) -> {
	});

	private CompiledRules rules;

	private int seed;

	Workshop(Function<MovableClock, ItemQueue> queue, String thresholds) {
		this.queue = queue.apply(this.clock);
		bring(rule(thresholds), RLConfig.builder("other").thresholds(thresholds).build());
		SubjectEncoder subjects = new SubjectEncoder(64, "");
		this.blocked = subjects.byKey(this.rules.find(RULE).orElseThrow(), BLOCKED, Optional.empty(), 1)
			.subject()
			.text();
		this.permits = new SubjectPermits(() -> this.rules, this.limiter, subjects);
	}

	/** Bring rules into force. */
	void bring(RLConfig... rules) {
		this.rules = new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE);
		this.queueRules.follow(this.rules.ruleSet(), List.of());
	}

	RLConfig[] inForce() {
		return this.rules.ruleSet().rules().toArray(RLConfig[]::new);
	}

	private static RLConfig rule(String thresholds) {
		return RLConfig.builder(RULE)
			.key("header:X")
			.thresholds(thresholds)
			.overrides(List.of(new KeyOverride(BLOCKED, Allowance.BLOCKED)))
			.onLimit(TERMS)
			.build();
	}

	QueueWorker worker() {
		return worker(Runnable::run);
	}

	/** Threads of a queue that calls {@link #handler}, on the clock of the machine. */
	QueueThreads threads(Duration grace) {
		return QueueThreads.start(this.queue, (request) -> this.handler.handle(request), this.queueRules, this.permits,
				SETTINGS, new Listeners<>("queue listener", List.of()),
				new Waiter(System::nanoTime, LockSupport::parkNanos), new PermitIds(new SplittableRandom(++this.seed)),
				grace);
	}

	QueueWorker worker(Executor executor) {
		QueueListener listener = new QueueListener() {

			@Override
			public void seen(String rule, QueueStatus status) {
				Workshop.this.statuses.add(status);
			}

			@Override
			public void handled(String rule, HandlingResult outcome) {
				if (outcome != HandlingResult.DONE) {
					Workshop.this.happened.add(outcome.name());
				}
			}

		};
		Listeners<QueueListener> listeners = new Listeners<>("queue listener", List.of(listener));
		ItemHandling run = new ItemHandling(this.queue, (request) -> this.handler.handle(request), this.queueRules,
				this.permits, SETTINGS, listeners,
				new Waiter(this.clock::nanoTime, (nanos) -> this.clock.advanceMicros(1 + nanos / 1000)),
				() -> this.stopping);
		return new QueueWorker(this.queue, this.queueRules, run, SETTINGS, listeners, executor,
				new PermitIds(new SplittableRandom(++this.seed)), this.clock::nanoTime);
	}

	void enqueue(String subject, String... bodies) {
		enqueue(1, subject, bodies);
	}

	void enqueue(long cost, String subject, String... bodies) {
		for (String body : bodies) {
			QueuedRequest request = new QueuedRequest(body, RULE, "POST", "/orders", Optional.empty(), Optional.empty(),
					Map.of(), body.getBytes(StandardCharsets.UTF_8), 1, Instant.EPOCH);
			EnqueueResult enqueued = this.queue.enqueue(new QueuedSubject(RULE, subject), body,
					StoredRequest.of(request, Optional.empty(), cost).fields(), ROOM, Patience.LONG);
			if (enqueued != EnqueueResult.ENQUEUED) {
				throw new IllegalStateException("not enqueued: " + enqueued);
			}
		}
	}

	/**
	 * How many scripts a worker runs in this time. It sleeps as the thread of a queue
	 * does.
	 */
	long commandsIn(Duration time) {
		AtomicBoolean woken = new AtomicBoolean();
		QueueWorker worker = worker();
		worker.whenDone(() -> woken.set(true));
		Instant end = this.clock.instant().plus(time);
		long before = TimedQueues.scriptCalls();
		while (this.clock.instant().isBefore(end) && TimedQueues.scriptCalls() - before < MANY) {
			Duration next = worker.round();
			if (!woken.getAndSet(false)) {
				this.clock.advance(next);
			}
		}
		return TimedQueues.scriptCalls() - before;
	}

	QueueStatus status() {
		return this.queue.statuses(List.of(RULE), 10, Patience.LONG).get(0).orElseThrow();
	}

}
