package dev.ratelimit.limiter.sync;

import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * The subjects of one limit that this instance knows of, bounded: those that nobody asks
 * for make room for others. What is evicted is told to the store at once; until then
 * somebody who comes again may be admitted as much once more.
 */
final class SyncedLimit {

	/** About 14 MB. */
	private static final int MOST_SUBJECTS = 20_000;

	private static final int MOST_PASSED_OVER = 8;

	private final Limit limit;

	private final Rhythm rhythm;

	private final Supplier<Portion> portion;

	private final Map<Subject, Cell> cells = new ConcurrentHashMap<>();

	/** In the order in which they came, or were passed over for having been asked for. */
	private final Queue<Cell> oldest = new ConcurrentLinkedQueue<>();

	SyncedLimit(Limit limit, Rhythm rhythm, Supplier<Portion> portion) {
		this.limit = limit;
		this.rhythm = rhythm;
		this.portion = portion;
	}

	Limit limit() {
		return this.limit;
	}

	long intervalNanos() {
		return this.rhythm.interval().toNanos();
	}

	/** What may be admitted without asking, as things stand. */
	Portion portion() {
		return this.portion.get();
	}

	Cell cell(Subject subject) {
		Cell known = this.cells.get(subject);
		if (known != null) {
			known.askedFor();
			return known;
		}
		Cell newcomer = new Cell(this, subject);
		known = this.cells.putIfAbsent(subject, newcomer);
		if (known != null) {
			return known;
		}
		this.oldest.add(newcomer);
		makeRoom();
		return newcomer;
	}

	/** Each newcomer looks at few of the others, however many of them are in use. */
	private void makeRoom() {
		int passesOver = MOST_PASSED_OVER;
		while (this.cells.size() > MOST_SUBJECTS) {
			Cell next = this.oldest.poll();
			if (next == null) {
				return;
			}
			if (next.wasAskedFor() && passesOver-- > 0) {
				this.oldest.add(next);
			}
			else if (this.cells.remove(next.subject(), next)) {
				this.rhythm.hurry(next);
			}
		}
	}

	Optional<Cell> find(Subject subject) {
		return Optional.ofNullable(this.cells.get(subject));
	}

	/** A cell holds what the store does not know, and maybe so much that it should. */
	void touched(Cell cell, boolean much) {
		this.rhythm.touched(cell);
		if (much) {
			this.rhythm.hurry(cell);
		}
	}

}
