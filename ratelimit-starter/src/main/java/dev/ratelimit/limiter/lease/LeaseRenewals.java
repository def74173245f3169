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
import dev.ratelimit.limiter.stage.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.BackgroundExecutor;

/**
 * Calls the store for leases that no request waits for. All that are due share a call. A
 * request that finds nothing left before that renews its lease itself, so nothing depends
 * on how soon the background runs. Safe for concurrent use.
 */
final class LeaseRenewals implements AutoCloseable {

	private static final AcquireResult NO_ANSWER = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private static final int MOST_AT_ONCE = 500;

	private static final Duration PATIENCE = Duration.ofMillis(100);

	private final Queue<DueLease> due = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final Leases leases;

	private final RemoteStore store;

	private final PermitIds permitIds;

	private final LongSupplier nanoTime;

	private final BackgroundExecutor background;

	LeaseRenewals(Leases leases, RemoteStore store, PermitIds permitIds, LongSupplier nanoTime,
			BackgroundExecutor background) {
		this.leases = leases;
		this.store = store;
		this.permitIds = permitIds;
		this.nanoTime = nanoTime;
		this.background = background;
	}

	/**
	 * Add a lease that is due. Does not wait.
	 */
	void add(DueLease lease) {
		this.due.add(lease);
		if (!this.scheduled.getAndSet(true)) {
			this.background.soon(this::renewAll);
		}
	}

	private void renewAll() {
		this.scheduled.set(false);
		while (!this.due.isEmpty()) {
			List<Slot> batch = next();
			if (!batch.isEmpty()) {
				renew(batch);
			}
		}
	}

	private List<Slot> next() {
		List<Slot> batch = new ArrayList<>();
		for (DueLease lease = this.due.poll(); lease != null; lease = this.due.poll()) {
			if (lease.subjectLease().beginToRenewAhead()) {
				batch.add(slot(lease));
			}
			if (batch.size() == MOST_AT_ONCE) {
				break;
			}
		}
		return batch;
	}

	private Slot slot(DueLease lease) {
		long now = this.nanoTime.getAsLong();
		LeaseTerms terms = lease.terms();
		AcquireRequest request = new AcquireRequest(terms.counted(), lease.subject(), 1, this.permitIds.next(),
				terms.wanted(lease.subjectLease().last(), 1, now));
		Slot slot = new Slot(request);
		slot.send(request, new InFlightLease.Ahead(terms, lease.subjectLease(), this.leases, now, 0));
		return slot;
	}

	private void renew(List<Slot> batch) {
		List<AcquireResult> results = Collections.nCopies(batch.size(), NO_ANSWER);
		try {
			results = this.store.acquire(batch.stream().map(Slot::counted).toList(), PATIENCE).await();
		}
		finally {
			Slot.land(batch, results, this.store.source(), this.nanoTime.getAsLong());
		}
	}

	/** Waits for the call under way. */
	@Override
	public void close() {
		this.background.close();
	}

	/**
	 * Whose leases are renewed; a request that needs one before that renews it itself.
	 */
	record DueLease(LeaseTerms terms, Subject subject, SubjectLease subjectLease) {
	}

}
