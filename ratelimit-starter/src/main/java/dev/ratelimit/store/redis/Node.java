package dev.ratelimit.store.redis;

import java.time.Duration;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One Redis server and our connections to it.
 */
final class Node implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Node.class);

	private static final Duration IDLE_BEFORE_CLOSED = Duration.ofMinutes(1);

	private final HostAndPort address;

	private final Pool pool;

	Node(HostAndPort address, JedisClientConfig clientConfig, int maxConnections) {
		this.address = address;
		this.pool = new Pool(address, clientConfig, poolConfig(maxConnections));
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
		try {
			this.pool.returnBrokenResource(connection);
		}
		catch (JedisException ex) {
			logger.debug("No connection to " + this.address + " in the place of a broken one", ex);
		}
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

	/**
	 * The pool replaces each broken connection at once, on the thread that returns it.
	 * That is worth the time only where somebody waits for one.
	 */
	private static final class Pool extends ConnectionPool {

		Pool(HostAndPort address, JedisClientConfig clientConfig, GenericObjectPoolConfig<Connection> config) {
			super(address, clientConfig, config);
		}

		@Override
		public void addObject() throws Exception {
			if (getNumWaiters() > 0) {
				super.addObject();
			}
		}

	}

}
