package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.Taken;
import dev.ratelimit.store.Usage;

/**
 * A question on its way to the store.
 */
abstract class Asked {

	private final int place;

	private final Question question;

	private Asked(int place, Question question) {
		this.place = place;
		this.question = question;
	}

	/** A question that has nothing to do with leases. */
	static Asked strictly(int place, Question question) {
		return new Strictly(place, question);
	}

	/**
	 * A question of a leased rule.
	 * @param place its place among the questions of the request
	 * @param question what the request asks
	 * @param terms the terms of its limit
	 * @param holding what its subject has; empty if nobody can remember more
	 * @param leases all leases
	 * @param nowNanos the time
	 * @return what the store is asked, for more than the request needs if nobody else
	 * does
	 */
	static Asked of(int place, Question question, Terms terms, Optional<Holding> holding, Leases leases,
			long nowNanos) {
		Question needed = new Question(terms.asked(), question.subject(), question.cost(), question.permit());
		if (holding.isEmpty() || !holding.get().beginToRenew()) {
			return new ForItself(place, needed, terms, holding, nowNanos);
		}
		long wanted = terms.wanted(holding.get().lease(), question.cost(), nowNanos);
		return new Ahead(place,
				new Question(terms.asked(), question.subject(), question.cost(), question.permit(), wanted), terms,
				holding.get(), leases, nowNanos);
	}

	final int place() {
		return this.place;
	}

	final Question question() {
		return this.question;
	}

	/**
	 * Take the store's answer.
	 * @param answer the answer
	 * @return the answer to the request
	 */
	abstract Answer answered(Answer answer);

	/** Follows, whether there was an answer or not. */
	void end() {
	}

	private static final class Strictly extends Asked {

		Strictly(int place, Question question) {
			super(place, question);
		}

		@Override
		Answer answered(Answer answer) {
			return answer;
		}

	}

	private static class ForItself extends Asked {

		final Terms terms;

		private final Optional<Holding> holding;

		final long askedNanos;

		ForItself(int place, Question question, Terms terms, Optional<Holding> holding, long askedNanos) {
			super(place, question);
			this.terms = terms;
			this.holding = holding;
			this.askedNanos = askedNanos;
		}

		@Override
		Answer answered(Answer answer) {
			if (answer instanceof Answer.Refused refused) {
				this.holding.ifPresent((held) -> held
					.refused(Refusal.of(question().cost(), refused.usage(), this.askedNanos, this.terms)));
			}
			return (answer instanceof Answer.Admitted admitted)
					? new Answer.Admitted(admitted.usage(), Receipts.ofStore(admitted.receipts())) : answer;
		}

	}

	private static final class Ahead extends ForItself {

		private final Holding renewed;

		private final Leases leases;

		Ahead(int place, Question question, Terms terms, Holding holding, Leases leases, long askedNanos) {
			super(place, question, terms, Optional.of(holding), askedNanos);
			this.renewed = holding;
			this.leases = leases;
		}

		@Override
		Answer answered(Answer answer) {
			if (answer instanceof Answer.Reserved reserved) {
				return granted(reserved.usage(), reserved.receipts(), reserved.permits());
			}
			return (answer instanceof Answer.Admitted admitted)
					? granted(admitted.usage(), admitted.receipts(), question().cost()) : super.answered(answer);
		}

		private Answer granted(List<Usage> usage, List<Long> receipts, long permits) {
			Lease lease = Lease.granted(this.leases.nextNumber(), new Taken(question().of(permits), receipts), usage,
					this.askedNanos, this.leases.nanoTime(), this.askedNanos + this.terms.lifeNanos(usage),
					question().cost());
			this.leases.giveBack(this.renewed.replace(lease));
			return new Answer.Admitted(lease.usage(this.askedNanos), Receipts.ofLease(lease.number()));
		}

		@Override
		void end() {
			this.renewed.renewed();
		}

	}

}
