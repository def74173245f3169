package dev.ratelimit.store;

/**
 * Why a store could not answer.
 */
public enum StoreFailure {

	/** It did not answer in time. */
	TIMEOUT,

	/** It could not be reached, or the connection broke. */
	UNREACHABLE,

	/** It answered no call, so that all connections stayed in use. */
	EXHAUSTED,

	/**
	 * It answered others, but the application was too busy to ask it, or to read its
	 * answer: the question waited too long for connections, threads or processor, or
	 * found no room to wait. This says nothing about the store.
	 */
	OVERLOADED,

	/** It cannot serve now: loading, read-only, out of memory, cluster down. */
	UNAVAILABLE,

	/**
	 * The credentials are wrong or do not allow what the limiter needs, or the
	 * certificate of the server is not to be trusted.
	 */
	NOT_PERMITTED,

	/** It answered with an error that none of the others explains. */
	ERROR,

	/** It has failed too often, and was not asked. */
	CIRCUIT_OPEN

}
