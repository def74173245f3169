package dev.ratelimit.store.wire;

/**
 * Opens connections to servers. Their sockets send without delay and close without
 * lingering, so that closing never blocks; their send buffer takes 128 kB, so that
 * writing a shared batch never blocks either.
 */
@FunctionalInterface
public interface Connector {

	/**
	 * Open a connection, ready for calls. May block, as no request waits on this thread.
	 * @param address the host and port of the server
	 * @return the connection
	 * @throws NoConnectionException if that fails
	 */
	Connection connect(String address) throws NoConnectionException;

}
