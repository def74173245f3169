package dev.ratelimit.store.wire;

import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Maps a key to the node that serves it. Never blocks and never opens a connection.
 */
public interface Router extends AutoCloseable {

	/**
	 * The node that serves a key.
	 * @param key supplies the key, where it matters
	 * @return the node, or {@code null} while none is known
	 */
	@Nullable Node nodeFor(Supplier<byte[]> key);

	/**
	 * The node at an address, where a node has named another.
	 * @param address its host and port, such as {@code 10.0.0.1:6379}
	 * @return the node
	 */
	Node nodeAt(String address);

	/**
	 * Why no node is known.
	 * @return the failure to find nodes; empty if they were found, or need not be found
	 */
	Optional<NoConnectionException> failure();

	/**
	 * A number that changes when all connections to a node were lost.
	 * @return the number
	 */
	long incarnation();

	/**
	 * Report that a node failed or named another: the nodes should be found again, in the
	 * background.
	 */
	void suspect();

	@Override
	void close();

}
