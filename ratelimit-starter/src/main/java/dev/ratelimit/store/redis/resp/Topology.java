package dev.ratelimit.store.redis.resp;

import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * Maps a key to the node that serves it. Never blocks and never opens a connection.
 */
interface Topology extends AutoCloseable {

	/**
	 * The node that serves a key.
	 * @param key supplies the key, where it matters
	 * @return the node, or {@code null} while none is known
	 */
	@Nullable Node nodeFor(Supplier<byte[]> key);

	/**
	 * Why the last discovery found no nodes.
	 * @return the cause; empty if nodes were found, or need not be discovered
	 */
	default Optional<Throwable> failure() {
		return Optional.empty();
	}

	/**
	 * The node that a redirection by Redis points to.
	 * @param address its address
	 * @return the node
	 */
	Node nodeAt(HostAndPort address);

	/**
	 * A number that changes when all connections to a node were lost.
	 * @return the number
	 */
	default long incarnation() {
		return 0;
	}

	/**
	 * Report that a node failed or redirected: the topology should be discovered again,
	 * in the background.
	 */
	void suspect();

	@Override
	void close();

}
