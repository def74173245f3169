package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * One server and the limiter's connections to it. They are opened in the background, one
 * after the other. Requests wait for them, but only as long as their time allows, and
 * only up to a maximum number of requests. Tested by {@code ReconnectTests}.
 */
public final class Node implements AutoCloseable {

	/** After this time a firewall or the server may have dropped the connection. */
	private static final Duration LONGEST_IDLE = Duration.ofMinutes(1);

	/** The weight of costly calls that may be under way at once: that of one batch. */
	static final int MOST_COSTLY = NodeQueue.MOST_WEIGHT;

	private final String name;

	private final int maxWaiting;

	private final ConnectionFactory opener;

	private final RequestBatcher batcher;

	private final Semaphore largeWrites;

	private final NodeThreads threads;

	private final LateReplyReader late;

	private final ScheduledExecutorService timer;

	private final Log logger;

	/** The connection used last comes first, so that the others can expire. */
	private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

	/**
	 * At least one permit per idle connection; an excess permit causes a wake-up in vain.
	 */
	private final Semaphore ready = new Semaphore(0);

	private final AtomicInteger waiting = new AtomicInteger();

	/** Fair: lighter calls do not pass a heavier one that waits. */
	private final Semaphore costlyCalls = new Semaphore(MOST_COSTLY, true);

	private volatile boolean keepsKeysApart;

	private volatile boolean silent;

	/**
	 * Create a node without connections.
	 * @param name its host and port
	 * @param threads the start of the names of its threads
	 * @param connector opens a connection; may block
	 * @param maxConnections how many there are at most
	 * @param maxWaiting how many requests wait for one at most
	 * @param incarnation is notified of the first connection and of the loss of the last
	 * one
	 * @param late waits for the replies that no request waits for any more
	 * @param timer ends what has taken too long
	 * @param logger receives what no request is notified of
	 */
	Node(String name, String threads, Connector connector, int maxConnections, int maxWaiting, Incarnation incarnation,
			LateReplyReader late, ScheduledExecutorService timer, Log logger) {
		this.name = name;
		this.maxWaiting = maxWaiting;
		this.opener = new ConnectionFactory(threads + "connect-" + name, connector, name, maxConnections, this::release,
				this::wakeAll, incarnation);
		this.batcher = new RequestBatcher(maxConnections, maxWaiting, RequestBatcher.PATIENCE);
		this.largeWrites = new Semaphore(Math.max(1, maxConnections / 2));
		this.threads = new NodeThreads(threads + "io-" + name, maxConnections);
		this.late = late;
		this.timer = timer;
		this.logger = logger;
	}

	/**
	 * Its address.
	 * @return its host and port, such as {@code 10.0.0.1:6379}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Open a first connection in the background, so that no request has to wait for it.
	 */
	public void openFirst() {
		this.opener.openFirst();
	}

	/**
	 * Wait for the first connection, or the failure to open it.
	 * @param patience how long
	 * @throws InterruptedException if the wait is interrupted
	 */
	public void awaitFirst(Deadline patience) throws InterruptedException {
		this.opener.awaitFirst(patience);
	}

	/** Sends requests that can share a batch. */
	RequestBatcher batcher() {
		return this.batcher;
	}

	/**
	 * How many more calls may be under way that do not fit into a send buffer. Each uses
	 * a connection of its own, and all together at most half of the connections.
	 */
	Semaphore largeWrites() {
		return this.largeWrites;
	}

	/** How much more weight of costly calls may be under way. */
	Semaphore costlyCalls() {
		return this.costlyCalls;
	}

	/** Send and read for requests that do not do so themselves. */
	NodeThreads threads() {
		return this.threads;
	}

	/** Waits for the replies that no request waits for any more. */
	LateReplyReader late() {
		return this.late;
	}

	/** Ends what has taken too long. */
	ScheduledExecutorService timer() {
		return this.timer;
	}

	/** Receives what no request is notified of. */
	Log logger() {
		return this.logger;
	}

	/** From now on, no command carries calls on several keys. */
	public void keepKeysApart() {
		this.keepsKeysApart = true;
	}

	/** Whether all calls of a command must be on one key, as far as is known. */
	boolean keepsKeysApart() {
		return this.keepsKeysApart;
	}

	/** A call was answered in time. */
	void answered() {
		if (this.silent) {
			this.silent = false;
		}
	}

	/** A call was written, and no reply came until its deadline. */
	void notAnswered() {
		this.silent = true;
	}

	/**
	 * Whether the server answers no call, as far as is known. Waiting requests or late
	 * threads of this application do not count as that.
	 */
	boolean isSilent() {
		return this.silent || !this.opener.hasOpen();
	}

