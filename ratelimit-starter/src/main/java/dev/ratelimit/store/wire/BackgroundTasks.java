package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;

/**
 * Background threads for work outside the requests.
 */
final class BackgroundTasks {

	private static final Duration IDLE = Duration.ofSeconds(10);

	private BackgroundTasks() {
	}

	/**
	 * Create a single daemon thread that runs one task after the other, and ends while
	 * there are none.
	 * @param name the name of the thread
	 * @return the thread
	 */
	static ExecutorService thread(String name) {
		return thread(name, new LinkedBlockingQueue<>());
	}

	/**
	 * Create a single daemon thread for a task that does all there is to do. While it
	 * runs, it is enqueued once more at most.
	 */
	static ExecutorService threadForOneTask(String name) {
		return thread(name, new LinkedBlockingQueue<>(1));
	}

	private static ExecutorService thread(String name, BlockingQueue<Runnable> tasks) {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS, tasks,
				DaemonThreads.factory(name), new ThreadPoolExecutor.DiscardPolicy());
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	/**
	 * Create a single daemon thread for tasks that are due later.
	 * @param name the name of the thread
	 * @return the thread
	 */
	static ScheduledExecutorService timer(String name) {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.factory(name),
				new ThreadPoolExecutor.DiscardPolicy());
		executor.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
