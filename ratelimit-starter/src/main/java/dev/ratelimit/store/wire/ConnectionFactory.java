package dev.ratelimit.store.wire;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Opens the connections to one server in the background, one after the other, and counts
 * them. While the server cannot be reached it pauses between attempts. Tested by
 * {@code ReconnectTests}.
 */
final class ConnectionFactory implements AutoCloseable {

	private final Connector connector;

	private final String address;

	private final int maxConnections;

	private final Consumer<Connection> opened;

	private final Runnable failed;

	private final Incarnation incarnation;

	private final ExecutorService thread;

	private final CountDownLatch attempted = new CountDownLatch(1);

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger openOrOpening = new AtomicInteger();

	private volatile @Nullable NodeOutage outage;

	private volatile boolean closed;

	/**
	 * Create it without opening a connection.
	 * @param thread the name of its thread
	 * @param connector opens a connection; may block
	 * @param address the host and port of the server
	 * @param maxConnections how many there are at most
	 * @param opened takes a connection that was opened; closes it if it fails to
	 * @param failed is notified that an attempt has failed
	 * @param incarnation is notified of the first connection and of the loss of the last
	 * one
	 */
	ConnectionFactory(String thread, Connector connector, String address, int maxConnections,
			Consumer<Connection> opened, Runnable failed, Incarnation incarnation) {
		this.connector = connector;
		this.address = address;
		this.maxConnections = maxConnections;
		this.opened = opened;
		this.failed = failed;
		this.incarnation = incarnation;
		this.thread = BackgroundTasks.thread(thread);
	}

	/** Open a first connection, so that no request has to wait for it. */
	void openFirst() {
		if (this.openOrOpening.compareAndSet(0, 1)) {
			openInBackground();
		}
	}

	/**
	 * Wait for the first connection, or the failure to open it.
	 * @param patience how long
	 * @throws InterruptedException if the wait is interrupted
	 */
	void awaitFirst(Deadline patience) throws InterruptedException {
		boolean ignored = this.attempted.await(patience.leftNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Open another connection, if more are allowed.
	 * @throws NoConnectionException if an attempt has just failed and there is nothing
	 * else to wait for
	 */
	void openAnother() throws NoConnectionException {
		if (this.closed) {
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "the server is no longer in use", null);
		}
		NodeOutage last = this.outage;
		if (last != null ? mayTryAgain(last) : mayOpen()) {
			openInBackground();
		}
		else if (last != null && this.open.get() == 0) {
			throw new NoConnectionException(IoFailure.of(last.cause()), "the server was not reached", last.cause());
		}
	}

	private boolean mayOpen() {
		return this.openOrOpening
			.getAndUpdate((count) -> Math.min(count + 1, this.maxConnections)) < this.maxConnections;
	}

	/** After an outage, one request at a time waits for the server. */
	private boolean mayTryAgain(NodeOutage last) {
		int before = this.open.get();
		return !last.isPausing() && before < this.maxConnections
				&& this.openOrOpening.compareAndSet(before, before + 1);
	}

	private void openInBackground() {
		try {
			this.thread.execute(this::open);
		}
		catch (Throwable ex) {
			// There may be no memory for another thread.
			failedToOpen(this.outage, ex);
		}
	}

	private void open() {
		NodeOutage last = this.outage;
		if (this.closed || (last != null && last.isPausing())) {
			this.openOrOpening.decrementAndGet();
			this.attempted.countDown();
			this.failed.run();
			return;
		}
		try {
			Connection connection = connect(last);
			if (connection != null) {
				this.outage = null;
				this.opened.accept(connection);
			}
		}
		finally {
			this.attempted.countDown();
		}
	}

	/** Open and count a connection; {@code null} if that has failed. */
	private @Nullable Connection connect(@Nullable NodeOutage last) {
		try {
			Connection connection = this.connector.connect(this.address);
			count(connection);
			return connection;
		}
		catch (Throwable ex) {
			// Even after an Error, the failed attempt must no longer count as opening.
			failedToOpen(last, ex);
			return null;
		}
	}

	private void count(Connection connection) {
		if (this.open.getAndIncrement() > 0) {
			return;
		}
		try {
			this.incarnation.began(connection);
		}
		catch (Throwable ex) {
			this.open.decrementAndGet();
			connection.close();
			throw ex;
		}
	}

	private void failedToOpen(@Nullable NodeOutage last, Throwable cause) {
		this.openOrOpening.decrementAndGet();
		this.outage = NodeOutage.after(last, cause);
		this.failed.run();
	}

	boolean hasOpen() {
		return this.open.get() > 0;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Close a connection. Another one may be opened in its place.
	 * @param connection the connection
	 */
	void close(Connection connection) {
		connection.close();
		if (this.open.decrementAndGet() == 0) {
			this.incarnation.ended();
		}
		this.openOrOpening.decrementAndGet();
	}

	/** Stop opening connections. */
	@Override
	public void close() {
		this.closed = true;
		this.thread.shutdown();
	}

}
