package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * A standalone Redis, which needs no discovery. Redirections are followed all the same,
 * in case the one address is that of a cluster node.
 */
final class SingleNode implements Topology {

	private final Nodes nodes;

	private final Node node;

	private SingleNode(Nodes nodes, Node node) {
		this.nodes = nodes;
		this.node = node;
	}

	/**
	 * Start to connect.
	 * @param nodes the nodes
	 * @param address the address of the Redis server
	 * @param patience how long to wait for a first connection, so that the first request
	 * does not come too early; it may fail all the same
	 * @return the topology
	 */
	static SingleNode connect(Nodes nodes, HostAndPort address, Duration patience) {
		Node node = nodes.at(address);
		node.opener().openFirst();
		try {
			node.opener().awaitFirst(Deadline.in(patience));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return new SingleNode(nodes, node);
	}

	@Override
	public @Nullable Node nodeFor(Supplier<byte[]> key) {
		return this.node;
	}

	@Override
	public Node nodeAt(HostAndPort address) {
		return this.nodes.at(address);
	}

	@Override
	public long incarnation() {
		return this.nodes.incarnation();
	}

	@Override
	public void suspect() {
	}

	@Override
	public void close() {
		this.nodes.close();
	}

}
