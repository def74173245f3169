package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreFailure;

/**
 * Waits, on one thread, for replies that came too late for their requests. There are
 * never more exchanges than connections, and the thread ends when there are none. Tested
 * by {@code LateRepliesTests}.
 */
final class LateReplyReader implements AutoCloseable {

	private static final Duration BETWEEN_POLLS = Duration.ofMillis(5);

	private final BlockingQueue<LateReplies> added = new LinkedBlockingQueue<>();

	private final ExecutorService thread;

	/**
	 * Create it.
	 * @param thread a thread for one task, which this object closes
	 */
	LateReplyReader(ExecutorService thread) {
		this.thread = thread;
	}

	/**
	 * Wait for the replies to calls. If there is no thread that could, gives them up.
	 * @param node the node the calls were sent to
	 * @param connection the connection, to be released or discarded when the replies have
	 * arrived
	 * @param usable whether the server will accept more calls over the connection
	 * @param outstanding the commands whose replies come next, in their order
	 * @param unsent calls that have yet to be sent, to undo others
	 */
	void await(Node node, Connection connection, boolean usable, List<Command> outstanding, List<NodeCall> unsent) {
		LateReplies calls = new LateReplies(node, connection, usable, outstanding, unsent);
		this.added.add(calls);
		if (!startToWork(node) && this.added.remove(calls)) {
			calls.giveUp(StoreFailure.TIMEOUT);
		}
	}

	private boolean startToWork(Node node) {
		try {
			this.thread.execute(this::work);
			return !this.thread.isShutdown();
		}
		catch (Throwable ex) {
			// There may be no memory for the thread.
			node.logger().debug("No thread reads late replies of " + node, ex);
			return false;
		}
	}

	private void work() {
		List<LateReplies> exchanges = new ArrayList<>();
		try {
			this.added.drainTo(exchanges);
			while (!exchanges.isEmpty()) {
				exchanges.removeIf(LateReplies::proceed);
				LateReplies next = this.added.poll(BETWEEN_POLLS.toMillis(), TimeUnit.MILLISECONDS);
				if (next != null) {
					exchanges.add(next);
				}
			}
		}
		catch (InterruptedException ex) {
			this.added.drainTo(exchanges);
			exchanges.forEach((calls) -> calls.giveUp(StoreFailure.TIMEOUT));
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		// The task that would have taken them may have been dropped.
		for (LateReplies calls = this.added.poll(); calls != null; calls = this.added.poll()) {
			calls.giveUp(StoreFailure.TIMEOUT);
		}
	}

}
