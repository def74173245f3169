package dev.ratelimit.store;

/**
 * The reason why a store could not decide.
 */
public enum StoreFailure {

	/** The store did not reply in time. */
	TIMEOUT,

	/** The store could not be reached, or the connection broke. */
	UNREACHABLE,

	/** The store replied to no call, so all connections stayed in use. */
	EXHAUSTED,

	/**
	 * The store replied to other calls, but the application was too busy to send the
	 * request or to read the reply. The request waited too long for connections, threads
	 * or processor, or found no room to wait; or its thread was interrupted. This implies
	 * nothing about the store.
	 */
	OVERLOADED,

	/** The store cannot serve now: loading, read-only, out of memory, cluster down. */
	UNAVAILABLE,

	/**
	 * The server refuses what the limiter needs: the credentials are wrong or do not
	 * allow it, the server does not know a command or is set up in another way, or its
	 * certificate is not trusted.
	 */
	NOT_PERMITTED,

	/** The store replied with an error that no other constant describes. */
	ERROR,

	/** The store has failed too often, and was not called. */
	CIRCUIT_OPEN;

	/**
	 * Whether the store is silent or cannot serve at all. If not, it has replied, or was
	 * not reached because the application is overloaded.
	 * @return whether further calls will probably fail as well
	 */
	public boolean isSilence() {
		return this != ERROR && this != OVERLOADED;
	}

}
