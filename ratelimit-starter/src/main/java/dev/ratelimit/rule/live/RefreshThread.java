package dev.ratelimit.rule.live;

import java.nio.file.ClosedWatchServiceException;
import java.time.Duration;

/**
 * The one thread that looks at all places again and again, a daemon.
 */
public final class RefreshThread implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final Thread thread;

	private final RefreshTrigger pace;

	private RefreshThread(RuleRefresh refresh, RefreshTrigger pace, Duration interval) {
		this.pace = pace;
		this.thread = new Thread(() -> run(refresh, pace, interval), "ratelimit-rules");
		this.thread.setDaemon(true);
		// Who starts it may do so with a web application's loader, which the thread would
		// keep from being collected.
		this.thread.setContextClassLoader(RefreshThread.class.getClassLoader());
	}

	/**
	 * Begin.
	 * @param refresh looks
	 * @param pace tells when; is closed with the thread
	 * @param interval the longest time between two looks
	 * @return what is to be closed
	 */
	public static RefreshThread start(RuleRefresh refresh, RefreshTrigger pace, Duration interval) {
		RefreshThread refreshing = new RefreshThread(refresh, pace, interval);
		refreshing.thread.start();
		return refreshing;
	}

	private static void run(RuleRefresh refresh, RefreshTrigger pace, Duration interval) {
		try {
			while (!Thread.currentThread().isInterrupted()) {
				pace.await(interval);
				refresh.look();
			}
		}
		catch (InterruptedException | ClosedWatchServiceException ex) {
			// Closed.
		}
	}

	/** Waits a moment for a look that is under way. */
	@Override
	public void close() {
		this.thread.interrupt();
		this.pace.close();
		try {
			this.thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
