package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One daemon thread, which starts with the first task.
 */
final class SyncThread implements SyncExecutor {

	private static final Log logger = LogFactory.getLog(SyncThread.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.factory("ratelimit-sync"));

	@Override
	public void every(Duration interval, Runnable task) {
		ifOpen(() -> {
			ScheduledFuture<?> ignored = this.executor.scheduleAtFixedRate(() -> run(task), interval.toNanos(),
					interval.toNanos(), TimeUnit.NANOSECONDS);
		});
	}

	@Override
	public void soon(Runnable task) {
		ifOpen(() -> this.executor.execute(() -> run(task)));
	}

	private static void ifOpen(Runnable scheduling) {
		try {
			scheduling.run();
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The limiter is closed, which syncs with the store by itself", ex);
		}
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			// Otherwise the executor would never run the task again.
			logger.debug("Synchronization failed, and is tried again", ex);
		}
	}

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
