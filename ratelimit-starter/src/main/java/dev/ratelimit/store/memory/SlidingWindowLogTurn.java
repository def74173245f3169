package dev.ratelimit.store.memory;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * Gives turns: the earliest instant, now or later, at which a sliding-window log has room
 * for a request, and not before the turns that others were given. The twin of
 * {@code SlidingWindowLogTurn.lua}, and the oracle that script is tested against.
 */
final class SlidingWindowLogTurn {

	/** Behind the id of permits that have a turn. */
	static final String MARK = "~";

	private SlidingWindowLogTurn() {
	}

	static Answer ask(SlidingWindowLog log, Question question, WaitRange wait, long nowMicros) {
		Limit limit = question.limit();
		String id = id(question);
		log.see(limit, nowMicros);
		OptionalLong turn = log.timeOf(id, nowMicros);
		if (turn.isEmpty() || turn.getAsLong() < nowMicros + wait.notBeforeMicros()) {
			turn = earliest(log, question, nowMicros + wait.notBeforeMicros());
			long delay = turn.isPresent() ? turn.getAsLong() - nowMicros : Usage.NEVER;
			if (delay > wait.notAfterMicros() || !hasPlace(log, question.cost(), wait, delay, nowMicros)) {
				return new Answer.Refused(log.usage(limit, Collections.nCopies(limit.size(), delay), nowMicros));
			}
			log.giveTurn(limit, id, question.cost(), turn.getAsLong(), nowMicros);
		}
		List<Usage> usage = log.usage(limit, Collections.nCopies(limit.size(), 0L), nowMicros);
		return new Answer.Turn(usage, List.of(), Math.max(0, turn.getAsLong() - nowMicros));
	}

	/** Whoever waits is taken to have asked for as many permits. */
	private static boolean hasPlace(SlidingWindowLog log, long cost, WaitRange wait, long delayMicros, long nowMicros) {
		return delayMicros == 0 || log.countAfter(nowMicros) / cost < wait.maxQueue();
	}

	/** The name of the permits of a question. */
	static String id(Question question) {
		return question.permit().text() + (question.turn().isPresent() ? MARK : "");
	}

	private static OptionalLong earliest(SlidingWindowLog log, Question question, long notBeforeMicros) {
		Limit limit = question.limit();
		long at = Math.max(notBeforeMicros, log.microsFromNewest(0).orElse(0));
		for (int i = 0; i < limit.size(); i++) {
			if (question.cost() > limit.count(i)) {
				return OptionalLong.empty();
			}
			OptionalLong leaves = log.microsFromNewest((int) (limit.count(i) - question.cost()));
			if (leaves.isPresent()) {
				at = Math.max(at, leaves.getAsLong() + limit.windowMicros(i));
			}
		}
		return OptionalLong.of(at);
	}

}
