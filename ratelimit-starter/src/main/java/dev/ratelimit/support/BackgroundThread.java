package dev.ratelimit.support;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One daemon thread, which starts with the first task. It runs tasks that no request
 * waits for, one after the other. After a restart, repeated tasks are repeated again.
 */
public class BackgroundThread implements Restartable {

	private static final Log logger = LogFactory.getLog(BackgroundThread.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final String name;

	private final Map<Runnable, Duration> repeated = new LinkedHashMap<>();

	private volatile ScheduledThreadPoolExecutor executor;

	/**
	 * Create it without a thread.
	 * @param name the name of the thread
	 */
	public BackgroundThread(String name) {
		this.name = name;
		this.executor = executor();
	}

	private ScheduledThreadPoolExecutor executor() {
		return new ScheduledThreadPoolExecutor(1, DaemonThreads.factory(this.name));
	}

	/**
	 * Run a task repeatedly.
	 * @param interval the time from one start to the next
	 * @param task the task, which does not throw
	 */
	public synchronized void every(Duration interval, Runnable task) {
		this.repeated.put(task, interval);
		repeat(task, interval);
	}

	private void repeat(Runnable task, Duration interval) {
		schedule(() -> {
			ScheduledFuture<?> ignored = this.executor.scheduleAtFixedRate(() -> run(task), interval.toNanos(),
					interval.toNanos(), TimeUnit.NANOSECONDS);
		});
	}

	/**
	 * Run a task as soon as possible.
	 * @param task the task, which does not throw
	 */
	public void soon(Runnable task) {
		schedule(() -> this.executor.execute(() -> run(task)));
	}

	@Override
	public synchronized void restart() {
		this.executor = executor();
		this.repeated.forEach(this::repeat);
	}

	private void schedule(Runnable scheduling) {
		try {
			// Before the task is queued, as there may be no memory for the thread.
			boolean ignored = this.executor.prestartCoreThread();
			scheduling.run();
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The limiter is closed, and does without this task", ex);
		}
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			// Otherwise the executor would never run the task again.
			logger.debug("A background task failed", ex);
		}
	}

	/** Wait for the current task to end, and run no more tasks. */
	@Override
	public void close() {
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.shutdown();
		try {
			boolean ignored = this.executor.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
