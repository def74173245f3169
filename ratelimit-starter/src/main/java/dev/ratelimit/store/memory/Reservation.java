package dev.ratelimit.store.memory;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.Usage;

/**
 * Takes permits ahead: as many as are wanted, but no more than half of what is left in
 * any window, so that whoever asks next finds some; and never less than the cost. The
 * twin of {@code Reservation.lua}, and the oracle that script is tested against.
 */
final class Reservation {

	/** Is above every threshold: nothing is taken, and the answer tells what is left. */
	private static final long TOO_MUCH = 1_000_000_000_000_000L;

	private Reservation() {
	}

	static Answer ask(SubjectState state, Question question, long nowMicros) {
		String id = question.permit().text();
		long room = Long.MAX_VALUE;
		for (Usage usage : usage(state.ask(question.limit(), id, TOO_MUCH, nowMicros))) {
			room = Math.min(room, usage.remaining());
		}
		long permits = Math.max(question.cost(), Math.min(question.wanted(), room / 2));
		Answer answer = state.ask(question.limit(), id, permits, nowMicros);
		return (answer instanceof Answer.Admitted admitted)
				? new Answer.Reserved(admitted.usage(), admitted.receipts(), permits) : answer;
	}

	private static Iterable<Usage> usage(Answer answer) {
		return (answer instanceof Answer.Refused refused) ? refused.usage() : ((Answer.Admitted) answer).usage();
	}

}
