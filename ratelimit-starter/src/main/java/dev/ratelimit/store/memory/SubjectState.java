package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * The state of one rule and subject: the twin of what a script keeps under one key. Not
 * safe for concurrent use. Tested by {@code StoreContractTests}.
 */
interface SubjectState {

	/** Create the state of a subject that has used nothing. */
	static SubjectState of(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW_LOG -> new SlidingWindowLog();
			case SLIDING_WINDOW_COUNTER -> new CountedWindows<>(SlidingWindowCounter.UNUSED);
			case FIXED_WINDOW -> new CountedWindows<>(FixedWindow.UNUSED);
			case TOKEN_BUCKET ->
				(limit.refill() == Refill.INTERVAL) ? new CountedWindows<>(IntervalBucket.UNUSED) : new FlowingBucket();
			case LEAKY_BUCKET -> new FlowingBucket();
		};
	}

	/**
	 * Decide a request.
	 * @param request the request
	 * @param nowMicros the time of the decision
	 * @return the result
	 */
	default AcquireResult acquire(AcquireRequest request, long nowMicros) {
		if (request.turn().isPresent()) {
			return acquireTurn(request, request.turn().get(), nowMicros);
		}
		return request.isAhead() ? Reservation.acquire(this, request, nowMicros)
				: acquire(request.limit(), request.permit().text(), request.cost(), nowMicros);
	}

	/** Give a request a turn. A request that can be delayed has a state that does. */
	default AcquireResult acquireTurn(AcquireRequest request, WaitRange wait, long nowMicros) {
		throw new IllegalStateException("Nothing here gives turns: " + request.limit());
	}

	/**
	 * Decide, and take the permits if all windows have room.
	 * @param limit the limit
	 * @param id the name of the permits
	 * @param cost the number of permits
	 * @param nowMicros the time of the decision
	 * @return admitted or refused
	 */
	AcquireResult acquire(Limit limit, String id, long cost, long nowMicros);

	/**
	 * Report the usage, and change nothing.
	 * @param limit the limit
	 * @param nowMicros the time
	 * @return the usage that a request for one permit would get
	 */
	List<Usage> peek(Limit limit, long nowMicros);

	/**
	 * Release the permits of a request.
	 * @param request the request
	 * @param cost the number of permits
	 * @param receipts the receipts of the admission
	 * @return whether the permits could be identified
	 */
	default boolean release(AcquireRequest request, long cost, List<Long> receipts) {
		return release(request.limit(), SlidingWindowLogTurn.id(request), cost, receipts);
	}

	/**
	 * Release permits.
	 * @param limit the limit
	 * @param id the name of the permits
	 * @param cost the number of permits
	 * @param receipts the receipts of the admission
	 * @return whether the permits could be identified
	 */
	boolean release(Limit limit, String id, long cost, List<Long> receipts);

	/**
	 * Whether nothing is left that could matter.
	 * @param nowMicros the time
	 * @return whether this can be dropped
	 */
	boolean isIdle(long nowMicros);

}
