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
final class Rhythm {

	/** With more, a call carries five permits at least. */
	private static final int FEW = 4;

	private static final int LONGEST_WAIT = 10;

	private final Duration interval;

	private final Runnable hurry;

	private final Set<Cell> touched = ConcurrentHashMap.newKeySet();

	private final Queue<Cell> hurried = new ConcurrentLinkedQueue<>();

	/**
	 * Create a rhythm.
	 * @param interval the time between two rounds
	 * @param hurry asks for a round of those that hurry
	 */
	Rhythm(Duration interval, Runnable hurry) {
		this.interval = interval;
		this.hurry = hurry;
	}

	Duration interval() {
		return this.interval;
	}

	void touched(Cell cell) {
		this.touched.add(cell);
	}

	void hurry(Cell cell) {
		this.hurried.add(cell);
		this.hurry.run();
	}

	/**
	 * Those whose time has come. They are forgotten here, and say so when touched again.
	 */
	List<Cell> due(long nowNanos) {
		List<Cell> due = new ArrayList<>();
		for (Iterator<Cell> all = this.touched.iterator(); all.hasNext();) {
			Cell cell = all.next();
			if (!cell.waits(FEW + 1, LONGEST_WAIT, nowNanos)) {
				all.remove();
				due.add(cell);
			}
		}
		return due;
	}

	/** Those that cannot wait for their time. */
	List<Cell> hurried() {
		List<Cell> hurried = new ArrayList<>();
		for (Cell cell = this.hurried.poll(); cell != null; cell = this.hurried.poll()) {
			this.touched.remove(cell);
			hurried.add(cell);
		}
		return hurried;
	}

	/** All of them. */
	List<Cell> all() {
		List<Cell> all = new ArrayList<>(this.touched);
		all.forEach(this.touched::remove);
		return all;
	}

}
