package dev.ratelimit.store.redis.resp;

import java.util.List;
import java.util.function.Supplier;

/**
 * Where Redis is, by the way in which it is deployed.
 */
public sealed interface RedisAddress {

	/**
	 * A server or a Sentinel.
	 *
	 * @param host the host name or IP address
	 * @param port the port
	 */
	record HostPort(String host, int port) {
	}

	/**
	 * One server.
	 *
	 * @param server the server
	 * @param database the number of the database
	 */
	record SingleServer(HostPort server, int database) implements RedisAddress {
	}

	/**
	 * A master that Sentinels know.
	 *
	 * @param master the name of the master
	 * @param sentinels some of the Sentinels
	 * @param database the number of the database
	 * @param login the user of the Sentinels, read for each connection to one
	 */
	record SentinelMaster(String master, List<HostPort> sentinels, int database,
			Supplier<RedisLogin> login) implements RedisAddress {

		public SentinelMaster {
			sentinels = List.copyOf(sentinels);
		}

	}

	/**
	 * A Redis Cluster.
	 *
	 * @param nodes some of its nodes
	 */
	record ClusterNodes(List<HostPort> nodes) implements RedisAddress {

		public ClusterNodes {
			nodes = List.copyOf(nodes);
		}

	}

}
