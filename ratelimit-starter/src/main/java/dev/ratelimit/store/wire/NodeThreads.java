package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;

/**
 * The threads of a node that open connections, write large calls, and send and read for
 * requests without a thread and on virtual threads. A virtual thread that was woken
 * continues only after all others that are ready, and where those compute, all requests
 * of its batch would wait for it. Two threads per connection have work at most, one of
 * which has just handed over to the other. As many again may have none any more, while
 * they wait for a processor to notice. There are none while there is nothing to do.
 */
final class NodeThreads implements AutoCloseable {

	private static final Duration IDLE = Duration.ofSeconds(10);

	private final ExecutorService threads;

	/**
	 * Create it with no threads.
	 * @param name the name of each of them
	 * @param maxConnections how many connections there are at most
	 */
	NodeThreads(String name, int maxConnections) {
		this.threads = new ThreadPoolExecutor(0, 4 * maxConnections, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), DaemonThreads.factory(name));
	}

	/**
	 * Run a task on a thread of its own.
	 * @param task sends or reads
	 * @return whether it will run; there may be no memory for a thread, or the node is
	 * closed
	 */
	boolean run(Runnable task) {
		try {
			this.threads.execute(task);
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			return false;
		}
	}

	/** Replies to requests under way are still read. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

}
