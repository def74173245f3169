package dev.ratelimit.store.memory;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Usage;

/**
 * Takes permits ahead: as many as are wanted, but no more than half of what is left in
 * any window, so that the next caller finds some; and never less than the cost. The twin
 * of {@code Ahead.lua}, and the oracle that script is tested against. Tested by
 * {@code StoreContractTests}.
 */
final class Reservation {

	private Reservation() {
	}

	static AcquireResult acquire(SubjectState state, AcquireRequest request, long nowMicros) {
		String id = request.permit().text();
		long room = Long.MAX_VALUE;
		for (Usage usage : state.peek(request.limit(), nowMicros)) {
			room = Math.min(room, usage.remaining());
		}
		long permits = Math.max(request.cost(), Math.min(request.wanted(), room / 2));
		AcquireResult result = state.acquire(request.limit(), id, permits, nowMicros);
		return (result instanceof AcquireResult.Admitted admitted)
				? new AcquireResult.Reserved(admitted.usage(), admitted.receipts(), permits) : result;
	}

}
