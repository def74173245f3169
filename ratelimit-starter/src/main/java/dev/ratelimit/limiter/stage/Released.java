package dev.ratelimit.limiter.stage;

import java.util.Optional;

import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.ReleaseResult;

/**
 * What became of permits that were released on this instance.
 *
 * @param result the result for all of them, if the store has to release none
 * @param rest the permits that the store has to release
 */
public record Released(ReleaseResult result, Optional<AcquiredPermits> rest) {

	/**
	 * All permits were released on this instance.
	 * @param result the result
	 * @return the result for all permits
	 */
	public static Released here(ReleaseResult result) {
		return new Released(result, Optional.empty());
	}

	/**
	 * The store has to release permits.
	 * @param rest the permits
	 * @return a result that the store has to complete
	 */
	public static Released inStore(AcquiredPermits rest) {
		return new Released(ReleaseResult.AWAITED, Optional.of(rest));
	}

}
