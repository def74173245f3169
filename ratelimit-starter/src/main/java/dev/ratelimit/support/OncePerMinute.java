package dev.ratelimit.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits a log line to one a minute, however many requests cause it. Safe for concurrent
 * use: of several callers at the same time one may log. Costs one read of a clock.
 */
public final class OncePerMinute {

	private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

	private final LongSupplier nanoTime;

	private final AtomicLong quietUntilNanos;

	/**
	 * Create an instance that is due at once.
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public OncePerMinute(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.quietUntilNanos = new AtomicLong(nanoTime.getAsLong());
	}

	/**
	 * Take this minute's turn to log.
	 * @return whether no other caller took it within the last minute
	 */
	public boolean tryAcquire() {
		long now = this.nanoTime.getAsLong();
		long quietUntil = this.quietUntilNanos.get();
		return now - quietUntil >= 0 && this.quietUntilNanos.compareAndSet(quietUntil, now + QUIET_NANOS);
	}

}
