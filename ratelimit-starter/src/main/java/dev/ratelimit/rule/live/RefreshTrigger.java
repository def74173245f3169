package dev.ratelimit.rule.live;

import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells when to look again.
 */
public interface RefreshTrigger extends Closeable {

	/**
	 * Wait until it is time. Used by one thread.
	 * @param atMost how long to wait if nothing happens
	 * @throws InterruptedException if the thread is to end
	 */
	void await(Duration atMost) throws InterruptedException;

	@Override
	void close();

	/**
	 * A pace that knows of nothing that happens.
	 * @return one that always waits as long as it may
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
				// Nothing is open.
			}

		};
	}

}