	/**
	 * Borrow a connection.
	 * @param time how long to wait while there is none
	 * @return a connection to be released or discarded
	 * @throws InterruptedException if the wait is interrupted
	 * @throws NoConnectionException if there is none in time, or nothing to wait for
	 */
	Connection borrow(CallTime time) throws InterruptedException, NoConnectionException {
		Connection connection = borrowIdle();
		return (connection != null) ? connection : await(time);
	}

	/**
	 * Borrow a connection if one is idle.
	 * @return a connection to be released or discarded; {@code null} if there is none
	 */
	@Nullable Connection borrowIdle() {
		return this.ready.tryAcquire() ? takeIdle() : null;
	}

	private @Nullable Connection takeIdle() {
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

	private Connection await(CallTime time) throws InterruptedException, NoConnectionException {
		boolean mayWait = this.waiting.incrementAndGet() <= this.maxWaiting;
		try {
			this.opener.openAnother();
			if (!mayWait) {
				throw tooMany();
			}
			while (!time.isOver(this)) {
				if (this.ready.tryAcquire(time.nextCheckNanos(), TimeUnit.NANOSECONDS)) {
					Connection connection = takeIdle();
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
		throw noneInTime();
	}

	/**
	 * The failure of a request that found no free connection for as long as it may wait.
	 */
	NoConnectionException noneInTime() {
		if (!this.opener.hasOpen()) {
			return new NoConnectionException(StoreFailure.TIMEOUT, "no connection was opened in time", null);
		}
		return new NoConnectionException(whyNone(), "all connections stay in use", null);
	}

	/** The failure of a request that may not wait, as too many do. */
	NoConnectionException tooMany() {
		return new NoConnectionException(whyNone(), "too many requests wait for a connection", null);
	}

	/**
	 * What a wait for our own connections means: if the server answers, it is not the
	 * server's fault.
	 */
	private StoreFailure whyNone() {
		return isSilent() ? StoreFailure.EXHAUSTED : StoreFailure.OVERLOADED;
	}

	/**
	 * Whether a free connection has to be released to the pool: a request waits for one,
	 * or the pool is closed.
	 */
	boolean isConnectionWanted() {
		return this.waiting.get() > 0 || this.opener.isClosed();
	}

	/** Wake the waiting requests, which need not wait for an attempt that has failed. */
	private void wakeAll() {
		this.ready.release(this.waiting.get());
	}

	/**
	 * Release a connection to the pool. A connection with unread input is closed, as the
	 * rest would be taken for the reply to another request.
	 * @param connection the connection
	 */
	void release(Connection connection) {
		if (connection.hasUnread()) {
			discard(connection, StoreFailure.ERROR);
			return;
		}
		try {
			this.idle.addFirst(new Idle(connection, Deadline.in(LONGEST_IDLE)));
		}
		catch (Throwable ex) {
			// There may be no memory. A connection that is lost while it counts as open
			// would never be replaced.
			discard(connection, StoreFailure.ERROR);
			return;
		}
		this.ready.release();
		closeOldest();
		if (this.opener.isClosed()) {
			closeIdle();
		}
	}

	private void closeOldest() {
		Idle oldest = this.idle.peekLast();
		if (oldest == null || !oldest.age().isOver() || !this.ready.tryAcquire()) {
			return;
		}
		if (this.idle.remove(oldest)) {
			this.opener.close(oldest.connection());
		}
		else {
			this.ready.release();
		}
	}

	/**
	 * Close a connection that failed. If the server has closed it, the idle connections
	 * are closed as well: after a restart of the server, each of them would fail one
	 * request.
	 * @param connection the connection
	 * @param failure how it failed
	 */
	void discard(Connection connection, StoreFailure failure) {
		this.opener.close(connection);
		if (failure == StoreFailure.UNREACHABLE) {
			closeIdle();
			wakeAll();
		}
		else if (this.waiting.get() > 0) {
			// One of the waiting requests may open another connection.
			this.ready.release();
		}
	}

	/** With its permit, as it is borrowed: no other idle connection loses one. */
	private void closeIdle() {
		while (this.ready.tryAcquire()) {
			Idle next = this.idle.pollFirst();
			if (next == null) {
				this.ready.release();
				return;
			}
			this.opener.close(next.connection());
		}
	}

	@Override
	public void close() {
		this.opener.close();
		this.threads.close();
		closeIdle();
		wakeAll();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * An idle connection.
	 *
	 * @param connection the connection
	 * @param age the time after which it must no longer be used
	 */
	private record Idle(Connection connection, Deadline age) {
	}

}
