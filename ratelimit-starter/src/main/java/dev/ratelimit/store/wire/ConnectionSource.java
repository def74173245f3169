package dev.ratelimit.store.wire;

/**
 * The source of a batch's connection. It is notified once about what becomes of it.
 */
interface ConnectionSource {

	/**
	 * The batch is over, and the connection can be used again.
	 * @param connection the connection
	 */
	void free(Connection connection);

	/** The connection is gone, or used by others. */
	void lost();

}
