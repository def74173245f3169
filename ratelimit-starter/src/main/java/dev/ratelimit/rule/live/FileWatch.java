package dev.ratelimit.rule.live;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Triggers a refresh when a file changes. It watches the directory, because editors
 * replace files, and Kubernetes replaces the link {@code ..data} through which they are
 * visible. After a change it waits for a quiet moment, so that a file is not read while
 * it is being written. If nothing can be watched, it triggers at a steady interval.
 */
public final class FileWatch implements RefreshTrigger {

	private static final Log logger = LogFactory.getLog(FileWatch.class);

	private static final Duration QUIET = Duration.ofMillis(50);

	/** A bound for a file that is written continuously. */
	private static final int MOST_MOMENTS = 20;

	private final Path directory;

	private final String name;

	private final WatchService watches;

	private final LongSupplier nanoTime;

	private FileWatch(Path file, WatchService watches, LongSupplier nanoTime) {
		this.directory = directoryOf(file);
		this.name = file.toAbsolutePath().getFileName().toString();
		this.watches = watches;
		this.nanoTime = nanoTime;
		register();
	}

	/**
	 * Watch a file.
	 * @param file the file, which need not exist
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @return a trigger that must be closed
	 */
	public static RefreshTrigger of(Path file, LongSupplier nanoTime) {
		try {
			return new FileWatch(file, file.getFileSystem().newWatchService(), nanoTime);
		}
		catch (IOException | UnsupportedOperationException ex) {
			logger.info("%s cannot be watched, and is only read again and again: %s".formatted(file, ex.getMessage()));
			return RefreshTrigger.steady();
		}
	}

	private static Path directoryOf(Path file) {
		Path parent = file.toAbsolutePath().getParent();
		return (parent != null) ? parent : file.toAbsolutePath();
	}

	/** Registers again each time, because the directory may have been recreated. */
	private void register() {
		try {
			WatchKey ignored = this.directory.register(this.watches, StandardWatchEventKinds.ENTRY_CREATE,
					StandardWatchEventKinds.ENTRY_MODIFY, StandardWatchEventKinds.ENTRY_DELETE);
		}
		catch (IOException | ClosedWatchServiceException ex) {
			logger.debug("Not watched: " + this.directory, ex);
		}
	}

	@Override
	public void await(Duration atMost) throws InterruptedException {
		register();
		boolean changes = happens(atMost);
		for (int i = 0; changes && i < MOST_MOMENTS; i++) {
			// The file may still be written.
			changes = happens(QUIET);
		}
	}

	/** Whether the file changes within a time, whatever happens to other files. */
	private boolean happens(Duration atMost) throws InterruptedException {
		long endNanos = this.nanoTime.getAsLong() + atMost.toNanos();
		for (long left = atMost.toNanos(); left > 0; left = endNanos - this.nanoTime.getAsLong()) {
			@Nullable WatchKey key = this.watches.poll(left, TimeUnit.NANOSECONDS);
			if (key == null) {
				return false;
			}
			List<WatchEvent<?>> events = key.pollEvents();
			key.reset();
			if (events.stream().anyMatch(this::concernsTheFile)) {
				return true;
			}
		}
		return false;
	}

	private boolean concernsTheFile(WatchEvent<?> event) {
		String changed = String.valueOf(event.context());
		return event.kind() == StandardWatchEventKinds.OVERFLOW || changed.equals(this.name)
				|| changed.startsWith("..");
	}

	@Override
	public void close() {
		try {
			this.watches.close();
		}
		catch (IOException ex) {
			logger.debug("Not closed", ex);
		}
	}

}
