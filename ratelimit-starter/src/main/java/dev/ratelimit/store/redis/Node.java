package dev.ratelimit.store.redis;

import java.time.Duration;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * One Redis server and our connections to it.
 */
final class Node implements AutoCloseable {

	private static final Duration IDLE_BEFORE_CLOSED = Duration.ofMinutes(1);

	private final HostAndPort address;

	private final ConnectionPool pool;

	Node(HostAndPort address, JedisClientConfig clientConfig, int maxConnections) {
		this.address = address;
		this.pool = new ConnectionPool(address, clientConfig, poolConfig(maxConnections));
	}

	private static GenericObjectPoolConfig<Connection> poolConfig(int maxConnections) {
		GenericObjectPoolConfig<Connection> config = new GenericObjectPoolConfig<>();
		config.setMaxTotal(maxConnections);
		config.setMaxIdle(maxConnections);
		config.setMinEvictableIdleDuration(IDLE_BEFORE_CLOSED);
		config.setTimeBetweenEvictionRuns(IDLE_BEFORE_CLOSED.dividedBy(2));
		config.setNumTestsPerEvictionRun(-1);
		config.setJmxEnabled(false);
		return config;
	}

	HostAndPort address() {
		return this.address;
	}

	/**
	 * Take a connection out of the pool, or open one.
	 * @param maxWait how long to wait while all connections are in use
	 * @return a connection that must be released or discarded
	 * @throws Exception whatever the pool or the driver throws; nothing was sent then
	 */
	Connection borrow(Duration maxWait) throws Exception {
		return this.pool.borrowObject(maxWait);
	}

	void release(Connection connection) {
		this.pool.returnResource(connection);
	}

	/**
	 * Close a connection that failed. Where the server hung up, the idle ones are closed
	 * as well: a server that has restarted would fail one request for each of them.
	 * @param connection the connection
	 * @param failure how it failed
	 */
	void discard(Connection connection, StoreFailure failure) {
		this.pool.returnBrokenResource(connection);
		if (failure == StoreFailure.UNREACHABLE) {
			this.pool.clear();
		}
	}

	@Override
	public void close() {
		this.pool.close();
	}

	@Override
	public String toString() {
		return this.address.toString();
	}

}
