package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import org.jspecify.annotations.Nullable;

/**
 * The lease of one subject of one limit on this instance. Safe for concurrent use.
 */
final class SubjectLease {

	/** Written by the request that renews. */
	private volatile Lease lease;

	private volatile @Nullable LeaseRefusal refusal;

	private final AtomicBoolean renewing = new AtomicBoolean();

	/**
	 * Create an instance without permits.
	 * @param nothing an empty lease
	 */
	SubjectLease(Lease nothing) {
		this.lease = nothing;
	}

	Lease lease() {
		return this.lease;
	}

	/**
	 * Decide without the store. This path costs nothing but a counter.
	 * @param cost how many permits
	 * @param nowNanos the time
	 * @return the result; {@code null} if the store has to be called
	 */
	@Nullable AcquireResult result(long cost, long nowNanos) {
		Lease current = this.lease;
		if (current.trySpend(cost, nowNanos)) {
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
		return !this.renewing.get() && this.renewing.compareAndSet(false, true);
	}

	void renewed() {
		this.renewing.set(false);
	}

	/**
	 * Replace the lease.
	 * @param next the new lease
	 * @return what was left of the previous one
	 */
	List<AcquiredPermits> replace(Lease next) {
		Lease last = this.lease;
		this.lease = next;
		return last.takeLeft();
	}

	void refused(LeaseRefusal refused) {
		this.refusal = refused;
	}

	/**
	 * Return permits that were spent here.
	 * @param number the lease from which they were spent
	 * @param cost how many
	 * @param nowNanos the time
	 * @return whether that lease is still current
	 */
	boolean unspend(long number, long cost, long nowNanos) {
		Lease current = this.lease;
		boolean goesOn = current.number() == number && !current.isOver(nowNanos);
		if (goesOn) {
			current.unspend(cost);
		}
		return goesOn;
	}

	/** Start over: what is left is neither spent nor released. */
	void forget() {
		List<AcquiredPermits> ignored = this.lease.takeLeft();
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

	private boolean isIdle(long nowNanos, long lifeNanos) {
		LeaseRefusal refused = this.refusal;
		return this.lease.isOver(nowNanos - lifeNanos) && (refused == null || !refused.lasts(nowNanos));
	}

}
