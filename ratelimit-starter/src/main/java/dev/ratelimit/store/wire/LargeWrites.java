package dev.ratelimit.store.wire;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the writes to a node that do not fit into a send buffer. Each uses a connection
 * of its own. Requests that only go to one node use at most half of its connections for
 * them. A write that the server does not read in time ends its connection. Tested by
 * {@code LargeWritesTests}.
 */
final class LargeWrites {

	private final Semaphore free;

	private final ScheduledExecutorService timer;

	/**
	 * Create it with no writes under way.
	 * @param maxConnections how many connections there are at most
	 * @param timer ends writes
	 */
	LargeWrites(int maxConnections, ScheduledExecutorService timer) {
		this.free = new Semaphore(Math.max(1, maxConnections / 2));
		this.timer = timer;
	}

	/** How many more may begin. */
	Semaphore free() {
		return this.free;
	}

	/**
	 * Close the connection at the deadline unless the write has ended before.
	 * @param connection the connection that is about to be written to
	 * @param deadline when the write must have ended
	 * @return a future to be cancelled when the write has ended
	 */
	Future<?> endAt(Connection connection, Deadline deadline) {
		Future<?> end = this.timer.schedule(connection::endWrite, deadline.leftNanos(), TimeUnit.NANOSECONDS);
		if (this.timer.isShutdown()) {
			// The task may have been dropped.
			connection.endWrite();
		}
		return end;
	}

}
