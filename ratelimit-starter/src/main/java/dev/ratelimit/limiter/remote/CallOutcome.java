package dev.ratelimit.limiter.remote;

import dev.ratelimit.store.AcquireResult;

/**
 * What an answer says of its shard.
 */
enum CallOutcome {

	/** It is there. */
	ALIVE,

	/** Nothing: it was not called. */
	NONE,

	/** It failed. */
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
