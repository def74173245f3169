package dev.ratelimit.limiter.lease;

import java.util.List;

import dev.ratelimit.limiter.source.InFlight;
import dev.ratelimit.limiter.source.RepeatedRefusal;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Awaits the permits of a leased rule that a request has acquired for itself. Tested by
 * {@code LeaseRenewalsTests}.
 */
class InFlightLease implements InFlight {

	final LeaseTerms terms;

	private final @Nullable SubjectLease subjectLease;

	final long requestedNanos;

	/**
	 * Create it before the request is sent.
	 * @param terms the terms of its limit
	 * @param subjectLease the lease of its subject; {@code null} if no more subjects can
	 * be stored
	 * @param requestedNanos a time before the store is called
	 */
	InFlightLease(LeaseTerms terms, @Nullable SubjectLease subjectLease, long requestedNanos) {
		this.terms = terms;
		this.subjectLease = subjectLease;
		this.requestedNanos = requestedNanos;
	}

	@Override
	public void landed(Slot slot, AcquireResult result, long nowNanos) {
		if (this.subjectLease != null && result instanceof AcquireResult.Refused refused) {
			this.subjectLease.refused(RepeatedRefusal.of(this.terms.limit(), slot.counted().cost(), refused.usage(),
					this.requestedNanos, this.terms.hold(), this.terms.life().plus(this.terms.hold())));
		}
	}

	/**
	 * Awaits permits that were acquired ahead, and makes them the next lease. One call
	 * per subject does so at a time.
	 */
	static final class Ahead extends InFlightLease {

		private final SubjectLease renewed;

		private final Leases leases;

		private final long spent;

		private final long spentBefore;

		/**
		 * Create it before the request is sent.
		 * @param terms the terms of its limit
		 * @param subjectLease receives the lease
		 * @param leases receives what is left of an older lease
		 * @param requestedNanos a time before the store is called
		 * @param spent how many of the permits the request spends at once
		 */
		Ahead(LeaseTerms terms, SubjectLease subjectLease, Leases leases, long requestedNanos, long spent) {
			super(terms, subjectLease, requestedNanos);
			this.renewed = subjectLease;
			this.leases = leases;
			this.spent = spent;
			this.spentBefore = subjectLease.spent();
		}

		@Override
		public void landed(Slot slot, AcquireResult result, long nowNanos) {
			try {
				if (result instanceof AcquireResult.Reserved reserved) {
					granted(slot, reserved.usage(), reserved.receipts(), reserved.permits(), nowNanos);
				}
				else if (result instanceof AcquireResult.Admitted admitted) {
					granted(slot, admitted.usage(), admitted.receipts(), slot.counted().cost(), nowNanos);
				}
				else {
					super.landed(slot, result, nowNanos);
				}
			}
			finally {
				this.renewed.renewed();
			}
		}

		private void granted(Slot slot, List<Usage> usage, List<Long> receipts, long permits, long nowNanos) {
			Lease lease = Lease.granted(this.leases.nextNumber(),
					new AcquiredPermits(slot.counted().of(permits), receipts), usage, this.requestedNanos, nowNanos,
					this.terms, this.spent);
			this.leases.enqueueRelease(this.renewed.add(lease, this.spentBefore));
			slot.answer(lease.admission(this.requestedNanos), slot.source(), this.leases);
		}

	}

}
