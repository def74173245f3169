package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Queries the Sentinels, one after the other, for the address of their master. Used by
 * one thread.
 */
final class SentinelDiscovery implements Discovery {

	private final Nodes nodes;

	private final List<HostAndPort> sentinels;

	private final JedisClientConfig sentinelConfig;

	private final String master;

	SentinelDiscovery(Nodes nodes, List<HostAndPort> sentinels, JedisClientConfig sentinelConfig, String master) {
		this.nodes = nodes;
		this.sentinels = new ArrayList<>(sentinels);
		this.sentinelConfig = sentinelConfig;
		this.master = master;
	}

	@Override
	public NodeRoute discover() {
		JedisException failure = new JedisException("There are no Sentinels");
		for (HostAndPort sentinel : List.copyOf(this.sentinels)) {
			try {
				NodeRoute route = NodeRoute.to(this.nodes.at(acquire(sentinel)));
				// Next time, the Sentinels that did not answer come last.
				this.sentinels.remove(sentinel);
				this.sentinels.add(0, sentinel);
				return route;
			}
			catch (JedisException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	private HostAndPort acquire(HostAndPort sentinel) {
		try (Connection connection = new Connection(new Sockets(sentinel, this.sentinelConfig), this.sentinelConfig)) {
			List<?> reply = (List<?>) connection
				.executeCommand(new CommandArguments(Command.SENTINEL).add("GET-MASTER-ADDR-BY-NAME").add(this.master));
			if (reply == null || reply.size() != 2) {
				throw new JedisException("The Sentinel " + sentinel + " knows of no master " + this.master);
			}
			return new HostAndPort(text(reply.get(0)), Integer.parseInt(text(reply.get(1))));
		}
	}

	private static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

}
