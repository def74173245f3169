package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.OncePerMinute;
import dev.ratelimit.support.Waiter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The threads that handle queued requests: one that looks for due items, and as many as
 * there are items to handle, bounded for each rule. The first one sleeps until an item is
 * due, or half a second; requests that this instance enqueues itself wake it. Closing
 * waits for the work under way; work that does not end in time is interrupted, and its
 * item is returned to the queue.
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

	private final OncePerMinute warnings;

	private QueueThreads(ItemQueue queue, QueuedRequestHandler handler, QueueRules rules, RulePermits permits,
			QueueSettings settings, Listeners<QueueListener> listeners, Waiter waiter, PermitIds tokens,
			Duration grace) {
		this.loader = handler.getClass().getClassLoader();
		this.grace = grace;
		this.warnings = new OncePerMinute(waiter.nanoTime());
		this.pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), (work) -> thread(work, "ratelimit-queue-" + this.numbers.incrementAndGet()));
		ItemHandling run = new ItemHandling(queue, handler, rules, permits, settings, listeners, waiter,
				this.stopping::get);
		QueueWorker worker = new QueueWorker(queue, rules, run, settings, listeners, this.pool, tokens,
				waiter.nanoTime());
		this.thread = thread(() -> loop(worker, waiter), "ratelimit-queue");
		worker.whenDone(this::wake);
	}

	/**
	 * Start at once.
	 * @param queue stores the requests
	 * @param handler handles them
	 * @param rules the rules that enqueue
	 * @param permits acquires their permits
	 * @param settings how they are handled
	 * @param listeners are notified of events
	 * @param waiter lets threads wait
	 * @param tokens creates names that no other instance creates
	 * @param grace how long closing waits for the work under way
	 * @return the threads, to be closed
	 */
	public static QueueThreads start(ItemQueue queue, QueuedRequestHandler handler, QueueRules rules,
			RulePermits permits, QueueSettings settings, Listeners<QueueListener> listeners, Waiter waiter,
			PermitIds tokens, Duration grace) {
		QueueThreads threads = new QueueThreads(queue, handler, rules, permits, settings, listeners, waiter, tokens,
				grace);
		threads.thread.start();
		return threads;
	}

	private Thread thread(Runnable work, String name) {
		Thread thread = DaemonThreads.create(name, work);
		thread.setContextClassLoader(this.loader);
		return thread;
	}

	private void loop(QueueWorker worker, Waiter waiter) {
		// Leases are prolonged as long as any work is under way.
		while (!this.closed.get()) {
			Duration next = round(worker);
			// While stopping, no work starts any more.
			waiter.park().accept((this.stopping.get() ? QueueWorker.PAUSE : next).toNanos());
		}
	}

	private Duration round(QueueWorker worker) {
		try {
			return worker.round();
		}
		catch (Throwable ex) {
			// Otherwise no more requests would be handled.
			if (this.warnings.tryAcquire()) {
				logger.warn("Looking for enqueued requests failed, and is tried again", ex);
			}
			return QueueWorker.PAUSE;
		}
	}

	/** Look for due items at once. */
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
