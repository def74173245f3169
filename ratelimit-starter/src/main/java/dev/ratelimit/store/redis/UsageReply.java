package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * The reply of a script that takes permits: three numbers per window, followed by the
 * receipts that all windows share. The last number is the number of permits if they were
 * taken ahead, or the time until the turn if the request can wait. Tested by
 * {@code StoreContractTests}.
 */
final class UsageReply {

	private static final int NUMBERS_PER_WINDOW = 3;

	/** A wait that never ends, as encoded in the reply. */
	private static final long NEVER = -1;

	private UsageReply() {
	}

	/**
	 * Read a reply.
	 * @param reply the reply as converted by the driver
	 * @param request the request
	 * @param scoped whether a module counts its limit
	 * @return the result, which is a failure if the reply does not come from our scripts
	 */
	static AcquireResult read(Object reply, AcquireRequest request, boolean scoped) {
		Limit limit = request.limit();
		int behind = (request.isAhead() || request.turn().isPresent() || scoped) ? 1 : 0;
		if (!(reply instanceof List<?> numbers) || numbers.size() < limit.size() * NUMBERS_PER_WINDOW + behind
				|| !areAllNumbers(numbers)) {
			return new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);
		}
		Usage[] windows = new Usage[limit.size()];
		boolean named = limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
		List<Long> receipts = List.of();
		boolean refused = false;
		for (int i = 0; i < windows.length; i++) {
			int first = i * NUMBERS_PER_WINDOW;
			long third = number(numbers, first + 2);
			if (third < NEVER && !named) {
				receipts = with(receipts, -third);
			}
			windows[i] = new Usage(number(numbers, first), number(numbers, first + 1), retry(third),
					(third < NEVER && named) ? NEVER - third : 0);
			refused |= windows[i].refuses();
		}
		for (int i = windows.length * NUMBERS_PER_WINDOW; i < numbers.size() - behind; i++) {
			receipts = with(receipts, number(numbers, i));
		}
		List<Usage> usage = List.of(windows);
		if (refused) {
			return new AcquireResult.Refused(usage);
		}
		if (request.isAhead()) {
			return new AcquireResult.Reserved(usage, receipts, number(numbers, numbers.size() - 1));
		}
		if (request.turn().isPresent()) {
			return new AcquireResult.Turn(usage, receipts, number(numbers, numbers.size() - 1));
		}
		return new AcquireResult.Admitted(usage, receipts);
	}

	/** The last number of a decision. */
	static long last(List<?> numbers) {
		return number(numbers, numbers.size() - 1);
	}

	private static boolean areAllNumbers(List<?> reply) {
		for (int i = 0; i < reply.size(); i++) {
			if (!(reply.get(i) instanceof Long)) {
				return false;
			}
		}
		return true;
	}

	/** A log has no receipts, and most of the others have one. */
	private static List<Long> with(List<Long> receipts, long another) {
		if (receipts.isEmpty()) {
			return List.of(another);
		}
		List<Long> all = new ArrayList<>(receipts);
		all.add(another);
		return all;
	}

	private static long number(List<?> numbers, int index) {
		return (Long) numbers.get(index);
	}

	/**
	 * Below {@link #NEVER} it is a negated receipt or, for a log, the time of the next
	 * permit; there is no wait.
	 */
	private static long retry(long third) {
		if (third == NEVER) {
			return Usage.NEVER;
		}
		return Math.max(0, third);
	}

}
