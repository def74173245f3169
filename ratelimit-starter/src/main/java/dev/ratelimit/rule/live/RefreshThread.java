package dev.ratelimit.rule.live;

import java.nio.file.ClosedWatchServiceException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The only thread that refreshes all sources periodically, a daemon.
 */
public final class RefreshThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RefreshThread.class);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final AtomicBoolean closed = new AtomicBoolean();

	private final Thread thread;

	private final RefreshTrigger trigger;

	private RefreshThread(RuleRefresh refresh, RefreshTrigger trigger, Duration interval) {
		this.trigger = trigger;
		this.thread = DaemonThreads.create("ratelimit-rules", () -> run(refresh, trigger, interval));
	}

	/**
	 * Start the thread.
	 * @param refresh refreshes the sources
	 * @param trigger triggers a refresh; is closed with the thread
	 * @param interval the longest time between two refreshes
	 * @return the thread, which must be closed
	 */
	public static RefreshThread start(RuleRefresh refresh, RefreshTrigger trigger, Duration interval) {
		RefreshThread refreshing = new RefreshThread(refresh, trigger, interval);
		refreshing.thread.start();
		return refreshing;
	}

	private void run(RuleRefresh refresh, RefreshTrigger trigger, Duration interval) {
		try {
			// The sources were read before they were watched.
			tryRefresh(refresh);
			while (!this.closed.get()) {
				await(trigger, interval);
				tryRefresh(refresh);
			}
		}
		catch (InterruptedException | ClosedWatchServiceException ex) {
			// The trigger was closed.
		}
	}

	/** The thread must not end even after an Error: no other one would refresh again. */
	private static void tryRefresh(RuleRefresh refresh) {
		try {
			refresh.refresh();
		}
		catch (Throwable ex) {
			logger.debug("A refresh of the rules has failed", ex);
		}
	}

	private static void await(RefreshTrigger trigger, Duration interval) throws InterruptedException {
		try {
			trigger.await(interval);
		}
		catch (ClosedWatchServiceException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			logger.debug("A change of the rules is only noticed by the next refresh", ex);
			RefreshTrigger.steady().await(interval);
		}
	}

	/** Waits a moment for a running refresh, which may swallow the interrupt. */
	@Override
	public void close() {
		this.closed.set(true);
		this.thread.interrupt();
		this.trigger.close();
		try {
			this.thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
