package dev.ratelimit.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * For how long threads could have run, but others had the processors: what Linux counts
 * of each. Elsewhere nobody tells, and it is zero.
 */
final class Starvation {

	private static final Path COUNTS = Path.of("/proc/thread-self/schedstat");

	private static final boolean TOLD = Files.isReadable(COUNTS);

	private final ThreadLocal<Long> told = ThreadLocal.withInitial(() -> 0L);

	/** Of this thread, since it last asked. */
	Duration more() {
		if (!TOLD) {
			return Duration.ZERO;
		}
		long nanos = ofThisThread();
		long before = this.told.get();
		this.told.set(nanos);
		return Duration.ofNanos(nanos - before);
	}

	private static long ofThisThread() {
		try {
			String counts = Files.readString(COUNTS);
			int second = counts.indexOf(' ') + 1;
			return Long.parseLong(counts.substring(second, counts.indexOf(' ', second)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
