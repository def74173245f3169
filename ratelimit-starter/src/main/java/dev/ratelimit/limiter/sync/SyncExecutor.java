package dev.ratelimit.limiter.sync;

import java.time.Duration;

/**
 * Runs what no request waits for, one after the other.
 */
interface SyncExecutor extends AutoCloseable {

	/**
	 * Run a task again and again.
	 * @param interval the time from one beginning to the next
	 * @param task the task, which does not throw
	 */
	void every(Duration interval, Runnable task);

	/**
	 * Run a task as soon as possible.
	 * @param task the task, which does not throw
	 */
	void soon(Runnable task);

	/** Run nothing any more, when what runs now has ended. */
	@Override
	void close();

}
