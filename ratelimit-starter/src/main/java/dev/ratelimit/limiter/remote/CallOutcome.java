package dev.ratelimit.limiter.remote;

import dev.ratelimit.store.AcquireResult;

/**
 * What a result reveals about its shard. Tested by {@code RemoteStoreBreakerTests}.
 */
enum CallOutcome {

	/** The shard responds. */
	ALIVE,

	/** Nothing, because the shard was not called. */
	NONE,

	/** The shard failed. */
	FAILED;

	static CallOutcome of(AcquireResult result) {
		if (result instanceof AcquireResult.Failed failed) {
			return switch (failed.failure()) {
				case ERROR -> ALIVE;
				case OVERLOADED -> NONE;
				case TIMEOUT, UNREACHABLE, EXHAUSTED, UNAVAILABLE, NOT_PERMITTED, CIRCUIT_OPEN -> FAILED;
			};
		}
		return ALIVE;
	}

}
