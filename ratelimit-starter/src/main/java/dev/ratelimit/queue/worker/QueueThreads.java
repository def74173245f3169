package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.store.PermitIds;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The threads that handle requests that were kept: one that looks for what is due, and as
 * many as there is to handle, bounded for each rule. Sleeps until something is due, or
 * half a second; what this instance keeps itself wakes it. Closing waits for what is
 * under way; what does not end in time is interrupted and handed back.
 */
public final class QueueThreads implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(QueueThreads.class);

	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final Duration LAST_WORDS = Duration.ofSeconds(2);

	private final AtomicBoolean stopping = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final AtomicInteger numbers = new AtomicInteger();

	private final ThreadPoolExecutor pool;

	private final ClassLoader loader;

	private final Thread thread;

	private final Duration grace;

	private QueueThreads(ItemQueue queue, QueuedRequestHandler handler, HandlingPermits permits, QueueSettings settings,
			QueueListener listener, Waiter waiter, PermitIds tokens, Duration grace) {
		this.loader = handler.getClass().getClassLoader();
		this.grace = grace;
		this.pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), (work) -> thread(work, "ratelimit-queue-" + this.numbers.incrementAndGet()));
		ItemHandling run = new ItemHandling(queue, handler, permits, settings, listener, waiter, this.stopping::get);
		QueueWorker worker = new QueueWorker(queue, permits, run, settings, listener, this.pool, tokens,
				waiter.nanoTime());
		this.thread = thread(() -> loop(worker, waiter), "ratelimit-queue");
		worker.whenDone(this::wake);
	}

	/**
	 * Begin at once.
	 * @param queue where requests are kept
	 * @param handler handles them
	 * @param permits asks for room
	 * @param settings how they are handled
	 * @param listener hears of what happens
	 * @param waiter lets threads wait
	 * @param tokens makes names that no other instance makes
	 * @param grace how long closing waits for what is under way
	 * @return what is to be closed
	 */
	public static QueueThreads start(ItemQueue queue, QueuedRequestHandler handler, HandlingPermits permits,
			QueueSettings settings, QueueListener listener, Waiter waiter, PermitIds tokens, Duration grace) {
		QueueThreads threads = new QueueThreads(queue, handler, permits, settings, listener, waiter, tokens, grace);
		threads.thread.start();
		return threads;
	}

	private Thread thread(Runnable work, String name) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		thread.setContextClassLoader(this.loader);
		return thread;
	}

	private void loop(QueueWorker worker, Waiter waiter) {
		// Leases are kept as long as anything is under way.
		while (!this.closed.get()) {
			Duration next = round(worker);
			// Nothing begins any more.
			waiter.park().accept((this.stopping.get() ? QueueWorker.PAUSE : next).toNanos());
		}
	}

	private static Duration round(QueueWorker worker) {
		try {
			return worker.round();
		}
		catch (RuntimeException | Error ex) {
			// Or nothing would be handled any more.
			logger.warn("Looking for requests that were kept failed, and is tried again", ex);
			return QueueWorker.PAUSE;
		}
	}

	/** Look at once: something may be due. */
	public void wake() {
		LockSupport.unpark(this.thread);
	}

	@Override
	public void close() {
		this.stopping.set(true);
		this.pool.shutdown();
		try {
			if (!this.pool.awaitTermination(this.grace.toMillis(), TimeUnit.MILLISECONDS)) {
				this.pool.shutdownNow();
				boolean ignored = this.pool.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			this.pool.shutdownNow();
			Thread.currentThread().interrupt();
		}
		this.closed.set(true);
		wake();
	}

}
