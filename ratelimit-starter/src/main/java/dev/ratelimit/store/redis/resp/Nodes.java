package dev.ratelimit.store.redis.resp;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;

import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * The Redis servers that the limiter is connected to, by address.
 */
final class Nodes implements AutoCloseable {

	private final Map<HostAndPort, Node> nodes = new ConcurrentHashMap<>();

	private final Incarnation incarnation = new Incarnation();

	private final LateReplyReader late = new LateReplyReader();

	private final ScheduledExecutorService timer = BackgroundTasks.timer("ratelimit-redis-timer");

	private final JedisClientConfig clientConfig;

	private final int maxConnections;

	private final int maxWaiting;

	Nodes(JedisClientConfig clientConfig, int maxConnections, int maxWaiting) {
		this.clientConfig = clientConfig;
		this.maxConnections = maxConnections;
		this.maxWaiting = maxWaiting;
	}

	/**
	 * The node at an address. Opens no connection.
	 * @param address its address
	 * @return the node
	 */
	Node at(HostAndPort address) {
		return this.nodes.computeIfAbsent(address,
				(where) -> new Node(where, () -> RedisConnection.open(where, this.clientConfig), this.maxConnections,
						this.maxWaiting, this.incarnation, this.late, this.timer));
	}

	/**
	 * Open a connection outside the pools. Blocks.
	 * @param address the address of the server
	 * @return a connection to be closed by the caller
	 */
	Connection connect(HostAndPort address) {
		return new Connection(new Sockets(address, this.clientConfig), this.clientConfig);
	}

	/** A number that changes when all connections to a node were lost. */
	long incarnation() {
		return this.incarnation.number();
	}

	void retain(Collection<Node> used) {
		this.nodes.values().removeIf((node) -> {
			boolean gone = !used.contains(node);
			if (gone) {
				node.close();
			}
			return gone;
		});
	}

	@Override
	public void close() {
		this.late.close();
		this.nodes.values().forEach(Node::close);
		this.timer.shutdown();
	}

}
