package dev.ratelimit.embeddedredis;

import java.util.ArrayList;
import java.util.List;

/**
 * A Redis Cluster of real {@code redis-server} processes, which end with this JVM as
 * {@link RedisServer} does. It takes a little more than two seconds to start, because a
 * master accepts no writes in its first two seconds.
 */
public final class RedisCluster implements AutoCloseable {

	private static final List<String> OPTIONS = List.of("--cluster-enabled", "yes", "--cluster-announce-ip",
			"127.0.0.1", "--cluster-node-timeout", "1000");

	private final List<RedisServer> nodes;

	private RedisCluster(List<RedisServer> nodes) {
		this.nodes = List.copyOf(nodes);
	}

	/**
	 * Start a cluster and wait until every node sees all of it: every slot is served, and
	 * every replica is connected to its master.
	 * @param masters the number of masters that share the slots, at least 1
	 * @param replicasPerMaster the number of replicas of each master
	 * @param options more options for every node, as on the command line of
	 * {@code redis-server}; they override the defaults, one of which is a
	 * {@code cluster-node-timeout} of one second
	 * @return the running cluster
	 * @throws IllegalStateException if it is not complete within 20 seconds; the message
	 * contains the ends of the logs
	 */
	public static RedisCluster start(int masters, int replicasPerMaster, String... options) {
		if (masters < 1 || replicasPerMaster < 0) {
			throw new IllegalArgumentException(masters + " masters with " + replicasPerMaster + " replicas each");
		}
		List<String> all = new ArrayList<>(OPTIONS);
		all.addAll(List.of(options));
		List<RedisServer> nodes = new ArrayList<>();
		try {
			for (int i = 0; i < masters * (1 + replicasPerMaster); i++) {
				nodes.add(RedisServer.start(all));
			}
			try (ClusterFormation formation = new ClusterFormation(nodes, masters)) {
				formation.form();
			}
			return new RedisCluster(nodes);
		}
		catch (RuntimeException ex) {
			nodes.forEach(RedisServer::close);
			throw ex;
		}
	}

	/**
	 * Return the nodes in the order in which they were started: the masters in the order
	 * of their slots, then the first replicas of the first to the last master, then their
	 * second replicas.
	 * @return the nodes
	 */
	public List<RedisServer> nodes() {
		return this.nodes;
	}

	/**
	 * Return host and port of every node, in the same order.
	 * @return the addresses
	 */
	public List<String> addresses() {
		return this.nodes.stream().map(RedisServer::address).toList();
	}

	/**
	 * Kill all nodes and remove their directories.
	 */
	@Override
	public void close() {
		this.nodes.forEach(RedisServer::close);
	}

}
