package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Repeats background tasks that no request should wait for, on one daemon thread. A task
 * that throws is logged at DEBUG and affects neither its next run nor the other tasks.
 */
public final class MaintenanceScheduler implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(MaintenanceScheduler.class);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.factory("ratelimit-maintenance"));

	private final Runnable atTheEnd;

	private MaintenanceScheduler(Runnable atTheEnd) {
		this.atTheEnd = atTheEnd;
	}

	/**
	 * Start a scheduler, which begins at once.
	 * @param pause the time between two rounds
	 * @param tasks the tasks of each round, in this order
	 * @param atTheEnd the last task of all, run on the thread that closes
	 * @return the scheduler, which has to be closed
	 */
	public static MaintenanceScheduler start(Duration pause, List<Runnable> tasks, Runnable atTheEnd) {
		MaintenanceScheduler scheduler = new MaintenanceScheduler(atTheEnd);
		List<Runnable> all = List.copyOf(tasks);
		ScheduledFuture<?> ignored = scheduler.executor.scheduleWithFixedDelay(
				() -> all.forEach(MaintenanceScheduler::run), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
		return scheduler;
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
