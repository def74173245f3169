package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.RepeatedRefusal;
import dev.ratelimit.store.AcquiredPermits;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one subject of one limit on this instance: the last one, and the one
 * before it until that is used up. Safe for concurrent use. Tested by
 * {@code LeasesTests}.
 */
final class SubjectLease {

	private static final AtomicReferenceFieldUpdater<SubjectLease, Lease> FIRST = AtomicReferenceFieldUpdater
		.newUpdater(SubjectLease.class, Lease.class, "first");

	/** Spent before the last one, and the same if nothing is left of it. */
	private volatile Lease first;

	/**
	 * Written only while renewing. Read before the first if both are needed: a lease that
	 * becomes the first meanwhile is not missed then.
	 */
	private volatile Lease last;

	private volatile @Nullable RepeatedRefusal refusal;

	/** How many permits were granted, without those that have gone back. */
	private final AtomicLong kept = new AtomicLong();

	/** How many had been spent when the last lease was requested. */
	private volatile long spentBefore;

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

	/** How many permits may still be spent. */
	long left(long nowNanos) {
		return sum((lease) -> lease.left(nowNanos));
	}

	/** How many permits were spent so far. */
	long spent() {
		return this.kept.get() - sum(Lease::left);
	}

	private long sum(ToLongFunction<Lease> permits) {
		Lease current = this.last;
		Lease before = this.first;
		return permits.applyAsLong(current) + ((before != current) ? permits.applyAsLong(before) : 0);
	}

	/**
	 * How many permits to acquire for the next lease.
	 * @param terms the terms of its limit
	 * @param cost how many are needed at once
	 * @param nowNanos the time
	 * @return as many as the demand since the last lease was requested
	 */
	long wanted(LeaseTerms terms, long cost, long nowNanos) {
		return terms.wanted(this.last, Math.max(0, spent() - this.spentBefore), cost, nowNanos);
	}

	/**
	 * Decide without the store. This path costs a counter and the result.
	 * @param cost how many permits
	 * @param nowNanos the time
	 * @return the result; {@code null} if the store has to be called
	 */
	@Nullable EstimatedWindows result(long cost, long nowNanos) {
		Lease before = this.first;
		if (before.trySpend(cost, nowNanos)) {
			return before.admission(nowNanos);
		}
		Lease current = this.last;
		if (current != before && current.trySpend(cost, nowNanos)) {
			if (before.left() == 0) {
				boolean ignored = FIRST.compareAndSet(this, before, current);
			}
			return current.admission(nowNanos);
		}
		RepeatedRefusal refused = this.refusal;
		return (refused != null && refused.holds(cost, nowNanos)) ? refused.again(nowNanos) : null;
	}

	/**
	 * Begin to renew the lease for a request. Only one request renews at a time; requests
	 * that arrive meanwhile acquire only their own permits, and so do those that have
	 * read the clock before a lease began.
	 * @param cost how many permits the request needs
	 * @param nowNanos the time
	 * @return whether to renew it; {@link #renewed()} has to follow then
	 */
	boolean beginToRenew(long cost, long nowNanos) {
		return this.last.left(nowNanos) < cost && begin() && orGiveUp(this.last.left(nowNanos) < cost);
	}

	private boolean begin() {
		Renewal state = this.renewal.get();
		return state != Renewal.UNDER_WAY && this.renewal.compareAndSet(state, Renewal.UNDER_WAY);
	}

	private boolean orGiveUp(boolean needed) {
		if (!needed) {
			renewed();
		}
		return needed;
	}

	/**
	 * Make the lease due, if it is to be renewed ahead of the request that will find too
	 * little left. Each lease is due once: if the store then fails or refuses, it is not
	 * called again before such a request.
	 * @param cost how many permits a request needs
	 * @param nowNanos the time
	 * @return the lease that is due from now on; {@code null} if there is none
	 */
	@Nullable Lease makeDue(long cost, long nowNanos) {
		Lease current = this.last;
		if (!current.isToRenew(cost, nowNanos) || current.number() == this.dueAhead
				|| !this.renewal.compareAndSet(Renewal.NONE, Renewal.DUE)) {
			return null;
		}
		this.dueAhead = current.number();
		return current;
	}

	/**
	 * Begin to renew the lease in the background, unless a request was earlier or it has
	 * ended.
	 * @param due the lease that was made due
	 * @param nowNanos the time
	 * @return whether to renew it; {@link #renewed()} has to follow then
	 */
	boolean beginToRenewAhead(Lease due, long nowNanos) {
		return this.last == due && this.renewal.compareAndSet(Renewal.DUE, Renewal.UNDER_WAY)
				&& orGiveUp(this.last == due && !due.isOver(nowNanos));
	}

	void renewed() {
		this.renewal.set(Renewal.NONE);
	}

	/**
	 * Add a lease. Called while renewing.
	 * @param next the new lease
	 * @param spentBefore how many permits had been spent when it was requested
	 * @return what is left of the one before the last, which is spent no longer
	 */
	List<AcquiredPermits> add(Lease next, long spentBefore) {
		Lease current = this.last;
		Lease before = FIRST.getAndSet(this, current);
		this.kept.addAndGet(next.permits());
		this.last = next;
		this.spentBefore = spentBefore;
		if (current.left() == 0) {
			boolean ignored = FIRST.compareAndSet(this, current, next);
		}
		return (before != current) ? takeLeft(before) : List.of();
	}

	private List<AcquiredPermits> takeLeft(Lease of) {
		List<AcquiredPermits> left = of.takeLeft();
		left.forEach((permits) -> this.kept.addAndGet(-permits.request().cost()));
		return left;
	}

	void refused(RepeatedRefusal refused) {
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
		Lease current = this.last;
		Lease of = (current.number() == number) ? current : this.first;
		boolean valid = of.number() == number && !of.isOver(nowNanos);
		if (valid) {
			of.unspend(cost);
		}
		return valid;
	}

	/**
	 * Take what is left of the leases that have ended, to release it in the store.
	 * @param nowNanos the time
	 * @param left receives it
	 */
	void takeEnded(long nowNanos, Consumer<List<AcquiredPermits>> left) {
		take((lease) -> lease.isOver(nowNanos), left);
	}

	/** Take what is left of all leases. */
	void takeAll(Consumer<List<AcquiredPermits>> left) {
		take((lease) -> true, left);
	}

	private void take(Predicate<Lease> which, Consumer<List<AcquiredPermits>> left) {
		Lease current = this.last;
		Lease before = this.first;
		if (which.test(current)) {
			left.accept(takeLeft(current));
		}
		if (before != current && which.test(before)) {
			left.accept(takeLeft(before));
		}
	}

	/** Start over: what is left is neither spent nor released. */
	void forget() {
		takeAll((ignored) -> {
		});
		this.refusal = null;
	}

	/**
	 * Retire, if no request has needed a permit for as long as a lease may be spent. From
	 * then on it is not renewed any more, not even by a request that has found it before.
	 * @return whether it has retired
	 */
	boolean retire(long nowNanos, long lifeNanos) {
		return isIdle(nowNanos, lifeNanos) && begin() && orGiveUp(isIdle(nowNanos, lifeNanos));
	}

	/** The lease before the last one does not end after it. */
	private boolean isIdle(long nowNanos, long lifeNanos) {
		RepeatedRefusal refused = this.refusal;
		return this.last.isOver(nowNanos - lifeNanos) && (refused == null || !refused.lasts(nowNanos));
	}

}
