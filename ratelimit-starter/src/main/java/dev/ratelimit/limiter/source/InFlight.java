package dev.ratelimit.limiter.source;

import dev.ratelimit.store.AcquireResult;

/**
 * Awaits the result of the store for one request of a source.
 */
@FunctionalInterface
public interface InFlight {

	/**
	 * The call has ended. Called once for each request that was
	 * {@linkplain Slot#deferToStore deferred}, also if the store was not called or has
	 * thrown.
	 * @param slot the slot of the request, which contains the result and may be answered
	 * otherwise
	 * @param result the result of the store
	 * @param nowNanos the time on the monotonic clock
	 */
	void landed(Slot slot, AcquireResult result, long nowNanos);

}
