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
 * keys do not cost a call per request. Tested by {@code SyncRoundsTests}.
 */
final class SyncSchedule {

	/** With more than this, a call carries at least five permits. */
	private static final int FEW = 4;

	private static final int LONGEST_WAIT = 10;

	private final Duration interval;

	private final Runnable requestRound;

	private final Set<SyncedCounter> dirty = ConcurrentHashMap.newKeySet();

	private final Queue<SyncedCounter> urgent = new ConcurrentLinkedQueue<>();

	/**
	 * Create a schedule.
	 * @param interval the time between two rounds
	 * @param requestRound requests an early round for the urgent counters
	 */
	SyncSchedule(Duration interval, Runnable requestRound) {
		this.interval = interval;
		this.requestRound = requestRound;
	}

	Duration interval() {
		return this.interval;
	}

	void markDirty(SyncedCounter counter) {
		this.dirty.add(counter);
	}

	void expedite(SyncedCounter counter) {
		this.urgent.add(counter);
		this.requestRound.run();
	}

	/**
	 * The counters that are due. They are removed here, and added again when they have
	 * new unsynced permits.
	 */
	List<SyncedCounter> takeDue(long nowNanos) {
		List<SyncedCounter> due = new ArrayList<>();
		for (Iterator<SyncedCounter> all = this.dirty.iterator(); all.hasNext();) {
			SyncedCounter counter = all.next();
			if (!counter.tryDefer(FEW + 1, LONGEST_WAIT, nowNanos)) {
				all.remove();
				due.add(counter);
			}
		}
		return due;
	}

	/** The counters that cannot wait until they are due. */
	List<SyncedCounter> takeUrgent() {
		List<SyncedCounter> urgent = new ArrayList<>();
		for (SyncedCounter counter = this.urgent.poll(); counter != null; counter = this.urgent.poll()) {
			this.dirty.remove(counter);
			urgent.add(counter);
		}
		return urgent;
	}

	/** All counters, which are removed here. */
	List<SyncedCounter> takeAll() {
		return new ArrayList<>(this.dirty).stream().filter(this.dirty::remove).toList();
	}

}
