package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import dev.ratelimit.store.wire.Node;
import dev.ratelimit.store.wire.Nodes;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Discovers the Redis nodes that serve the keys: queries servers over connections of its
 * own, one after the other, until one answers. That one comes first the next time, unless
 * what it answered is suspected. Used by one thread. Tested by {@code ClusterTests}.
 */
final class Discovery {

	private final List<HostAndPort> configured;

	private final Query query;

	/** The servers to query before those that are configured. */
	private Set<HostAndPort> first = Set.of();

	private Discovery(List<HostAndPort> configured, Query query) {
		this.configured = List.copyOf(configured);
		this.query = query;
	}

	/**
	 * Query the nodes of a Redis Cluster for its slots: first the masters seen last, then
	 * the configured nodes.
	 * @param nodes the nodes
	 * @param seeds the configured nodes
	 * @param config how to connect to a node
	 * @return the discovery
	 */
	static Discovery ofCluster(Nodes nodes, List<HostAndPort> seeds, Supplier<JedisClientConfig> config) {
		return new Discovery(seeds, (server, next) -> {
			List<?> reply = execute(server, config.get(), new CommandArguments(Command.CLUSTER).add("SLOTS"));
			SlotTable table = SlotTable.of(reply, server.getHost(), (address) -> nodes.at(address.toString()));
			if (table.nodes().isEmpty()) {
				throw new JedisException("The Redis Cluster node " + server + " knows of no slots");
			}
			table.nodes().stream().map(Node::name).map(HostAndPort::from).forEach(next::add);
			return table;
		});
	}

	/**
	 * Query Sentinels for the address of their master.
	 * @param nodes the nodes
	 * @param sentinels the Sentinels
	 * @param config how to connect to a Sentinel
	 * @param master the name of the master
	 * @return the discovery
	 */
	static Discovery ofSentinels(Nodes nodes, List<HostAndPort> sentinels, Supplier<JedisClientConfig> config,
			String master) {
		return new Discovery(sentinels, (server, next) -> {
			List<?> reply = execute(server, config.get(),
					new CommandArguments(Command.SENTINEL).add("GET-MASTER-ADDR-BY-NAME").add(master));
			if (reply.size() != 2) {
				throw new JedisException("The Sentinel " + server + " knows of no master " + master);
			}
			return SlotTable.of(nodes.at(text(reply.get(0)) + ":" + text(reply.get(1))));
		});
	}

	private static List<?> execute(HostAndPort server, JedisClientConfig config, CommandArguments command) {
		Sockets sockets = new Sockets(server, config);
		try (Connection connection = new Connection(sockets, config)) {
			return (connection.executeCommand(command) instanceof List<?> reply) ? reply : List.of();
		}
		catch (JedisException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			sockets.close();
			throw new JedisException(ex);
		}
	}

	private static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	/**
	 * Query the servers. May block.
	 * @param suspected whether what was found last does not serve: then the server that
	 * answered is asked last, as it may be cut off from those that know better
	 * @return what was found
	 * @throws JedisException if no server could be queried successfully
	 */
	SlotTable discover(boolean suspected) {
		Set<HostAndPort> candidates = new LinkedHashSet<>(this.first);
		candidates.addAll(this.configured);
		if (suspected && !this.first.isEmpty()) {
			HostAndPort answered = this.first.iterator().next();
			candidates.remove(answered);
			candidates.add(answered);
		}
		JedisException failure = new JedisException("No server is configured");
		for (HostAndPort server : candidates) {
			try {
				Set<HostAndPort> next = new LinkedHashSet<>(Set.of(server));
				SlotTable found = this.query.ask(server, next);
				this.first = next;
				return found;
			}
			catch (JedisException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	/** Queries one server. */
	@FunctionalInterface
	private interface Query {

		/**
		 * Query a server.
		 * @param server the server
		 * @param next receives further servers that can be queried the next time
		 * @return the nodes that it names
		 */
		SlotTable ask(HostAndPort server, Set<HostAndPort> next);

	}

}
