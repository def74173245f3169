package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The cells of one interval that hold what the store does not know. A cell that has spent
 * {@value #FEW} permits or fewer waits up to {@value #LONGEST_WAIT} intervals, so that
 * keys of little use do not cost a call per request.
 */
final class SyncSchedule {

	/** With more, a call carries five permits at least. */
	private static final int FEW = 4;

	private static final int LONGEST_WAIT = 10;

	private final Duration interval;

	private final Runnable hurry;

	private final Set<SyncedCounter> touched = ConcurrentHashMap.newKeySet();

	private final Queue<SyncedCounter> hurried = new ConcurrentLinkedQueue<>();

	/**
	 * Create a rhythm.
	 * @param interval the time between two rounds
	 * @param hurry asks for a round of those that hurry
	 */
	SyncSchedule(Duration interval, Runnable hurry) {
		this.interval = interval;
		this.hurry = hurry;
	}

	Duration interval() {
		return this.interval;
	}

	void touched(SyncedCounter counter) {
		this.touched.add(counter);
	}

	void hurry(SyncedCounter counter) {
		this.hurried.add(counter);
		this.hurry.run();
	}

	/**
	 * Those whose time has come. They are forgotten here, and say so when touched again.
	 */
	List<SyncedCounter> due(long nowNanos) {
		List<SyncedCounter> due = new ArrayList<>();
		for (Iterator<SyncedCounter> all = this.touched.iterator(); all.hasNext();) {
			SyncedCounter counter = all.next();
			if (!counter.waits(FEW + 1, LONGEST_WAIT, nowNanos)) {
				all.remove();
				due.add(counter);
			}
		}
		return due;
	}

	/** Those that cannot wait for their time. */
	List<SyncedCounter> hurried() {
		List<SyncedCounter> hurried = new ArrayList<>();
		for (SyncedCounter counter = this.hurried.poll(); counter != null; counter = this.hurried.poll()) {
			this.touched.remove(counter);
			hurried.add(counter);
		}
		return hurried;
	}

	/** All of them. */
	List<SyncedCounter> all() {
		List<SyncedCounter> all = new ArrayList<>(this.touched);
		all.forEach(this.touched::remove);
		return all;
	}

}
