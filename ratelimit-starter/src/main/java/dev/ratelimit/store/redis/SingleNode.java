package dev.ratelimit.store.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * A standalone Redis: there is nothing to discover. Redirections are followed all the
 * same, should the one address be that of a cluster node.
 */
final class SingleNode implements Topology {

	private final Nodes nodes;

	private final Node node;

	SingleNode(Nodes nodes, HostAndPort address) {
		this.nodes = nodes;
		this.node = nodes.at(address);
	}

	@Override
	public @Nullable Node nodeFor(byte[] key) {
		return this.node;
	}

	@Override
	public Node nodeAt(HostAndPort address) {
		return this.nodes.at(address);
	}

	@Override
	public void suspect() {
	}

	@Override
	public void close() {
		this.nodes.close();
	}

}
