package dev.ratelimit.rule.live;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The only thread that refreshes all sources, a daemon. It refreshes them periodically,
 * and when the file of rules looks different: in its real path, size, time or file key.
 * So editors that replace a file, and Kubernetes, which replaces a link in its path, are
 * noticed within about a second. A file that is written in place is read when it has
 * looked the same twice.
 */
public final class RefreshThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RefreshThread.class);

	/** Half of the time within which a change of the file is noticed. */
	private static final Duration LOOK = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final RuleRefresh refresh;

	private final Optional<Path> file;

	private final Duration interval;

	private final Thread thread;

	private RefreshThread(RuleRefresh refresh, Optional<Path> file, Duration interval) {
		this.refresh = refresh;
		this.file = file;
		this.interval = interval;
		this.thread = DaemonThreads.create("ratelimit-rules", this::run);
	}

	/**
	 * Start the thread.
	 * @param refresh refreshes the sources
	 * @param file the file of rules, if there is one; it need not exist
	 * @param interval the longest time between two refreshes
	 * @return the thread, which must be closed
	 */
	public static RefreshThread start(RuleRefresh refresh, Optional<Path> file, Duration interval) {
		RefreshThread refreshing = new RefreshThread(refresh, file, interval);
		refreshing.thread.start();
		return refreshing;
	}

	/**
	 * The sources were read before the thread started, so they are read again at once.
	 */
	private void run() {
		try {
			List<?> read;
			do {
				read = look();
				tryRefresh();
			}
			while (!isClosedAfterWaiting(read));
		}
		catch (InterruptedException ex) {
			// The thread was closed.
		}
	}

	/** The thread must not end even after an Error: no other one would refresh again. */
	private void tryRefresh() {
		try {
			this.refresh.refresh();
		}
		catch (Throwable ex) {
			logger.debug("A refresh of the rules has failed", ex);
		}
	}

	/** Waits for the interval, or until the file has changed since it was read. */
	private boolean isClosedAfterWaiting(List<?> read) throws InterruptedException {
		List<?> before = read;
		long pauseMillis = this.file.isPresent() ? LOOK.toMillis() : this.interval.toMillis();
		for (long leftMillis = this.interval.toMillis(); leftMillis > 0; leftMillis -= pauseMillis) {
			if (this.closed.await(Math.min(leftMillis, pauseMillis), TimeUnit.MILLISECONDS)) {
				return true;
			}
			List<?> now = look();
			if (now.equals(before) && !now.equals(read)) {
				return false;
			}
			before = now;
		}
		return false;
	}

	/**
	 * A change that it misses is found by the next refresh. Nothing that it throws may
	 * end the thread.
	 */
	private List<?> look() {
		if (this.file.isEmpty()) {
			return List.of();
		}
		try {
			Path path = this.file.get().toRealPath();
			BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
			return Arrays.asList(path, attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
		}
		catch (Throwable ex) {
			return List.of();
		}
	}

	/** Waits a moment for a running refresh, which may swallow the interrupt. */
	@Override
	public void close() {
		this.closed.countDown();
		this.thread.interrupt();
		try {
			this.thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
