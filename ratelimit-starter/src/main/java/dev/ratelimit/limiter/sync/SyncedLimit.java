package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import org.jspecify.annotations.Nullable;

/**
 * The known subjects of one limit, bounded: subjects without requests make room for
 * others. The unsynced permits of an evicted subject are sent to the store at once. Until
 * then, a client that returns may be admitted as much once more. Tested by
 * {@code SyncedRulesTests}.
 */
final class SyncedLimit {

	/** About 18 MB. */
	private static final int MOST_SUBJECTS = 20_000;

	private static final int MOST_PASSED_OVER = 8;

	private final Limit limit;

	private final SyncSchedule schedule;

	private final Supplier<LocalQuota> quota;

	private final Map<Subject, SyncedCounter> counters = new ConcurrentHashMap<>();

	/**
	 * In the order in which they were added, or were passed over because they had
	 * requests.
	 */
	private final Queue<SyncedCounter> oldest = new ConcurrentLinkedQueue<>();

	SyncedLimit(Limit limit, SyncSchedule schedule, Supplier<LocalQuota> quota) {
		this.limit = limit;
		this.schedule = schedule;
		this.quota = quota;
	}

	Limit limit() {
		return this.limit;
	}

	Duration interval() {
		return this.schedule.interval();
	}

	/** What may currently be admitted without calling the store. */
	LocalQuota quota() {
		return this.quota.get();
	}

	/** The counter of a subject that makes a request; {@code null} if there is none. */
	@Nullable SyncedCounter known(Subject subject) {
		SyncedCounter known = this.counters.get(subject);
		if (known != null) {
			known.markUsed();
		}
		return known;
	}

	/** The counter of a subject that makes a request, created if there is none. */
	SyncedCounter counter(Subject subject) {
		SyncedCounter known = known(subject);
		if (known != null) {
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

	/**
	 * Each new subject checks only a few of the others, however many of them are in use.
	 */
	private void makeRoom() {
		int passesOver = MOST_PASSED_OVER;
		while (this.counters.size() > MOST_SUBJECTS) {
			SyncedCounter next = this.oldest.poll();
			if (next == null) {
				return;
			}
			if (next.clearUsed() && passesOver-- > 0) {
				this.oldest.add(next);
			}
			else if (this.counters.remove(next.subject(), next)) {
				this.schedule.expedite(next);
			}
		}
	}

	/** Let every subject ask the store with its next request. */
	void closeBudgets() {
		this.counters.values().forEach(SyncedCounter::closeBudget);
	}

	/** Report all subjects, since no request will make one report any more. */
	void retire() {
		this.counters.values().forEach(this.schedule::expedite);
	}

	Optional<SyncedCounter> find(Subject subject) {
		return Optional.ofNullable(this.counters.get(subject));
	}

	/**
	 * Report that a counter has unsynced permits, perhaps so many that they are urgent.
	 */
	void markDirty(SyncedCounter counter, boolean much) {
		this.schedule.markDirty(counter);
		if (much) {
			this.schedule.expedite(counter);
		}
	}

}
