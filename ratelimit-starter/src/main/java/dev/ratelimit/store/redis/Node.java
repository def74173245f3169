package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
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

	private final Supplier<Link> opening;

	private final int maxConnections;

	private final int maxWaiting;

	private final ExecutorService opener;

	private final CountDownLatch attempted = new CountDownLatch(1);

	/** The one used last comes first, so that the others can grow old. */
	private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

	/** At least one permit for each that is idle; a permit too much wakes in vain. */
	private final Semaphore ready = new Semaphore(0);

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger openOrOpening = new AtomicInteger();

	private volatile @Nullable Outage outage;

	private volatile boolean closed;

	/**
	 * Create a node without connections.
	 * @param address its address
	 * @param opening opens a connection; may block
	 * @param maxConnections how many there are at most
	 * @param maxWaiting how many requests wait for one at most
	 */
	Node(HostAndPort address, Supplier<Link> opening, int maxConnections, int maxWaiting) {
		this.address = address;
		this.name = address.toString();
		this.opening = opening;
		this.maxConnections = maxConnections;
		this.maxWaiting = maxWaiting;
		this.opener = Background.thread("ratelimit-redis-connect-" + this.name);
	}

	HostAndPort address() {
		return this.address;
	}

	String name() {
		return this.name;
	}

	/** Open a first connection, so that no request has to wait for it. */
	void openFirst() {
		if (this.openOrOpening.compareAndSet(0, 1)) {
			openInBackground();
		}
	}

	/**
	 * Wait for the first connection, or its failure.
	 * @param patience how long
	 * @throws InterruptedException if the wait is interrupted
	 */
	void awaitFirst(Deadline patience) throws InterruptedException {
		boolean ignored = this.attempted.await(patience.leftNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Take a connection.
	 * @param deadline how long to wait while there is none
	 * @return a connection to be released or discarded
	 * @throws InterruptedException if the wait is interrupted
	 * @throws NoLinkException if there is none in time, or nothing to wait for
	 */
	Link borrow(Deadline deadline) throws InterruptedException, NoLinkException {
		Link link = borrowIdle();
		return (link != null) ? link : await(deadline);
	}

	/**
	 * Take a connection if there is one that nobody uses.
	 * @return a connection to be released or discarded
	 */
	@Nullable Link borrowIdle() {
		return this.ready.tryAcquire() ? takeIdle() : null;
	}

	private @Nullable Link takeIdle() {
		Idle found = this.idle.pollFirst();
		if (found == null) {
			return null;
		}
		if (found.age().isOver()) {
			close(found.link());
			closeIdle();
			return null;
		}
		return found.link();
	}

	private Link await(Deadline deadline) throws InterruptedException, NoLinkException {
		boolean mayWait = this.waiting.incrementAndGet() <= this.maxWaiting;
		try {
			openAnother();
			if (!mayWait) {
				throw new NoLinkException(StoreFailure.OVERLOADED, "too many requests wait for a connection", null);
			}
			while (this.ready.tryAcquire(deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
				Link link = takeIdle();
				if (link != null) {
					return link;
				}
				openAnother();
			}
		}
		finally {
			this.waiting.decrementAndGet();
		}
		throw (this.open.get() > 0) ? new NoLinkException(StoreFailure.EXHAUSTED, "all connections stay in use", null)
				: new NoLinkException(StoreFailure.TIMEOUT, "no connection was opened in time", null);
	}

	/** Or say at once why that has just failed, if there is nothing else to wait for. */
	private void openAnother() throws NoLinkException {
		if (this.closed) {
			throw new NoLinkException(StoreFailure.UNREACHABLE, "the server is no longer asked", null);
		}
		Outage last = this.outage;
		if (last != null ? mayTryAgain(last) : mayOpen()) {
			openInBackground();
		}
		else if (last != null && this.open.get() == 0) {
			throw new NoLinkException(StoreFailures.classify(last.cause()), "the server was not reached", last.cause());
		}
	}

	private boolean mayOpen() {
		return this.openOrOpening
			.getAndUpdate((count) -> Math.min(count + 1, this.maxConnections)) < this.maxConnections;
	}

	/** One request at a time waits for a server that was away. */
	private boolean mayTryAgain(Outage last) {
		int before = this.open.get();
		return !last.isPausing() && before < this.maxConnections
				&& this.openOrOpening.compareAndSet(before, before + 1);
	}

	private void openInBackground() {
		try {
			this.opener.execute(this::open);
		}
		catch (Throwable ex) {
			// There may be no memory for another thread.
			failedToOpen(this.outage, ex);
		}
	}

	private void open() {
		Outage last = this.outage;
		if (this.closed || (last != null && last.isPausing())) {
			this.openOrOpening.decrementAndGet();
			return;
		}
		try {
			Link link = this.opening.get();
			this.open.incrementAndGet();
			this.outage = null;
			release(link);
		}
		catch (Throwable ex) {
			// After an Error, too, there is one less that opens.
			failedToOpen(last, ex);
		}
		finally {
			this.attempted.countDown();
		}
	}

	private void failedToOpen(@Nullable Outage last, Throwable cause) {
		this.openOrOpening.decrementAndGet();
		this.outage = Outage.after(last, cause);
		// They need not wait any longer.
		this.ready.release(this.waiting.get());
	}

	/**
	 * Put a connection back. One that has brought more than was asked for is closed, as
	 * the rest would be taken for the reply to somebody else.
	 * @param link the connection
	 */
	void release(Link link) {
		if (link.hasUnread()) {
			discard(link, StoreFailure.ERROR);
			return;
		}
		this.idle.addFirst(new Idle(link, Deadline.in(LONGEST_IDLE)));
		Idle oldest = this.idle.peekLast();
		if (oldest != null && oldest.age().isOver() && this.idle.remove(oldest)) {
			closeIdle(oldest);
		}
		if (this.closed) {
			closeIdle();
		}
		this.ready.release();
	}

	/**
	 * Close a connection that failed. Where the server hung up, the idle ones are closed
	 * as well: a server that has restarted would fail one request for each of them.
	 * @param link the connection
	 * @param failure how it failed
	 */
	void discard(Link link, StoreFailure failure) {
		close(link);
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
		close(unused.link());
	}

	private void close(Link link) {
		link.close();
		this.open.decrementAndGet();
		this.openOrOpening.decrementAndGet();
	}

	@Override
	public void close() {
		this.closed = true;
		this.opener.shutdown();
		closeIdle();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * A connection that nobody uses.
	 *
	 * @param link the connection
	 * @param age is over when it must no longer be used
	 */
	private record Idle(Link link, Deadline age) {
	}

}
