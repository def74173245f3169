package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;

/**
 * What one subject has of one limit on this instance. Safe for concurrent use.
 */
final class SubjectLease {

	/** Written by who renews. */
	private volatile Lease lease;

	private volatile Optional<LeaseRefusal> refusal = Optional.empty();

	private final AtomicBoolean renewing = new AtomicBoolean();

	/**
	 * Begin.
	 * @param nothing a lease of nothing
	 */
	SubjectLease(Lease nothing) {
		this.lease = nothing;
	}

	Lease lease() {
		return this.lease;
	}

	/**
	 * Decide without the store. This is the path that costs nothing but a clock read and
	 * a counter.
	 * @param cost how many permits
	 * @param nowNanos the time
	 * @return the answer, if what is known here is enough for one
	 */
	Optional<AcquireResult> result(long cost, long nowNanos) {
		Lease current = this.lease;
		if (current.trySpend(cost, nowNanos)) {
			return Optional.of(new AcquireResult.Leased(
					new AcquireResult.Admitted(current.usage(nowNanos), LeaseReceipts.ofLease(current.number()))));
		}
		return this.refusal.filter((refused) -> refused.holds(cost, nowNanos))
			.map((refused) -> refused.again(nowNanos));
	}

	/**
	 * Begin to renew the lease. One request does at a time; who comes meanwhile asks for
	 * itself only.
	 * @return whether nobody else does; then {@link #renewed()} has to follow
	 */
	boolean beginToRenew() {
		return !this.renewing.get() && this.renewing.compareAndSet(false, true);
	}

	void renewed() {
		this.renewing.set(false);
	}

	/**
	 * Put a lease in the place of the one before.
	 * @param next the lease
	 * @return what was left of the one before
	 */
	List<AcquiredPermits> replace(Lease next) {
		Lease last = this.lease;
		this.lease = next;
		return last.takeLeft();
	}

	void refused(LeaseRefusal refused) {
		this.refusal = Optional.of(refused);
	}

	/**
	 * Take permits back that were spent here.
	 * @param number the lease they were spent of
	 * @param cost how many
	 * @param nowNanos the time
	 * @return whether that lease goes on
	 */
	boolean unspend(long number, long cost, long nowNanos) {
		Lease current = this.lease;
		boolean goesOn = current.number() == number && !current.isOver(nowNanos);
		if (goesOn) {
			current.unspend(cost);
		}
		return goesOn;
	}

	/** Begin anew: what is left is not spent, and not given back either. */
	void forget() {
		List<AcquiredPermits> ignored = this.lease.takeLeft();
		this.refusal = Optional.empty();
	}

	/** Whether nobody has wanted anything for as long as a lease may be spent. */
	boolean isIdle(long nowNanos, long lifeNanos) {
		return !this.renewing.get() && this.lease.isOver(nowNanos - lifeNanos)
				&& !this.refusal.filter((refused) -> refused.lasts(nowNanos)).isPresent();
	}

}
