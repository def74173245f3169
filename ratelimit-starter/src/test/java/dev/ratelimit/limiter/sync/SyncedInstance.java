package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.TestPipeline;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.BackgroundThread;

/**
 * One instance that counts synced rules, whose background work is done when the test says
 * so.
 */
final class SyncedInstance {

	private final Queue<Runnable> soon = new ConcurrentLinkedQueue<>();

	private final List<Runnable> rounds = new CopyOnWriteArrayList<>();

	private final AtomicInteger ids = new AtomicInteger();

	private final List<String> lost = new ArrayList<>();

	private boolean failsNext;

	private volatile Optional<InstanceShare> share;

	private final Synchronizer synchronizer;

	private final TestPipeline pipeline;

	private final MovableClock clock;

	SyncedInstance(CountingStore store, MovableClock clock, Optional<InstanceShare> share) {
		this.share = share;
		this.synchronizer = new Synchronizer(store, () -> this.share, StoreListener.all(List.of()),
				(rule, permits) -> this.lost.add(rule + " " + permits), clock::nanoTime, new ByHand());
		this.clock = clock;
		this.pipeline = TestPipeline.syncing(this.synchronizer, store, clock::nanoTime);
	}

	Synchronizer synchronizer() {
		return this.synchronizer;
	}

	static Optional<InstanceShare> oneOf(int instances) {
		return Optional.of(new InstanceShare(instances, OptionalInt.of(0)));
	}

	static Limit limit(Algorithm algorithm, String... thresholds) {
		return Limit.of(RLConfig.builder("r").algorithm(algorithm).mode(Mode.SYNCED).thresholds(thresholds).build());
	}

	static Limit fixed(String... thresholds) {
		return limit(Algorithm.FIXED_WINDOW, thresholds);
	}

	AcquireResult acquire(Limit limit, Subject subject, long cost) {
		return result(acquireSlot(limit, subject, cost));
	}

	/** Acquire permits that may be released. */
	Slot acquireSlot(Limit limit, Subject subject, long cost) {
		return this.pipeline.acquire(request(limit, subject, cost));
	}

	/** As above, without a slot; empty if it takes the store. */
	Optional<AcquireResult> tryAcquire(Limit limit, Subject subject, long cost) {
		return Optional.ofNullable(this.synchronizer.tryAcquire(limit, subject, cost, this.clock.nanoTime()))
			.map(EstimatedWindows::result);
	}

	private static AcquireResult result(Slot slot) {
		return Objects.requireNonNull(slot.result());
	}

	/** How many of so many requests are admitted, one after the other. */
	long admitted(Limit limit, Subject subject, int requests) {
		long admitted = 0;
		for (int i = 0; i < requests; i++) {
			admitted += (acquire(limit, subject, 1) instanceof AcquireResult.Admitted) ? 1 : 0;
		}
		return admitted;
	}

	/** How many of these subjects are admitted, which are decided in one call. */
	long admittedOf(Limit limit, List<Subject> subjects) {
		return this.pipeline.acquire(subjects.stream().map((subject) -> request(limit, subject, 1)).toList())
			.stream()
			.filter((slot) -> result(slot) instanceof AcquireResult.Admitted)
			.count();
	}

	SettlementResult release(Slot admitted) {
		return this.pipeline.release(admitted);
	}

	/** Acquire one permit of each limit, in one call. */
	List<AcquireResult> acquireTogether(List<Limit> limits, Subject subject) {
		return this.pipeline.acquire(limits.stream().map((limit) -> request(limit, subject, 1)).toList())
			.stream()
			.map(SyncedInstance::result)
			.toList();
	}

	private AcquireRequest request(Limit limit, Subject subject, long cost) {
		return new AcquireRequest(limit, subject, cost, new PermitId("p" + this.ids.incrementAndGet()));
	}

	/** An interval has passed. */
	void round() {
		synchronized (this.rounds) {
			this.rounds.forEach(Runnable::run);
		}
	}

	/** The next task that is due soon cannot be scheduled. */
	void failNextHurry() {
		this.failsNext = true;
	}

	/** The tasks that are due soon are run. */
	void hurry() {
		for (Runnable task = this.soon.poll(); task != null; task = this.soon.poll()) {
			task.run();
		}
	}

	/** Others have joined, or left. */
	void shareWith(int instances) {
		this.share = oneOf(instances);
	}

	/** Other rules have come into force. */
	void retain(Limit... limits) {
		this.synchronizer.retain(List.of(limits));
	}

	long unsynced(Limit limit, Subject subject) {
		return this.synchronizer.unsynced(limit, subject);
	}

	List<String> lost() {
		return this.lost;
	}

	void close() {
		this.synchronizer.close();
	}

	private final class ByHand extends BackgroundThread {

		ByHand() {
			super("never started");
		}

		@Override
		public synchronized void every(Duration interval, Runnable task) {
			SyncedInstance.this.rounds.add(task);
		}

		@Override
		public void soon(Runnable task) {
			if (SyncedInstance.this.failsNext) {
				SyncedInstance.this.failsNext = false;
				throw new OutOfMemoryError("of the test");
			}
			SyncedInstance.this.soon.add(task);
		}

		@Override
		public synchronized void restart() {
			throw new UnsupportedOperationException();
		}

		/** Waits for the round that is under way. */
		@Override
		public void close() {
			synchronized (SyncedInstance.this.rounds) {
				SyncedInstance.this.rounds.clear();
			}
			SyncedInstance.this.soon.clear();
		}

	}

}
