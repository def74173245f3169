package dev.ratelimit.limiter.sync;

import java.util.Optional;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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

	private final Limit limit;

	private final Rhythm rhythm;

	private final Supplier<Portion> portion;

	private final Cache<Subject, Cell> cells;

	SyncedLimit(Limit limit, Rhythm rhythm, Supplier<Portion> portion) {
		this.limit = limit;
		this.rhythm = rhythm;
		this.portion = portion;
		this.cells = Caffeine.newBuilder()
			.maximumSize(MOST_SUBJECTS)
			.executor(Runnable::run)
			.<Subject, Cell>evictionListener((subject, cell, cause) -> {
				if (cell != null) {
					rhythm.hurry(cell);
				}
			})
			.build();
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
		Cell known = this.cells.getIfPresent(subject);
		return (known != null) ? known : this.cells.get(subject, (newcomer) -> new Cell(this, newcomer));
	}

	Optional<Cell> find(Subject subject) {
		return Optional.ofNullable(this.cells.getIfPresent(subject));
	}

	/** A cell holds what the store does not know, and maybe so much that it should. */
	void touched(Cell cell, boolean much) {
		this.rhythm.touched(cell);
		if (much) {
			this.rhythm.hurry(cell);
		}
	}

}
