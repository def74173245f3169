package dev.ratelimit.limiter.source;

import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.ReleaseResult;

/**
 * What became of permits that their owner was to release.
 */
public sealed interface Released {

	/**
	 * All of them were released on this instance, or are lost.
	 *
	 * @param result the result for all of them
	 */
	record Here(ReleaseResult result) implements Released {
	}

	/**
	 * The store counts some of them, and has to release these.
	 *
	 * @param permits the permits that the store counts
	 */
	record InStore(AcquiredPermits permits) implements Released {
	}

}
