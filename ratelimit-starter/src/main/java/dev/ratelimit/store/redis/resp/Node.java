package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * One Redis server and our connections to it. They are opened in the background, one
 * after the other: requests wait for them, but for no longer than they may, and not more
 * than so many of them.
 */
final class Node implements AutoCloseable {

	/** Then a firewall or the server may have forgotten the connection. */
	private static final Duration LONGEST_IDLE = Duration.ofMinutes(1);

	private final HostAndPort address;

	private final String name;

	private final int maxWaiting;

	private final ConnectionFactory opener;

	private final RequestBatcher batcher;

	private final LargeWrites largeWrites;

	/** The one used last comes first, so that the others can grow old. */
	private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

	/** At least one permit for each that is idle; a permit too much wakes in vain. */
	private final Semaphore ready = new Semaphore(0);

	private final AtomicInteger waiting = new AtomicInteger();

	private volatile boolean keepsSlotsApart;

	private volatile boolean silent;

	/**
	 * Create a node without connections.
	 * @param address its address
	 * @param opening opens a connection; may block
	 * @param maxConnections how many there are at most
	 * @param maxWaiting how many requests wait for one at most
	 * @param incarnation hears of the first connection and of the loss of the last one
	 */
	Node(HostAndPort address, Supplier<RedisConnection> opening, int maxConnections, int maxWaiting,
			Incarnation incarnation) {
		this.address = address;
		this.name = address.toString();
		this.maxWaiting = maxWaiting;
		this.opener = new ConnectionFactory(this.name, opening, maxConnections, this::release, this::wakeAll,
				incarnation);
		this.batcher = new RequestBatcher(maxConnections, maxWaiting, RequestBatcher.PATIENCE);
		this.largeWrites = new LargeWrites(this.name, maxConnections);
	}

	HostAndPort address() {
		return this.address;
	}

	String name() {
		return this.name;
	}

	/** Opens our connections, and knows how many there are. */
	ConnectionFactory opener() {
		return this.opener;
	}

	/** The way here for requests that can share a round trip. */
	RequestBatcher batcher() {
		return this.batcher;
	}

	/** The way here for what is too large to share one. */
	LargeWrites largeWrites() {
		return this.largeWrites;
	}

	/** A command must not name keys of several hash slots. */
	void keepSlotsApart() {
		this.keepsSlotsApart = true;
	}

	/** Whether it is a node of a Cluster, as far as is known. */
	boolean keepsSlotsApart() {
		return this.keepsSlotsApart;
	}

	/** A call was answered in time. */
	void answered() {
		if (this.silent) {
			this.silent = false;
		}
	}

	/** A call was written, and nothing came until its deadline. */
	void notAnswered() {
		this.silent = true;
	}

	/**
	 * Whether the server answers no call, as far as is known. That others of ours wait,
	 * or that our threads come late, says nothing about it.
	 */
	boolean isSilent() {
		return this.silent || !this.opener.hasOpen();
	}

	/**
	 * Take a connection.
	 * @param time how long to wait while there is none
	 * @return a connection to be released or discarded
	 * @throws InterruptedException if the wait is interrupted
	 * @throws NoConnectionException if there is none in time, or nothing to wait for
	 */
	RedisConnection borrow(CallTime time) throws InterruptedException, NoConnectionException {
		RedisConnection connection = borrowIdle();
		return (connection != null) ? connection : await(time);
	}

	/**
	 * Take a connection if there is one that nobody uses.
	 * @return a connection to be released or discarded
	 */
	@Nullable RedisConnection borrowIdle() {
		return this.ready.tryAcquire() ? takeIdle() : null;
	}

	private @Nullable RedisConnection takeIdle() {
		Idle found = this.idle.pollFirst();
		if (found == null) {
			return null;
		}
		if (found.age().isOver()) {
			this.opener.close(found.connection());
			closeIdle();
			return null;
		}
		return found.connection();
	}

	private RedisConnection await(CallTime time) throws InterruptedException, NoConnectionException {
		boolean mayWait = this.waiting.incrementAndGet() <= this.maxWaiting;
		try {
			this.opener.openAnother();
			if (!mayWait) {
				throw tooMany();
			}
			while (!time.isOver(this)) {
				if (this.ready.tryAcquire(time.nextLookNanos(), TimeUnit.NANOSECONDS)) {
					RedisConnection connection = takeIdle();
					if (connection != null) {
						return connection;
					}
					this.opener.openAnother();
				}
			}
		}
		finally {
			this.waiting.decrementAndGet();
		}
		throw this.opener.hasOpen() ? noneInTime()
				: new NoConnectionException(StoreFailure.TIMEOUT, "no connection was opened in time", null);
	}

	/** No connection was free for as long as a request waits. */
	NoConnectionException noneInTime() {
		return new NoConnectionException(whyNone(), "all connections stay in use", null);
	}

	/** No more requests may wait. */
	NoConnectionException tooMany() {
		return new NoConnectionException(whyNone(), "too many requests wait for a connection", null);
	}

	/**
	 * What a wait for our own connections means: nothing bad of a server that answers.
	 */
	private StoreFailure whyNone() {
		return isSilent() ? StoreFailure.EXHAUSTED : StoreFailure.OVERLOADED;
	}

	/**
	 * Whether a connection that is free has to be put back: somebody waits for one, or
	 * there are to be no more.
	 */
	boolean isLinkWanted() {
		return this.waiting.get() > 0 || this.opener.isClosed();
	}

	/** They need not wait for what has failed. */
	private void wakeAll() {
		this.ready.release(this.waiting.get());
	}

	/**
	 * Put a connection back. One that has brought more than was asked for is closed, as
	 * the rest would be taken for the reply to somebody else.
	 * @param connection the connection
	 */
	void release(RedisConnection connection) {
		if (connection.hasUnread()) {
			discard(connection, StoreFailure.ERROR);
			return;
		}
		this.idle.addFirst(new Idle(connection, Deadline.in(LONGEST_IDLE)));
		Idle oldest = this.idle.peekLast();
		if (oldest != null && oldest.age().isOver() && this.idle.remove(oldest)) {
			closeIdle(oldest);
		}
		if (this.opener.isClosed()) {
			closeIdle();
		}
		this.ready.release();
	}

	/**
	 * Close a connection that failed. Where the server hung up, the idle ones are closed
	 * as well: a server that has restarted would fail one request for each of them.
	 * @param connection the connection
	 * @param failure how it failed
	 */
	void discard(RedisConnection connection, StoreFailure failure) {
		this.opener.close(connection);
		if (failure == StoreFailure.UNREACHABLE) {
			closeIdle();
		}
		if (this.waiting.get() > 0) {
			// One of them may open another.
			this.ready.release();
		}
	}

	private void closeIdle() {
		for (Idle next = this.idle.pollFirst(); next != null; next = this.idle.pollFirst()) {
			closeIdle(next);
		}
	}

	private void closeIdle(Idle unused) {
		boolean ignored = this.ready.tryAcquire();
		this.opener.close(unused.connection());
	}

	@Override
	public void close() {
		this.opener.close();
		this.largeWrites.close();
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
	private record Idle(RedisConnection connection, Deadline age) {
	}

}
