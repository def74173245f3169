package dev.ratelimit.store.redis.resp;

import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * Which node answers for a key. Never blocks and never opens a connection.
 */
interface Topology extends AutoCloseable {

	/**
	 * The node that answers for a key.
	 * @param key makes the key, where it matters
	 * @return the node, or {@code null} while none is known
	 */
	@Nullable Node nodeFor(Supplier<byte[]> key);

	/**
	 * Why the last look for nodes found none.
	 * @return the cause; nothing where they were found, or need not be looked for
	 */
	default Optional<Throwable> failure() {
		return Optional.empty();
	}

	/**
	 * A node that Redis itself has pointed to.
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
	 * Say that a node failed or redirected: the topology should be looked at again, in
	 * the background.
	 */
	void suspect();

	@Override
	void close();

}
