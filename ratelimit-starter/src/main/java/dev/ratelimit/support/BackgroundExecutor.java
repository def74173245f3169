package dev.ratelimit.support;

import java.time.Duration;

/**
 * Runs tasks that no request waits for, one after the other.
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

	/**
	 * Run repeated tasks again. Tasks that were to run soon when it was closed are
	 * dropped.
	 */
	@Override
	void restart();

	/** Wait for the current task to end, and run no more tasks. */
	@Override
	void close();

}
