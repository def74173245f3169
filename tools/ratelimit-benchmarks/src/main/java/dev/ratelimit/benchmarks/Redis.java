package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/**
 * The server that all contenders share, or the masters of a Redis Cluster.
 *
 * @param nodes the addresses of the nodes
 */
record Redis(List<HostAndPort> nodes) {

	/** Load on another server may keep this one from running for seconds. */
	private static final JedisClientConfig PATIENT = DefaultJedisClientConfig.builder()
		.socketTimeoutMillis(30_000)
		.build();

	Redis {
		nodes = List.copyOf(nodes);
	}

	/** A standalone server. */
	Redis(String host, int port) {
		this(List.of(new HostAndPort(host, port)));
	}

	private boolean isCluster() {
		return this.nodes.size() > 1;
	}

	String host() {
		return this.nodes.get(0).getHost();
	}

	int port() {
		return this.nodes.get(0).getPort();
	}

	/** One connection for each concurrent thread. */
	UnifiedJedis pooled(int connections) {
		ConnectionPoolConfig pool = new ConnectionPoolConfig();
		pool.setMaxTotal(connections);
		pool.setMaxIdle(connections);
		return isCluster() ? RedisClusterClient.builder().nodes(new HashSet<>(this.nodes)).poolConfig(pool).build()
				: RedisClient.builder().hostAndPort(this.nodes.get(0)).poolConfig(pool).build();
	}

	/** The properties that locate this server for an application. */
	List<String> properties() {
		if (isCluster()) {
			return List.of("--spring.data.redis.cluster.nodes="
					+ String.join(",", this.nodes.stream().map(HostAndPort::toString).toList()));
		}
		return List.of("--spring.data.redis.host=" + host(), "--spring.data.redis.port=" + port());
	}

	Jedis connect() {
		return new Jedis(host(), port());
	}

	/** Opens connections, which must be closed. */
	RedisAdmin admin() {
		List<Jedis> connections = new ArrayList<>();
		this.nodes.forEach((node) -> connections.add(new Jedis(node, PATIENT)));
		return new RedisAdmin(connections);
	}

	String url() {
		return "redis://" + host() + ":" + port();
	}

}
