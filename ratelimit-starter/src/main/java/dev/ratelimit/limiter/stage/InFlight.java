package dev.ratelimit.limiter.stage;

import dev.ratelimit.store.AcquireResult;

/**
 * What a source expects of a call of the store.
 */
@FunctionalInterface
public interface InFlight {

	/**
	 * The call has ended. Called once, also if the call failed.
	 * @param slot the slot of the request, which contains the result of the store and may
	 * be answered otherwise
	 * @param result the result of the store
	 * @param nowNanos the time on the monotonic clock
	 */
	void landed(Slot slot, AcquireResult result, long nowNanos);

}
