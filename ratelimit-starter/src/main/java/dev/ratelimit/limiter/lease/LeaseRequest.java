package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Usage;

/**
 * A question on its way to the store.
 */
abstract class LeaseRequest {

	private final int place;

	private final AcquireRequest request;

	private LeaseRequest(int place, AcquireRequest request) {
		this.place = place;
		this.request = request;
	}

	/** A question that has nothing to do with leases. */
	static LeaseRequest strictly(int place, AcquireRequest request) {
		return new Strictly(place, request);
	}

	/**
	 * A question of a leased rule.
	 * @param place its place among the questions of the request
	 * @param request what the request asks
	 * @param terms the terms of its limit
	 * @param subjectLease what its subject has; empty if nobody can remember more
	 * @param leases all leases
	 * @param nowNanos the time
	 * @return what the store is asked, for more than the request needs if nobody else
	 * does
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
	 * Take the store's answer.
	 * @param result the answer
	 * @return the answer to the request
	 */
	abstract AcquireResult answered(AcquireResult result);

	/** Follows, whether there was an answer or not. */
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
