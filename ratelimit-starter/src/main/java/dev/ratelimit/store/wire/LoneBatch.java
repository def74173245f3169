package dev.ratelimit.store.wire;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * A batch that carries a single request, which sends other batches besides it. Used by
 * one thread. Tested by {@code SharingTests}.
 */
final class LoneBatch {

	private final NodeCalls calls;

	private final WaitingRequest pending;

	private @Nullable PipelinedBatch written;

	LoneBatch(NodeCalls calls, CallTime time) {
		this.calls = calls;
		this.pending = new WaitingRequest(calls, time);
		this.pending.appointLeader();
	}

	NodeCalls calls() {
		return this.calls;
	}

	/**
	 * Write all calls if a connection is idle.
	 * @return whether there was one
	 */
	boolean sendAtOnce() {
		Connection idle = this.calls.node().borrowIdle();
		if (idle != null) {
			write(idle);
		}
		return idle != null;
	}

	/** Write all calls, or let them fail if no connection is available in time. */
	void send() {
		try {
			write(this.calls.node().borrow(this.pending.time()));
		}
		catch (NoConnectionException ex) {
			this.calls.notSent(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.calls.notSent(StoreFailure.OVERLOADED, ex);
		}
	}

	private void write(Connection connection) {
		Node node = this.calls.node();
		PipelinedBatch batch = new PipelinedBatch(node, connection, new Pool(node), List.of(this.pending));
		if (this.calls.isLarge() ? writesInTime(batch, connection) : batch.write()) {
			this.written = batch;
		}
	}

	private boolean writesInTime(PipelinedBatch batch, Connection connection) {
		Node node = this.calls.node();
		Future<?> end;
		try {
			end = endLate(connection);
		}
		catch (Throwable ex) {
			// There may be no memory for the thread of the timer.
			node.discard(connection, StoreFailure.ERROR);
			throw ex;
		}
		try {
			return batch.write();
		}
		finally {
			end.cancel(false);
		}
	}

	/** Close the connection at the deadline, unless the write has ended before. */
	private Future<?> endLate(Connection connection) {
		Node node = this.calls.node();
		Future<?> end = node.timer()
			.schedule(connection::endWrite, this.pending.time().forReply(node).leftNanos(), TimeUnit.NANOSECONDS);
		if (node.timer().isShutdown()) {
			// The task may have been dropped.
			connection.endWrite();
		}
		return end;
	}

	/**
	 * Read the replies, if the calls were sent.
	 * @return whether there are replies, or their failure, to deliver
	 */
	boolean read() {
		if (this.written != null) {
			this.written.read(this.pending);
		}
		return this.pending.hasEnded();
	}

	/**
	 * Releases connections to the pool of a node.
	 *
	 * @param node the node that owns the connections
	 */
	private record Pool(Node node) implements ConnectionSource {

		@Override
		public void free(Connection connection) {
			this.node.release(connection);
		}

		@Override
		public void lost() {
		}

	}

}
