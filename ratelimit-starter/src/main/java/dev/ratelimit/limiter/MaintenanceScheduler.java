package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.Restartable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Repeats background tasks that no request should wait for, on one daemon thread. A task
 * that throws is logged at DEBUG and affects neither its next run nor the other tasks.
 */
public final class MaintenanceScheduler implements Restartable {

	private static final Log logger = LogFactory.getLog(MaintenanceScheduler.class);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final Duration pause;

	private final List<Runnable> tasks;

	private final Runnable atTheEnd;

	private volatile ScheduledThreadPoolExecutor executor;

	private MaintenanceScheduler(Duration pause, List<Runnable> tasks, Runnable atTheEnd) {
		this.pause = pause;
		this.tasks = List.copyOf(tasks);
		this.atTheEnd = atTheEnd;
		this.executor = begin();
	}

	/**
	 * Start a scheduler, which begins at once.
	 * @param pause the time between two rounds
	 * @param tasks the tasks of each round, in this order
	 * @param atTheEnd the last task of all, run on the thread that closes
	 * @return the scheduler, which has to be closed
	 */
	public static MaintenanceScheduler start(Duration pause, List<Runnable> tasks, Runnable atTheEnd) {
		return new MaintenanceScheduler(pause, tasks, atTheEnd);
	}

	private ScheduledThreadPoolExecutor begin() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
				DaemonThreads.factory("ratelimit-maintenance"));
		ScheduledFuture<?> ignored = executor.scheduleWithFixedDelay(
				() -> this.tasks.forEach(MaintenanceScheduler::run), 0, this.pause.toMillis(), TimeUnit.MILLISECONDS);
		return executor;
	}

	@Override
	public void restart() {
		this.executor = begin();
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			// Otherwise the executor would never run any of the tasks again.
			logger.debug("A maintenance task failed, and is tried again", ex);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
		try {
			boolean ignored = this.executor.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		run(this.atTheEnd);
	}

}
