package dev.ratelimit.backtest;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells whoever waits how far it is, once a second at most, on one line.
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

	private long toldNanos;

	private boolean told;

	/**
	 * Begin.
	 * @param bytesRead how many bytes have been read
	 * @param bytes how many there are
	 * @param out where to tell
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	Progress(LongSupplier bytesRead, long bytes, PrintStream out, LongSupplier nanoTime) {
		this.bytesRead = bytesRead;
		this.bytes = bytes;
		this.out = out;
		this.nanoTime = nanoTime;
		this.startNanos = nanoTime.getAsLong();
		this.toldNanos = this.startNanos;
	}

	/** One line more. */
	@Override
	public void run() {
		this.lines++;
		if (this.lines % LINES_PER_LOOK == 0 && this.nanoTime.getAsLong() - this.toldNanos >= PAUSE_NANOS) {
			tell();
		}
	}

	/** The last one. */
	void end() {
		if (this.told) {
			tell();
			this.out.println();
		}
	}

	private void tell() {
		this.toldNanos = this.nanoTime.getAsLong();
		double seconds = (this.toldNanos - this.startNanos) / 1e9;
		this.out.printf(Locale.ROOT, "\r%3.0f %%  %,d lines, %,.0f per second ",
				100.0 * this.bytesRead.getAsLong() / Math.max(1, this.bytes), this.lines, this.lines / seconds);
		this.out.flush();
		this.told = true;
	}

}
