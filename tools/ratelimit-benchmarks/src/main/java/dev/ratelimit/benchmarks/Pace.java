package dev.ratelimit.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When a thread asks next. Used by one thread.
 */
final class Pace {

	private final long intervalNanos;

	private long dueNanos;

	private Pace(long intervalNanos, long firstNanos) {
		this.intervalNanos = intervalNanos;
		this.dueNanos = firstNanos;
	}

	/**
	 * The pace of one of the threads of a workload, which take turns.
	 */
	static Pace of(Workload workload, long number) {
		if (!workload.isPaced()) {
			return new Pace(0, 0);
		}
		long between = TimeUnit.SECONDS.toNanos(1) / workload.perSecond().getAsInt();
		return new Pace(between * workload.threads(), System.nanoTime() + between * number);
	}

	/**
	 * Wait until it is time.
	 * @return when the question was due: before now where the answer to the last one came
	 * too late, so that who waits in vain counts as well
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
		// That the thread woke late is not the answer's fault.
		return late ? due : now;
	}

}
