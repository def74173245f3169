package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;

/**
 * Several instances that count one subject, and what happens to them in random order:
 * requests, releases and syncs. Anything else may happen between the sending of a call,
 * the work of the store and its reply. Some calls never arrive, some replies are lost.
 */
final class Fleet {

	private static final Subject SUBJECT = new Subject("s");

	private static final AcquireResult UNREACHABLE = new AcquireResult.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN);

	private static final AcquireResult LOST = new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN);

	private final MovableClock clock;

	private final MemoryStore store;

	private final SplittableRandom random;

	private final Limit limit;

	private final Truth truth;

	/** How many calls of ten never arrive. */
	private final int unreachable;

	private final List<SyncedCounter> counters = new ArrayList<>();

	private final List<Call> calls = new ArrayList<>();

	private final List<Admission> admissions = new ArrayList<>();

	Fleet(Limit limit, int instances, long seed) {
		this.clock = new MovableClock();
		this.store = new MemoryStore(this.clock);
		this.random = new SplittableRandom(seed);
		this.unreachable = this.random.nextInt(7);
		this.limit = limit;
		this.truth = new Truth(limit);
		int percent = ((Mode.Synced) limit.mode()).maxOvershootPercent();
		for (int i = 0; i < instances; i++) {
			LocalQuota quota = new LocalQuota(Optional.of(new InstanceShare(instances, OptionalInt.of(i))), percent);
			this.counters.add(new SyncedLimit(limit, new SyncSchedule(Duration.ofSeconds(1), () -> {
			}), () -> quota).counter(SUBJECT));
		}
	}

	/** The formula of the documentation. */
	static long mostAbove(Limit limit, int index, int instances) {
		int percent = ((Mode.Synced) limit.mode()).maxOvershootPercent();
		return instances * (limit.count(index) * percent / 100 / (instances + 1));
	}

	/**
	 * Let something happen.
	 * @param hurry how many of 100 events are no request
	 */
	void step(int hurry) {
		if (this.random.nextInt(100) >= hurry) {
			SyncedCounter counter = any(this.counters);
			for (int burst = this.random.nextInt(12); burst >= 0; burst--) {
				request(counter, (this.random.nextInt(8) == 0) ? this.random.nextLong(1, 6) : 1);
			}
			return;
		}
		switch (this.random.nextInt(6)) {
			case 0 -> this.clock.advanceMicros(this.random.nextLong(400_000));
			case 1 -> report(any(this.counters));
			case 2 -> release();
			default -> goOn();
		}
	}

	private <T> T any(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	private void request(SyncedCounter counter, long cost) {
		Optional<AcquireResult> result = Optional.ofNullable(counter.decide(cost, this.clock.nanoTime()))
			.map(EstimatedWindows::result);
		if (result.isEmpty()) {
			this.calls.add(new Call(counter.startAcquire(cost, this.clock.nanoTime()), false));
		}
		else if (result.get() instanceof AcquireResult.Admitted admitted) {
			this.truth.admitted(cost, this.clock.micros());
			this.admissions.add(new Admission(counter, new AcquiredPermits(request(cost), admitted.receipts()),
					this.clock.micros()));
		}
	}

	private AcquireRequest request(long cost) {
		return new AcquireRequest(this.limit, SUBJECT, cost, new PermitId("p"));
	}

	private void report(SyncedCounter counter) {
		this.calls.add(new Call(counter.startReport(this.clock.nanoTime()), true));
		List<AcquiredPermits> released = counter.takeReleases();
		if (!released.isEmpty()) {
			uncount(released);
		}
	}

	private void release() {
		if (!this.admissions.isEmpty()) {
			Admission admission = this.admissions.remove(this.random.nextInt(this.admissions.size()));
			long left = admission.counter().takeBack(admission.taken());
			if (left > 0) {
				uncount(List.of(admission.taken().of(left)));
			}
			this.truth.released(admission.taken().request().cost(), admission.micros());
		}
	}

	private void uncount(List<AcquiredPermits> permits) {
		List<?> ignored = this.store.settle(Settlement.release(permits), Duration.ofSeconds(1)).await();
	}

	/** One of the calls reaches the store, or its reply reaches the sender. */
	private void goOn() {
		if (this.calls.isEmpty()) {
			return;
		}
		Call call = any(this.calls);
		if (call.reachedMicros.isEmpty() && this.random.nextInt(10) >= this.unreachable) {
			reach(call);
			return;
		}
		this.calls.remove(call);
		if (call.reachedMicros.isEmpty()) {
			call.results.replaceAll((result) -> UNREACHABLE);
		}
		else if (this.random.nextInt(10) == 0) {
			call.results.replaceAll((result) -> LOST);
		}
		end(call);
	}

	private void end(Call call) {
		InFlightSync inFlight = call.inFlight;
		if (call.reported) {
			long ignored = inFlight.counter().completeReport(inFlight, call.results, this.clock.nanoTime());
			return;
		}
		inFlight.counter().completeAcquire(inFlight, call.results.get(0), this.clock.nanoTime());
		if (call.results.get(0) instanceof AcquireResult.Admitted admitted) {
			this.admissions.add(new Admission(inFlight.counter(),
					new AcquiredPermits(request(inFlight.permits()), admitted.receipts()),
					call.reachedMicros.getAsLong()));
		}
	}

	private void reach(Call call) {
		call.reachedMicros = OptionalLong.of(this.clock.micros());
		if (!call.reported) {
			AcquireResult result = this.store.acquire(List.of(request(call.inFlight.permits())), Duration.ofSeconds(1))
				.await()
				.get(0);
			call.results.set(0, result);
			if (result instanceof AcquireResult.Admitted) {
				this.truth.admitted(call.inFlight.permits(), this.clock.micros());
			}
			return;
		}
		List<AcquiredPermits> batches = call.inFlight.reported().stream().map(call.inFlight.counter()::taken).toList();
		call.results.clear();
		call.results.addAll(this.store.capabilities().counter().orElseThrow().count(batches, Duration.ofSeconds(1)));
	}

	Truth truth() {
		return this.truth;
	}

	private record Admission(SyncedCounter counter, AcquiredPermits taken, long micros) {
	}

	private static final class Call {

		private final InFlightSync inFlight;

		private final boolean reported;

		private final List<AcquireResult> results;

		private OptionalLong reachedMicros = OptionalLong.empty();

		Call(InFlightSync inFlight, boolean reported) {
			this.inFlight = inFlight;
			this.reported = reported;
			this.results = new ArrayList<>(Collections.nCopies(reported ? inFlight.reported().size() : 1, LOST));
		}

	}

}
