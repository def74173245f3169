package dev.ratelimit.datacenters;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.spi.RedisScripts.Reply;

/**
 * What one data centre reports to another about a client: eight numbers per window, in
 * the order of the windows. {@code PooledWindowExchange.lua} documents them. Tested by
 * {@code SharedPoolsTests}.
 *
 * @param windows the numbers per window, as they are passed on
 * @param isNeeded whether there is something to report
 */
record PoolMessage(List<List<Long>> windows, boolean isNeeded) {

	private static final int NUMBERS = 8;

	private static final int THRESHOLD = 5;

	private static final int SHARE = 6;

	private static final int BOUND = 7;

	/** Read the message to another one. One more number per window is not sent. */
	static Optional<PoolMessage> read(Reply reply) {
		return of(reply, NUMBERS + 1);
	}

	/** Read what another data centre has replied. */
	static Optional<PoolMessage> replied(Reply reply) {
		return of(reply, NUMBERS);
	}

	/**
	 * Whether the other data centre divides a threshold in another way, as far as both
	 * have decided the client lately. Without a pool, shares differ by the remainder of
	 * the division.
	 */
	boolean differsFrom(PoolMessage other) {
		for (int i = 0; i < Math.min(this.windows.size(), other.windows.size()); i++) {
			List<Long> here = this.windows.get(i);
			List<Long> there = other.windows.get(i);
			boolean areKnown = here.get(THRESHOLD) > 0 && there.get(THRESHOLD) > 0;
			boolean areSame = here.get(THRESHOLD).equals(there.get(THRESHOLD))
					&& here.get(BOUND).equals(there.get(BOUND))
					&& (here.get(BOUND) == 0 || here.get(SHARE).equals(there.get(SHARE)));
			if (areKnown && !areSame) {
				return true;
			}
		}
		return false;
	}

	private static Optional<PoolMessage> of(Reply reply, int perWindow) {
		return reply.list()
			.filter((list) -> !list.isEmpty() && list.size() % perWindow == 0
					&& list.stream().allMatch(Long.class::isInstance))
			.map((list) -> of(list, perWindow));
	}

	private static PoolMessage of(List<?> reply, int perWindow) {
		List<Long> numbers = reply.stream().map(Long.class::cast).toList();
		List<List<Long>> windows = new ArrayList<>();
		boolean isNeeded = false;
		for (int i = 0; i < numbers.size(); i += perWindow) {
			windows.add(numbers.subList(i, i + NUMBERS));
			isNeeded |= perWindow > NUMBERS && numbers.get(i + NUMBERS) > 0;
		}
		return new PoolMessage(windows, isNeeded);
	}

}
