package dev.ratelimit.store.wire;

/**
 * Opens connections to servers.
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
