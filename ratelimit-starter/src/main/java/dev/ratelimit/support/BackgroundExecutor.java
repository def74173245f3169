package dev.ratelimit.support;

import java.time.Duration;

/**
 * Runs tasks that no request waits for, one after the other. After a restart, repeated
 * tasks are repeated again.
 */
public interface BackgroundExecutor extends Restartable {

	/**
	 * Run a task repeatedly.
	 * @param interval the time from one start to the next
	 * @param task the task, which does not throw
	 */
	void every(Duration interval, Runnable task);

	/**
	 * Run a task as soon as possible.
	 * @param task the task, which does not throw
	 */
	void soon(Runnable task);

	/** Wait for the current task to end, and run no more tasks. */
	@Override
	void close();

}
