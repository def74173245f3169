package dev.ratelimit.proof;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Threads that only wait, as long as a request may, in the same process at the same time.
 * A request may be as late as they are: that delay is of the machine, not of the limiter.
 */
final class Controls implements AutoCloseable {

	private final Duration duration;

	private final AtomicLong worstNanos = new AtomicLong();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final List<Thread> threads;

	private Controls(Duration duration, int count) {
		this.duration = duration;
		this.threads = IntStream.range(0, count).mapToObj((i) -> new Thread(this::run, "control-" + i)).toList();
	}

	/**
	 * Begin to wait.
	 * @param duration how long, again and again
	 * @param count how many threads
	 * @return the controls
	 */
	static Controls start(Duration duration, int count) {
		Controls controls = new Controls(duration, count);
		controls.threads.forEach(Thread::start);
		return controls;
	}

	private void run() {
		while (this.closed.getCount() > 0) {
			long start = System.nanoTime();
			long left = this.duration.toNanos();
			while (left > 0) {
				LockSupport.parkNanos(left);
				left = start + this.duration.toNanos() - System.nanoTime();
			}
			this.worstNanos.accumulateAndGet(-left, Math::max);
		}
	}

	/** By how much the latest of them was late. */
	Duration worst() {
		return Duration.ofNanos(this.worstNanos.get());
	}

	@Override
	public void close() {
		this.closed.countDown();
		for (Thread thread : this.threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
