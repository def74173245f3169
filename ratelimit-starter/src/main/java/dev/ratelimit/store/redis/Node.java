package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreFailure;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One Redis server and our connections to it. The pool is our own, because the usual one
 * opens a connection in place of a broken one on the thread of the request that has just
 * run out of time.
 */
final class Node implements AutoCloseable {

	/** Then a firewall or the server may have forgotten the connection. */
	private static final Duration LONGEST_IDLE = Duration.ofMinutes(1);

	private final HostAndPort address;

	private final String name;

	private final JedisClientConfig clientConfig;

	private final Semaphore free;

	/** The one used last comes first, so that the others can grow old. */
	private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

	private volatile boolean closed;

	Node(HostAndPort address, JedisClientConfig clientConfig, int maxConnections) {
		this.address = address;
		this.name = address.toString();
		this.clientConfig = clientConfig;
		this.free = new Semaphore(maxConnections);
	}

	HostAndPort address() {
		return this.address;
	}

	String name() {
		return this.name;
	}

	/**
	 * Take an idle connection, or open one.
	 * @param maxWait how long to wait while all connections are in use
	 * @return a connection to be released or discarded; none if all stay in use
	 * @throws InterruptedException if the wait is interrupted
	 * @throws JedisException if none can be opened
	 */
	Optional<Connection> borrow(Duration maxWait) throws InterruptedException {
		if (!this.free.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
			return Optional.empty();
		}
		try {
			Idle found = this.idle.pollFirst();
			if (found != null && !found.age().isOver()) {
				return Optional.of(found.connection());
			}
			if (found != null) {
				closeQuietly(found.connection());
				closeIdle();
			}
			return Optional.of(new Connection(this.address, this.clientConfig));
		}
		catch (RuntimeException ex) {
			this.free.release();
			throw ex;
		}
	}

	void release(Connection connection) {
		this.idle.addFirst(new Idle(connection, Deadline.in(LONGEST_IDLE)));
		Idle oldest = this.idle.peekLast();
		if (oldest != null && oldest.age().isOver() && this.idle.remove(oldest)) {
			closeQuietly(oldest.connection());
		}
		if (this.closed) {
			closeIdle();
		}
		this.free.release();
	}

	/**
	 * Close a connection that failed. Where the server hung up, the idle ones are closed
	 * as well: a server that has restarted would fail one request for each of them.
	 * @param connection the connection
	 * @param failure how it failed
	 */
	void discard(Connection connection, StoreFailure failure) {
		closeQuietly(connection);
		if (failure == StoreFailure.UNREACHABLE) {
			closeIdle();
		}
		this.free.release();
	}

	private void closeIdle() {
		for (Idle next = this.idle.pollFirst(); next != null; next = this.idle.pollFirst()) {
			closeQuietly(next.connection());
		}
	}

	private static void closeQuietly(Connection connection) {
		try {
			connection.close();
		}
		catch (JedisException ex) {
			// It was broken.
		}
	}

	@Override
	public void close() {
		this.closed = true;
		closeIdle();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * A connection that nobody uses.
	 *
	 * @param connection the connection
	 * @param age is over when it must no longer be used
	 */
	private record Idle(Connection connection, Deadline age) {
	}

}
