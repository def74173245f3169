package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one subject of one limit on this instance: the last one, and the one
 * before it until that is used up. Safe for concurrent use.
 */
final class SubjectLease {

	private static final AtomicReferenceFieldUpdater<SubjectLease, Lease> FIRST = AtomicReferenceFieldUpdater
		.newUpdater(SubjectLease.class, Lease.class, "first");

	/** Spent before the last one, and the same if nothing is left of it. */
	private volatile Lease first;

	/** Written only while renewing. */
	private volatile Lease last;

	private volatile @Nullable LeaseRefusal refusal;

	private final AtomicReference<Renewal> renewal = new AtomicReference<>(Renewal.NONE);

	/** The number of the last lease that was due ahead. */
	private volatile long dueAhead;

	private enum Renewal {

		NONE,

		/** In the background, unless a request is earlier. */
		DUE,

		UNDER_WAY

	}

	/**
	 * Create an instance without permits.
	 * @param nothing an empty lease
	 */
	SubjectLease(Lease nothing) {
		this.first = nothing;
		this.last = nothing;
	}

	/** The last lease, whose use shows the demand. */
	Lease last() {
		return this.last;
	}

	/** How many permits may still be spent. */
	long left(long nowNanos) {
		Lease before = this.first;
		Lease current = this.last;
		return current.left(nowNanos) + ((before != current) ? before.left(nowNanos) : 0);
	}

	/**
	 * Decide without the store. This path costs nothing but a counter.
	 * @param cost how many permits
	 * @param nowNanos the time
	 * @return the result; {@code null} if the store has to be called
	 */
	@Nullable AcquireResult result(long cost, long nowNanos) {
		Lease before = this.first;
		if (before.trySpend(cost, nowNanos)) {
			return before.admission(nowNanos);
		}
		Lease current = this.last;
		if (current != before && current.trySpend(cost, nowNanos)) {
			if (before.isSpent()) {
				boolean ignored = FIRST.compareAndSet(this, before, current);
			}
			return current.admission(nowNanos);
		}
		LeaseRefusal refused = this.refusal;
		return (refused != null && refused.holds(cost, nowNanos)) ? refused.again(nowNanos) : null;
	}

	/**
	 * Begin to renew the lease. Only one request renews at a time; requests that arrive
	 * meanwhile acquire only their own permits.
	 * @return whether no other request renews; {@link #renewed()} has to follow then
	 */
	boolean beginToRenew() {
		Renewal state = this.renewal.get();
		return state != Renewal.UNDER_WAY && this.renewal.compareAndSet(state, Renewal.UNDER_WAY);
	}

	/**
	 * Whether the lease is to be renewed ahead of the request that will find nothing
	 * left. If the store then fails or refuses, it is not called again before such a
	 * request.
	 * @return whether it is due from now on
	 */
	boolean becomesDue(long nowNanos) {
		Lease current = this.last;
		if (!current.isToRenew(nowNanos) || current.number() == this.dueAhead
				|| !this.renewal.compareAndSet(Renewal.NONE, Renewal.DUE)) {
			return false;
		}
		this.dueAhead = current.number();
		return true;
	}

	/**
	 * Begin to renew the lease in the background, unless a request was earlier.
	 * @return whether to renew it; {@link #renewed()} has to follow then
	 */
	boolean beginToRenewAhead() {
		return this.renewal.compareAndSet(Renewal.DUE, Renewal.UNDER_WAY);
	}

	void renewed() {
		this.renewal.set(Renewal.NONE);
	}

	/**
	 * Add a lease. Called while renewing.
	 * @param next the new lease
	 * @return what is left of the one before the last, which is spent no longer
	 */
	List<AcquiredPermits> add(Lease next) {
		Lease current = this.last;
		Lease before = FIRST.getAndSet(this, current);
		this.last = next;
		return (before != current) ? before.takeLeft() : List.of();
	}

	void refused(LeaseRefusal refused) {
		this.refusal = refused;
	}

	/**
	 * Return permits that were spent here.
	 * @param number the lease from which they were spent
	 * @param cost how many
	 * @param nowNanos the time
	 * @return whether that lease is still spent
	 */
	boolean unspend(long number, long cost, long nowNanos) {
		Lease before = this.first;
		Lease of = (before.number() == number) ? before : this.last;
		boolean goesOn = of.number() == number && !of.isOver(nowNanos);
		if (goesOn) {
			of.unspend(cost);
		}
		return goesOn;
	}

	/** Take what is left of the leases that have ended, to release it in the store. */
	List<AcquiredPermits> takeEnded(long nowNanos) {
		return take((lease) -> lease.isOver(nowNanos));
	}

	/** Take what is left of all leases. */
	List<AcquiredPermits> takeAll() {
		return take((lease) -> true);
	}

	private List<AcquiredPermits> take(Predicate<Lease> which) {
		return Stream.of(this.first, this.last).filter(which).flatMap((lease) -> lease.takeLeft().stream()).toList();
	}

	/** Start over: what is left is neither spent nor released. */
	void forget() {
		List<AcquiredPermits> ignored = takeAll();
		this.refusal = null;
	}

	/**
	 * Retire, if no request has needed a permit for as long as a lease may be spent. From
	 * then on it is not renewed any more, not even by a request that has found it before.
	 * @return whether it has retired
	 */
	boolean retire(long nowNanos, long lifeNanos) {
		if (!isIdle(nowNanos, lifeNanos) || !beginToRenew()) {
			return false;
		}
		if (!isIdle(nowNanos, lifeNanos)) {
			renewed();
			return false;
		}
		return true;
	}

	/** The lease before the last one does not end after it. */
	private boolean isIdle(long nowNanos, long lifeNanos) {
		LeaseRefusal refused = this.refusal;
		return this.last.isOver(nowNanos - lifeNanos) && (refused == null || !refused.lasts(nowNanos));
	}

}
