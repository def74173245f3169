package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.BackgroundThread;
import dev.ratelimit.support.Restartable;
import dev.ratelimit.support.WaitBudget;

/**
 * Calls the store for leases that no request waits for. Those that are due share calls. A
 * request that finds nothing left before that renews its lease itself, so nothing depends
 * on how soon the background runs. Safe for concurrent use.
 */
final class LeaseRenewals implements Restartable {

	private static final AcquireResult NO_ANSWER = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private static final int MOST_AT_ONCE = 500;

	/** As many as one batch of requests writes. */
	private static final long ENOUGH_ENTRIES = 500;

	private static final List<AcquireResult> NO_ANSWERS = Collections.nCopies(MOST_AT_ONCE, NO_ANSWER);

	private final Queue<DueLease> due = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final Leases leases;

	private final RemoteStore store;

	private final PermitIds permitIds;

	private final Duration deadline;

	private final LongSupplier nanoTime;

	private final BackgroundThread background;

	private volatile boolean closed;

	LeaseRenewals(Leases leases, RemoteStore store, PermitIds permitIds, Duration deadline, LongSupplier nanoTime,
			BackgroundThread background) {
		this.leases = leases;
		this.store = store;
		this.permitIds = permitIds;
		this.deadline = deadline;
		this.nanoTime = nanoTime;
		this.background = background;
	}

	/**
	 * Add a lease that is due. Does not wait.
	 */
	void add(DueLease lease) {
		this.due.add(lease);
		if (!this.scheduled.getAndSet(true)) {
			schedule();
		}
	}

	private void schedule() {
		try {
			this.background.soon(this::renewAll);
		}
		catch (Throwable ex) {
			// Mostly there is no memory for its thread. Requests renew these leases, and
			// the next one that is due tries again.
			this.due.clear();
			this.scheduled.set(false);
		}
	}

	private void renewAll() {
		this.scheduled.set(false);
		while (!this.closed && !this.due.isEmpty()) {
			renewSome();
		}
	}

	private void renewSome() {
		List<Slot> batch = new ArrayList<>(MOST_AT_ONCE);
		List<AcquireResult> results = NO_ANSWERS;
		try {
			fill(batch);
			if (!batch.isEmpty()) {
				results = this.store.acquire(batch.stream().map(Slot::counted).toList(), new WaitBudget(this.deadline))
					.await();
			}
		}
		finally {
			Slot.land(batch, results, this.store.source(), this.nanoTime.getAsLong());
		}
	}

	private void fill(List<Slot> batch) {
		long entries = 0;
		while (batch.size() < MOST_AT_ONCE && entries < ENOUGH_ENTRIES) {
			DueLease next = this.due.poll();
			if (next == null) {
				return;
			}
			long now = this.nanoTime.getAsLong();
			// First, so that nothing can fail between the beginning and the call.
			Slot slot = slot(next, now);
			if (next.subjectLease().beginToRenewAhead(next.lease(), now)) {
				batch.add(slot);
				entries += next.terms().entries(slot.counted().wanted());
			}
		}
	}

	private Slot slot(DueLease due, long nowNanos) {
		LeaseTerms terms = due.terms();
		AcquireRequest request = new AcquireRequest(terms.counted(), due.subject(), due.cost(), this.permitIds.next(),
				due.subjectLease().wanted(terms, due.cost(), nowNanos));
		Slot slot = new Slot(request);
		slot.deferToStore(request, new InFlightLease.Ahead(terms, due.subjectLease(), this.leases, nowNanos, 0));
		return slot;
	}

	@Override
	public void restart() {
		this.background.restart();
		this.closed = false;
		// Nothing ran what was scheduled meanwhile.
		this.scheduled.set(false);
	}

	/**
	 * Begins no more batches, and waits for the one under way, for two seconds at most.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.background.close();
	}

	/**
	 * A lease to renew, unless a request renews it before.
	 *
	 * @param lease the lease
	 * @param terms the terms of its limit
	 * @param subject whose lease it is
	 * @param subjectLease the leases of that subject
	 * @param cost what requests of it cost: fewer permits would serve none of them
	 */
	record DueLease(Lease lease, LeaseTerms terms, Subject subject, SubjectLease subjectLease, long cost) {
	}

}
