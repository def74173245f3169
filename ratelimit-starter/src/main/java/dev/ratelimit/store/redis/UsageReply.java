package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * The reply of a script that takes permits: three numbers per window, and behind them
 * what receipts all windows share; last of all, where permits were taken ahead, their
 * number, and where somebody can wait, the time until the turn.
 */
final class UsageReply {

	private static final int NUMBERS_PER_WINDOW = 3;

	/** On the wire, a wait that never ends. */
	private static final long NEVER = -1;

	private UsageReply() {
	}

	/**
	 * Read a reply.
	 * @param reply what the driver made of it
	 * @param question what was asked
	 * @return the answer, which is a failure if that is no reply of our scripts
	 */
	static Answer read(Object reply, Question question) {
		Limit limit = question.limit();
		int behind = (question.isAhead() || question.turn().isPresent()) ? 1 : 0;
		if (!(reply instanceof List<?> numbers) || numbers.size() < limit.size() * NUMBERS_PER_WINDOW + behind
				|| !numbers.stream().allMatch(Long.class::isInstance)) {
			return new Answer.Failed(StoreFailure.ERROR, Answer.Fate.UNKNOWN);
		}
		List<Usage> usage = new ArrayList<>(limit.size());
		List<Long> receipts = new ArrayList<>(0);
		boolean refused = false;
		int end = limit.size() * NUMBERS_PER_WINDOW;
		for (int i = 0; i < end; i += NUMBERS_PER_WINDOW) {
			long third = number(numbers, i + 2);
			if (third < NEVER) {
				receipts.add(-third);
			}
			Usage window = new Usage(number(numbers, i), number(numbers, i + 1), retry(third));
			refused |= window.refuses();
			usage.add(window);
		}
		for (int i = end; i < numbers.size() - behind; i++) {
			receipts.add(number(numbers, i));
		}
		if (question.isAhead() && !refused) {
			return new Answer.Reserved(usage, receipts, number(numbers, numbers.size() - 1));
		}
		if (question.turn().isPresent() && !refused) {
			return new Answer.Turn(usage, receipts, number(numbers, numbers.size() - 1));
		}
		return refused ? new Answer.Refused(usage) : new Answer.Admitted(usage, receipts);
	}

	private static long number(List<?> numbers, int index) {
		return (Long) numbers.get(index);
	}

	/** Below {@link #NEVER} it is a receipt, turned negative, and there is no wait. */
	private static long retry(long third) {
		if (third == NEVER) {
			return Usage.NEVER;
		}
		return Math.max(0, third);
	}

}
