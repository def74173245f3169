package dev.ratelimit.store.redis.resp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Queries the nodes of a Redis Cluster for its slots until one replies: first the masters
 * seen last, then the configured nodes. Used by one thread.
 */
final class ClusterDiscovery implements Discovery {

	private final Nodes nodes;

	private final List<HostAndPort> seeds;

	private Set<HostAndPort> seen = Set.of();

	ClusterDiscovery(Nodes nodes, List<HostAndPort> seeds) {
		this.nodes = nodes;
		this.seeds = List.copyOf(seeds);
	}

	@Override
	public NodeRoute discover() {
		Set<HostAndPort> candidates = new LinkedHashSet<>(this.seen);
		candidates.addAll(this.seeds);
		JedisException failure = new JedisException("The Redis Cluster has no nodes");
		for (HostAndPort address : candidates) {
			try {
				SlotRoute route = acquire(address);
				remember(address, route);
				return route;
			}
			catch (JedisException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	private SlotRoute acquire(HostAndPort address) {
		try (Connection connection = this.nodes.connect(address)) {
			Object reply = connection.executeCommand(new CommandArguments(Command.CLUSTER).add("SLOTS"));
			SlotRoute route = SlotRoute.of((List<?>) reply, address.getHost(), this.nodes::at);
			if (route.nodes().isEmpty()) {
				throw new JedisException("The Redis Cluster node " + address + " knows of no slots");
			}
			return route;
		}
	}

	private void remember(HostAndPort answered, SlotRoute route) {
		this.seen = new LinkedHashSet<>();
		this.seen.add(answered);
		route.nodes().forEach((node) -> this.seen.add(node.address()));
	}

}
