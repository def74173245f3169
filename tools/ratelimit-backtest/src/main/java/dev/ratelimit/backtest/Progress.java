package dev.ratelimit.backtest;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Prints the progress on one line, once a second at most.
 */
final class Progress implements Runnable {

	private static final int LINES_PER_LOOK = 1024;

	private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LongSupplier bytesRead;

	private final long bytes;

	private final PrintStream out;

	private final LongSupplier nanoTime;

	private final long startNanos;

	private long lines;

	private long reportedNanos;

	private boolean reported;

	/**
	 * Create the progress.
	 * @param bytesRead the number of bytes read so far
	 * @param bytes the number of bytes in total
	 * @param out where to print
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	Progress(LongSupplier bytesRead, long bytes, PrintStream out, LongSupplier nanoTime) {
		this.bytesRead = bytesRead;
		this.bytes = bytes;
		this.out = out;
		this.nanoTime = nanoTime;
		this.startNanos = nanoTime.getAsLong();
		this.reportedNanos = this.startNanos;
	}

	/** Called after every line of the log. */
	@Override
	public void run() {
		this.lines++;
		if (this.lines % LINES_PER_LOOK == 0 && this.nanoTime.getAsLong() - this.reportedNanos >= PAUSE_NANOS) {
			report();
		}
	}

	/** Called after the last line. */
	void end() {
		if (this.reported) {
			report();
			this.out.println();
		}
	}

	private void report() {
		this.reportedNanos = this.nanoTime.getAsLong();
		double seconds = (this.reportedNanos - this.startNanos) / 1e9;
		this.out.printf(Locale.ROOT, "\r%3.0f %%  %,d lines, %,.0f per second ",
				100.0 * this.bytesRead.getAsLong() / Math.max(1, this.bytes), this.lines, this.lines / seconds);
		this.out.flush();
		this.reported = true;
	}

}
