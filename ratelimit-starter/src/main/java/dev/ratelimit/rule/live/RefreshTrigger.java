package dev.ratelimit.rule.live;

import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Triggers a refresh.
 */
public interface RefreshTrigger extends Closeable {

	/**
	 * Wait until the next refresh is due. Used by one thread.
	 * @param atMost the longest wait
	 * @throws InterruptedException if the thread is to end
	 */
	void await(Duration atMost) throws InterruptedException;

	@Override
	void close();

	/**
	 * A trigger that detects no changes.
	 * @return a trigger that always waits the longest time
	 */
	static RefreshTrigger steady() {
		CountDownLatch never = new CountDownLatch(1);
		return new RefreshTrigger() {

			@Override
			public void await(Duration atMost) throws InterruptedException {
				boolean ignored = never.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
			}

			@Override
			public void close() {
				// There is no resource to close.
			}

		};
	}

}
