package dev.ratelimit.store.redis.datacenter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.NodeCall;

/**
 * What one data centre reports to another about a client: eight numbers per window, in
 * the order of the windows. {@code PooledWindowExchange.lua} documents them.
 *
 * @param windows the numbers per window, as they are passed on
 * @param unacknowledged how many permits the other one has not acknowledged
 * @param isNeeded whether there is something to report
 */
record Messages(List<List<Long>> windows, long unacknowledged, boolean isNeeded) {

	private static final int NUMBERS = 8;

	/** Read the message to another one. Two more numbers per window are not sent. */
	static Optional<Messages> read(ScriptCall call) {
		return of(call, NUMBERS + 2);
	}

	/** Read what another data centre has replied. */
	static Optional<Messages> replied(ScriptCall call) {
		return of(call, NUMBERS);
	}

	private static Optional<Messages> of(ScriptCall call, int perWindow) {
		if (!(call.outcome() instanceof NodeCall.Replied replied) || !(replied.reply() instanceof List<?> reply)
				|| reply.isEmpty() || reply.size() % perWindow > 0
				|| !reply.stream().allMatch(Long.class::isInstance)) {
			return Optional.empty();
		}
		List<Long> numbers = reply.stream().map(Long.class::cast).toList();
		List<List<Long>> windows = new ArrayList<>();
		long unacknowledged = 0;
		boolean isNeeded = false;
		for (int i = 0; i < numbers.size(); i += perWindow) {
			windows.add(numbers.subList(i, i + NUMBERS));
			if (perWindow > NUMBERS) {
				unacknowledged += Math.max(0, numbers.get(i + NUMBERS));
				isNeeded |= numbers.get(i + NUMBERS + 1) > 0;
			}
		}
		return Optional.of(new Messages(windows, unacknowledged, isNeeded));
	}

}
