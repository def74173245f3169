package dev.ratelimit.benchmarks;

import java.util.List;

import redis.clients.jedis.Jedis;

/**
 * A connection to each master.
 *
 * @param connections the connections
 */
record RedisAdmin(List<Jedis> connections) implements AutoCloseable {

	void flush() {
		this.connections.forEach(Jedis::flushAll);
	}

	/** The sum of the usage of all masters since they started. */
	RedisUsage usage() {
		return this.connections.stream().map(RedisUsage::of).reduce(RedisUsage::plus).orElseThrow();
	}

	@Override
	public void close() {
		this.connections.forEach(Jedis::close);
	}

}
