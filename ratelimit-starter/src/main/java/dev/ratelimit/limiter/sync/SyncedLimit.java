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

	private final SyncSchedule schedule;

	private final Supplier<LocalQuota> quota;

	private final Map<Subject, SyncedCounter> counters = new ConcurrentHashMap<>();

	/** In the order in which they came, or were passed over for having been asked for. */
	private final Queue<SyncedCounter> oldest = new ConcurrentLinkedQueue<>();

	SyncedLimit(Limit limit, SyncSchedule schedule, Supplier<LocalQuota> quota) {
		this.limit = limit;
		this.schedule = schedule;
		this.quota = quota;
	}

	Limit limit() {
		return this.limit;
	}

	long intervalNanos() {
		return this.schedule.interval().toNanos();
	}

	/** What may be admitted without asking, as things stand. */
	LocalQuota quota() {
		return this.quota.get();
	}

	SyncedCounter counter(Subject subject) {
		SyncedCounter known = this.counters.get(subject);
		if (known != null) {
			known.askedFor();
			return known;
		}
		SyncedCounter newcomer = new SyncedCounter(this, subject);
		known = this.counters.putIfAbsent(subject, newcomer);
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
		while (this.counters.size() > MOST_SUBJECTS) {
			SyncedCounter next = this.oldest.poll();
			if (next == null) {
				return;
			}
			if (next.wasAskedFor() && passesOver-- > 0) {
				this.oldest.add(next);
			}
			else if (this.counters.remove(next.subject(), next)) {
				this.schedule.hurry(next);
			}
		}
	}

	Optional<SyncedCounter> find(Subject subject) {
		return Optional.ofNullable(this.counters.get(subject));
	}

	/** A cell holds what the store does not know, and maybe so much that it should. */
	void touched(SyncedCounter counter, boolean much) {
		this.schedule.touched(counter);
		if (much) {
			this.schedule.hurry(counter);
		}
	}

}
