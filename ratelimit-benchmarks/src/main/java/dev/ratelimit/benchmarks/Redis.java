package dev.ratelimit.benchmarks;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/**
 * The server that all contenders share.
 *
 * @param host where it is
 * @param port where it is
 */
record Redis(String host, int port) {

	/** A connection for each thread that may ask at once. */
	RedisClient pooled(int connections) {
		ConnectionPoolConfig pool = new ConnectionPoolConfig();
		pool.setMaxTotal(connections);
		pool.setMaxIdle(connections);
		return RedisClient.builder().hostAndPort(new HostAndPort(this.host, this.port)).poolConfig(pool).build();
	}

	Jedis connect() {
		return new Jedis(this.host, this.port);
	}

	String url() {
		return "redis://" + this.host + ":" + this.port;
	}

}
