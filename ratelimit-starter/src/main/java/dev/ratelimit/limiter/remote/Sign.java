package dev.ratelimit.limiter.remote;

import dev.ratelimit.store.Answer;

/**
 * What an answer says of its shard.
 */
enum Sign {

	/** It is there. */
	ALIVE,

	/** Nothing: it was not called. */
	NONE,

	/** It failed. */
	FAILED;

	static Sign of(Answer answer) {
		if (answer instanceof Answer.Failed failed) {
			return switch (failed.failure()) {
				case ERROR -> ALIVE;
				case OVERLOADED -> NONE;
				case TIMEOUT, UNREACHABLE, EXHAUSTED, UNAVAILABLE, NOT_PERMITTED, CIRCUIT_OPEN -> FAILED;
			};
		}
		return ALIVE;
	}

}
