package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * The reply of a script that takes permits: three numbers per window.
 */
final class UsageReply {

	private static final int NUMBERS_PER_WINDOW = 3;

	private UsageReply() {
	}

	/**
	 * Read a reply.
	 * @param reply what the driver made of it
	 * @param limit the limit that was asked about
	 * @return the answer, which is a failure if that is no reply of our scripts
	 */
	static Answer read(Object reply, Limit limit) {
		if (!(reply instanceof List<?> numbers) || numbers.size() != limit.size() * NUMBERS_PER_WINDOW
				|| !numbers.stream().allMatch(Long.class::isInstance)) {
			return new Answer.Failed(StoreFailure.ERROR, true);
		}
		List<Usage> usage = new ArrayList<>(limit.size());
		boolean refused = false;
		for (int i = 0; i < numbers.size(); i += NUMBERS_PER_WINDOW) {
			Usage window = new Usage(number(numbers, i), number(numbers, i + 1), retry(number(numbers, i + 2)));
			refused |= window.refuses();
			usage.add(window);
		}
		return refused ? new Answer.Refused(usage) : new Answer.Admitted(usage);
	}

	private static long number(List<?> numbers, int index) {
		return (Long) numbers.get(index);
	}

	/** On the wire, a negative wait is one that never ends. */
	private static long retry(long waitMicros) {
		return (waitMicros < 0) ? Usage.NEVER : waitMicros;
	}

}
