package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.KnownWindows;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Usage;

/**
 * Permits that the store has granted to this instance. Each of them is either left,
 * spent, or on its way back to the store. The store counts all of them until it has them
 * back. Safe for concurrent use. Tested by {@code LeaseRenewalsTests}.
 */
final class Lease {

	/** An object of its own would cost each decision one more cache miss. */
	private static final AtomicLongFieldUpdater<Lease> LEFT = AtomicLongFieldUpdater.newUpdater(Lease.class, "left");

	private final long number;

	private final long permits;

	private final AcquiredPermits taken;

	private final KnownWindows windows;

	private final long requestedNanos;

	private final long startNanos;

	private final long endNanos;

	private final long renewNanos;

	private final long renewLeft;

	private volatile long left;

	/**
	 * Create a lease.
	 * @param permits how many permits
	 * @param number identifies this lease among those of this instance
	 * @param taken the permits, in the form in which they are released in the store
	 * @param windows the windows when the permits were granted
	 * @param requestedNanos when the store was called for them, which is not later than
	 * the grant
	 * @param startNanos when the result of the store had arrived, which is not earlier
	 * than the grant. A request that read the clock before then must not spend permits
	 * that did not count yet
	 * @param endNanos when they may no longer be spent
	 * @param renewNanos from when on it is renewed ahead
	 * @param renewLeft with how many permits left it is renewed ahead; negative if it is
	 * not
	 * @param left how many of them are not spent yet
	 */
	private Lease(long permits, long number, AcquiredPermits taken, KnownWindows windows, long requestedNanos,
			long startNanos, long endNanos, long renewNanos, long renewLeft, long left) {
		this.permits = permits;
		this.number = number;
		this.taken = taken;
		this.windows = windows;
		this.requestedNanos = requestedNanos;
		this.startNanos = startNanos;
		this.endNanos = endNanos;
		this.renewNanos = renewNanos;
		this.renewLeft = renewLeft;
		this.left = left;
	}

	/**
	 * Create a lease of permits that were granted to a request.
	 * @param terms for how long the permits may be spent
	 * @param spent how many of them the request spends at once
	 */
	static Lease granted(long number, AcquiredPermits taken, List<Usage> usage, long requestedNanos, long startNanos,
			LeaseTerms terms, long spent) {
		long permits = taken.request().cost();
		long life = terms.lifeNanos(usage);
		KnownWindows windows = KnownWindows.admitting(terms.limit(), List.copyOf(usage), List.of(number));
		return new Lease(permits, number, taken, windows, requestedNanos, startNanos, requestedNanos + life,
				requestedNanos + terms.renewNanos(life), terms.renewLeft(permits), permits - spent);
	}

	/** Create an empty lease, for a subject without any request to the store so far. */
	static Lease ofNothing(AcquireRequest never, long nowNanos) {
		KnownWindows none = KnownWindows.admitting(never.limit(), List.of(), List.of());
		return new Lease(0, 0, new AcquiredPermits(never), none, nowNanos, nowNanos, nowNanos, nowNanos, -1, 0);
	}

	long number() {
		return this.number;
	}

	long permits() {
		return this.permits;
	}

	/** How many permits are left, even if it is over. */
	long left() {
		return this.left;
	}

	/** How many permits may still be spent. */
	long left(long nowNanos) {
		return isOver(nowNanos) ? 0 : this.left;
	}

	long requestedNanos() {
		return this.requestedNanos;
	}

	boolean isOver(long nowNanos) {
		return nowNanos - this.endNanos >= 0;
	}

	/**
	 * Whether to renew it ahead of the request that will find too little left. A lease
	 * that nearly ends with more than half of its permits left is not in demand.
	 * @param cost how many permits a request needs
	 * @param nowNanos the time
	 */
	boolean isToRenew(long cost, long nowNanos) {
		if (this.renewLeft < 0) {
			return false;
		}
		long left = this.left;
		return left <= this.renewLeft || left < cost || (nowNanos - this.renewNanos >= 0 && left <= this.permits / 2);
	}

	/**
	 * Spend permits.
	 * @param cost how many
	 * @param nowNanos the instant of the admission
	 * @return whether that many permits were left, and the lease was valid at that
	 * instant
	 */
	boolean trySpend(long cost, long nowNanos) {
		if (nowNanos - this.startNanos < 0 || isOver(nowNanos)) {
			return false;
		}
		long before = this.left;
		while (before >= cost) {
			if (LEFT.compareAndSet(this, before, before - cost)) {
				return true;
			}
			before = this.left;
		}
		return false;
	}

	/** Return spent permits to this lease, as if they had not been spent. */
	void unspend(long cost) {
		LEFT.addAndGet(this, cost);
	}

	/**
	 * Take out what is left, to release it in the store. The permits of a log have names;
	 * those with the first names are taken, because all are alike.
	 * @return the permits to release; empty if nothing is left
	 */
	List<AcquiredPermits> takeLeft() {
		long rest = LEFT.getAndSet(this, 0);
		AcquireRequest request = this.taken.request();
		return (rest == 0) ? List.of() : List.of(new AcquiredPermits(request.of(rest), this.taken.receipts()));
	}

	/**
	 * An admission from this lease, with the state of the windows if no other request has
	 * reached the store since the grant.
	 * @param nowNanos the time
	 * @return an admission with an estimate; its receipt is the number of the lease
	 */
	EstimatedWindows admission(long nowNanos) {
		return new EstimatedWindows(this.windows, this.left, (nowNanos - this.requestedNanos) / 1000);
	}

}
