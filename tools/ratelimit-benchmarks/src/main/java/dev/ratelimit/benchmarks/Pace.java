package dev.ratelimit.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The times at which a thread sends requests. Used by one thread.
 */
final class Pace {

	private final long intervalNanos;

	private long dueNanos;

	private Pace(long intervalNanos, long firstNanos) {
		this.intervalNanos = intervalNanos;
		this.dueNanos = firstNanos;
	}

	/**
	 * The pace of one thread of a workload, whose threads take turns.
	 */
	static Pace of(Workload workload, long number) {
		if (!workload.isPaced()) {
			return new Pace(0, 0);
		}
		long between = TimeUnit.SECONDS.toNanos(1) / workload.perSecond().getAsInt();
		return new Pace(between * workload.threads(), System.nanoTime() + between * number);
	}

	/**
	 * Wait until the next request is due.
	 * @return when the request was due: in the past if the previous response came too
	 * late, so that the waiting time counts as well
	 */
	long await() {
		long now = System.nanoTime();
		if (this.intervalNanos == 0) {
			return now;
		}
		long due = this.dueNanos;
		this.dueNanos += this.intervalNanos;
		boolean late = now > due;
		while (now < due) {
			LockSupport.parkNanos(due - now);
			now = System.nanoTime();
		}
		// A late wake-up of the thread must not count as latency.
		return late ? due : now;
	}

}
