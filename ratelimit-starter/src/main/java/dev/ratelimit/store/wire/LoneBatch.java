package dev.ratelimit.store.wire;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreFailure;

/**
 * A batch that carries a single request, which is too large to share it. Used by one
 * thread. Tested by {@code LargeWritesTests}.
 */
final class LoneBatch {

	private final NodeCalls calls;

	private final WaitingRequest pending;

	LoneBatch(NodeCalls calls, CallTime time) {
		this.calls = calls;
		this.pending = new WaitingRequest(calls, time);
		this.pending.appointLeader();
	}

	/**
	 * Write all calls and read the replies.
	 * @return whether the exchange took place and the replies, or their failure, are to
	 * be delivered; else the calls have failed
	 */
	boolean run() {
		Node node = this.calls.node();
		try {
			Connection connection = node.borrow(this.pending.time());
			PipelinedBatch batch = new PipelinedBatch(node, connection, new Pool(node), List.of(this.pending));
			if (writesInTime(batch, connection)) {
				batch.read(this.pending);
			}
		}
		catch (NoConnectionException ex) {
			this.calls.notSent(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.calls.notSent(StoreFailure.OVERLOADED, ex);
		}
		return this.pending.hasEnded();
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
