package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Usage;

/**
 * A request that is sent to the store.
 */
abstract class LeaseRequest {

	private final int place;

	private final AcquireRequest request;

	private LeaseRequest(int place, AcquireRequest request) {
		this.place = place;
		this.request = request;
	}

	/** Create a request that does not use leases. */
	static LeaseRequest strictly(int place, AcquireRequest request) {
		return new Strictly(place, request);
	}

	/**
	 * Create a request of a leased rule.
	 * @param place its index among the requests of the call
	 * @param request the original request
	 * @param terms the terms of its limit
	 * @param subjectLease the lease of its subject; empty if no more subjects can be
	 * stored
	 * @param leases all leases
	 * @param nowNanos the time
	 * @return the request for the store; it acquires permits ahead if no other request is
	 * doing so
	 */
	static LeaseRequest of(int place, AcquireRequest request, LeaseTerms terms, Optional<SubjectLease> subjectLease,
			Leases leases, long nowNanos) {
		AcquireRequest needed = new AcquireRequest(terms.asked(), request.subject(), request.cost(), request.permit());
		if (subjectLease.isEmpty() || !subjectLease.get().beginToRenew()) {
			return new ForItself(place, needed, terms, subjectLease, nowNanos);
		}
		long wanted = terms.wanted(subjectLease.get().lease(), request.cost(), nowNanos);
		return new Ahead(place,
				new AcquireRequest(terms.asked(), request.subject(), request.cost(), request.permit(), wanted), terms,
				subjectLease.get(), leases, nowNanos);
	}

	final int place() {
		return this.place;
	}

	final AcquireRequest request() {
		return this.request;
	}

	/**
	 * Process the result of the store.
	 * @param result the result of the store
	 * @return the result for the request
	 */
	abstract AcquireResult answered(AcquireResult result);

	/** Called last, whether or not there was a result. */
	void end() {
	}

	private static final class Strictly extends LeaseRequest {

		Strictly(int place, AcquireRequest request) {
			super(place, request);
		}

		@Override
		AcquireResult answered(AcquireResult result) {
			return result;
		}

	}

	private static class ForItself extends LeaseRequest {

		final LeaseTerms terms;

		private final Optional<SubjectLease> subjectLease;

		final long askedNanos;

		ForItself(int place, AcquireRequest request, LeaseTerms terms, Optional<SubjectLease> subjectLease,
				long askedNanos) {
			super(place, request);
			this.terms = terms;
			this.subjectLease = subjectLease;
			this.askedNanos = askedNanos;
		}

		@Override
		AcquireResult answered(AcquireResult result) {
			if (result instanceof AcquireResult.Refused refused) {
				this.subjectLease.ifPresent((held) -> held
					.refused(LeaseRefusal.of(request().cost(), refused.usage(), this.askedNanos, this.terms)));
			}
			return (result instanceof AcquireResult.Admitted admitted)
					? new AcquireResult.Admitted(admitted.usage(), LeaseReceipts.ofStore(admitted.receipts())) : result;
		}

	}

	private static final class Ahead extends ForItself {

		private final SubjectLease renewed;

		private final Leases leases;

		Ahead(int place, AcquireRequest request, LeaseTerms terms, SubjectLease subjectLease, Leases leases,
				long askedNanos) {
			super(place, request, terms, Optional.of(subjectLease), askedNanos);
			this.renewed = subjectLease;
			this.leases = leases;
		}

		@Override
		AcquireResult answered(AcquireResult result) {
			if (result instanceof AcquireResult.Reserved reserved) {
				return granted(reserved.usage(), reserved.receipts(), reserved.permits());
			}
			return (result instanceof AcquireResult.Admitted admitted)
					? granted(admitted.usage(), admitted.receipts(), request().cost()) : super.answered(result);
		}

		private AcquireResult granted(List<Usage> usage, List<Long> receipts, long permits) {
			Lease lease = Lease.granted(this.leases.nextNumber(), new AcquiredPermits(request().of(permits), receipts),
					usage, this.askedNanos, this.leases.nanoTime(), this.askedNanos + this.terms.lifeNanos(usage),
					request().cost());
			this.leases.release(this.renewed.replace(lease));
			return new AcquireResult.Admitted(lease.usage(this.askedNanos), LeaseReceipts.ofLease(lease.number()));
		}

		@Override
		void end() {
			this.renewed.renewed();
		}

	}

}
