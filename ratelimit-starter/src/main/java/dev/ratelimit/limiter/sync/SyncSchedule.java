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
 * The counters of one interval that have unsynced permits. A counter with {@value #FEW}
 * such permits or fewer waits up to {@value #LONGEST_WAIT} intervals, so that rarely used
 * keys do not cost a call per request.
 */
final class SyncSchedule {

	/** With more than this, a call carries at least five permits. */
	private static final int FEW = 4;

	private static final int LONGEST_WAIT = 10;

	private final Duration interval;

	private final Runnable hurry;

	private final Set<SyncedCounter> touched = ConcurrentHashMap.newKeySet();

	private final Queue<SyncedCounter> hurried = new ConcurrentLinkedQueue<>();

	/**
	 * Create a schedule.
	 * @param interval the time between two rounds
	 * @param hurry requests an early round for the urgent counters
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
	 * The counters that are due. They are removed here, and added again when they have
	 * new unsynced permits.
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

	/** The counters that cannot wait until they are due. */
	List<SyncedCounter> hurried() {
		List<SyncedCounter> hurried = new ArrayList<>();
		for (SyncedCounter counter = this.hurried.poll(); counter != null; counter = this.hurried.poll()) {
			this.touched.remove(counter);
			hurried.add(counter);
		}
		return hurried;
	}

	/** All counters, which are removed here. */
	List<SyncedCounter> all() {
		return new ArrayList<>(this.touched).stream().filter(this.touched::remove).toList();
	}

}
