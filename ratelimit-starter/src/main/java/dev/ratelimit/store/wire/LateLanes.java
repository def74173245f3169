package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Reads, on one thread, the replies that came too late for their requests. There are
 * never more lanes than connections, and the thread ends when there are none. Tested by
 * {@code LateLanesTests}.
 */
final class LateLanes implements AutoCloseable {

	private static final Duration BETWEEN_POLLS = Duration.ofMillis(5);

	private final BlockingQueue<Late> added = new LinkedBlockingQueue<>();

	private final ExecutorService thread;

	/**
	 * Create it.
	 * @param thread a thread for one task, which this object closes
	 */
	LateLanes(ExecutorService thread) {
		this.thread = thread;
	}

	/**
	 * Read the replies that are still to come, or give them up if there is no thread that
	 * could.
	 * @param lane waits for them
	 */
	void add(Late lane) {
		this.added.add(lane);
		if (!startToWork() && this.added.remove(lane)) {
			lane.giveUp();
		}
	}

	private boolean startToWork() {
		try {
			this.thread.execute(this::work);
			return !this.thread.isShutdown();
		}
		catch (OutOfMemoryError ex) {
			// There is none for the thread.
			return false;
		}
	}

	private void work() {
		List<Late> lanes = new ArrayList<>();
		try {
			this.added.drainTo(lanes);
			while (!lanes.isEmpty()) {
				lanes.removeIf(Late::proceed);
				Late next = this.added.poll(BETWEEN_POLLS.toMillis(), TimeUnit.MILLISECONDS);
				if (next != null) {
					lanes.add(next);
				}
			}
		}
		catch (Throwable ex) {
			// The store was closed, or there is no memory.
			this.added.drainTo(lanes);
			lanes.forEach(Late::giveUp);
		}
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		// The task that would have taken them may have been dropped.
		for (Late lane = this.added.poll(); lane != null; lane = this.added.poll()) {
			lane.giveUp();
		}
	}

	/** A lane whose requests have all left. */
	interface Late {

		/**
		 * Read the replies that have arrived. Neither waits nor throws.
		 * @return whether those were all, or no more will come
		 */
		boolean proceed();

		/** Give up: the outcome of the outstanding calls will never be known. */
		void giveUp();

	}

}
