package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;

/**
 * The threads that read the replies of a node for requests on virtual threads. A virtual
 * thread that has waited for a socket continues only after all others that are ready, and
 * where those compute, all requests of its batch would wait for them. There are at most
 * as many threads as connections, and none while nothing is to be read.
 */
final class ReaderThreads implements AutoCloseable {

	private static final Duration IDLE = Duration.ofSeconds(10);

	private final ExecutorService threads;

	/**
	 * Create it with no threads.
	 * @param name the name of the server
	 * @param maxConnections how many connections there are at most
	 */
	ReaderThreads(String name, int maxConnections) {
		this.threads = new ThreadPoolExecutor(0, maxConnections, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), DaemonThreads.factory("ratelimit-redis-read-" + name));
	}

	/**
	 * Read on a thread of its own.
	 * @param task reads the replies
	 * @return whether it will run; there may be no memory for a thread, or no thread left
	 * to wait for
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
