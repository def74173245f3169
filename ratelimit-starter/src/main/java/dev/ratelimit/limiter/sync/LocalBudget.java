package dev.ratelimit.limiter.sync;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.KnownWindows;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * What an instance may admit in some windows without calling the store, and how much of
 * it is spent. Spending is one compare-and-set, and allocates nothing. No permit is spent
 * after {@link #close()}, so the total that it returned is final. Tested by
 * {@code SyncedRulesTests}.
 */
final class LocalBudget {

	/** The outcome of an attempt to spend. */
	enum Spent {

		/** Spent; the first permits that the store does not count yet. */
		FIRST,

		/** Spent; not the first permits that the store does not count yet. */
		MORE,

		/**
		 * Spent; so much is spent by now that it is time to synchronize with the store.
		 */
		MUCH,

		/** Not spent, because not enough permits are left. */
		TOO_LITTLE,

		/** Not spent, because a window may have ended. */
		ENDED,

		/** Not spent, because another budget has replaced this one. */
		CLOSED

	}

	private static final long CLOSED = Long.MIN_VALUE;

	/** An object of its own would cost each decision one more cache miss. */
	private static final AtomicLongFieldUpdater<LocalBudget> SPENT = AtomicLongFieldUpdater
		.newUpdater(LocalBudget.class, "spent");

	private final Limit limit;

	private final StoreWindows windows;

	private final KnownWindows known;

	private final long[] rooms;

	private final long room;

	private final long muchOfRoom;

	private final long sinceNanos;

	private final long validUntilNanos;

	private volatile long spent;

	/**
	 * Create a budget.
	 * @param limit the limit
	 * @param windows the windows in which it holds
	 * @param remaining what the store had left in each of them
	 * @param rooms what may be admitted in each of them
	 * @param spent what was admitted already
	 */
	LocalBudget(Limit limit, StoreWindows windows, long[] remaining, long[] rooms, long spent) {
		this.limit = limit;
		this.windows = windows;
		this.known = KnownWindows.admitting(limit, usage(limit, windows, remaining), windows.receipts());
		this.rooms = rooms;
		long least = rooms[0];
		for (long each : rooms) {
			least = Math.min(least, each);
		}
		this.room = least;
		this.muchOfRoom = least - least / 5;
		this.sinceNanos = windows.sinceNanos();
		this.validUntilNanos = windows.validUntilNanos();
		this.spent = spent;
	}

	/** The state of the windows at the time since which they are known. */
	private static List<Usage> usage(Limit limit, StoreWindows windows, long[] remaining) {
		boolean longer = limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER;
		Usage[] usage = new Usage[remaining.length];
		for (int i = 0; i < usage.length; i++) {
			long endMicros = Math.min(limit.windowMicros(i), (windows.latestNanos(i) - windows.sinceNanos()) / 1000);
			usage[i] = new Usage(remaining[i], longer ? endMicros + limit.windowMicros(i) : endMicros, 0);
		}
		return List.of(usage);
	}

	/**
	 * Spend permits.
	 * @param permits how many
	 * @param nowNanos the time
	 * @return the outcome
	 */
	Spent spend(long permits, long nowNanos) {
		if (nowNanos - this.validUntilNanos >= 0) {
			return (this.spent == CLOSED) ? Spent.CLOSED : Spent.ENDED;
		}
		while (true) {
			long before = this.spent;
			if (before == CLOSED) {
				return Spent.CLOSED;
			}
			if (permits > this.room - before) {
				return Spent.TOO_LITTLE;
			}
			if (SPENT.compareAndSet(this, before, before + permits)) {
				boolean much = before + permits >= this.muchOfRoom;
				return much ? Spent.MUCH : (before <= 0) ? Spent.FIRST : Spent.MORE;
			}
		}
	}

	/**
	 * Return permits that were spent.
	 * @param permits how many
	 * @return how many of them the store does not count yet
	 */
	long takeBack(long permits) {
		while (true) {
			long before = this.spent;
			long taken = Math.max(0, Math.min(before, permits));
			if (taken == 0 || SPENT.compareAndSet(this, before, before - taken)) {
				return taken;
			}
		}
	}

	/**
	 * The permits that the store does not count yet.
	 * @return the permits; zero for a closed budget
	 */
	long unsynced() {
		return Math.max(0, this.spent);
	}

	/**
	 * Close this budget.
	 * @return how many permits were spent; zero if it was closed already
	 */
	long close() {
		long spent = SPENT.getAndSet(this, CLOSED);
		return (spent == CLOSED) ? 0 : spent;
	}

	StoreWindows windows() {
		return this.windows;
	}

	/**
	 * The budget that replaces this one when it is closed and its spent permits are on
	 * their way to the store.
	 * @param sent how many permits were spent
	 * @return a budget of the same windows
	 */
	LocalBudget without(long sent) {
		return new LocalBudget(this.limit, this.windows, minus(remaining(), sent), minus(this.rooms, sent), 0);
	}

	/**
	 * The budget that replaces this one when windows have ended. A fixed window starts
	 * anew; a sliding-window counter has no more left than before.
	 * @param next the windows that have begun, or have not ended
	 * @param sent how many permits were spent
	 * @param underWay how many permits are on their way to the store, which may count
	 * them in the windows that have begun
	 * @param quota what may be admitted without calling the store
	 * @return a budget of those windows
	 */
	LocalBudget next(StoreWindows next, long sent, long underWay, LocalQuota quota) {
		long[] remaining = minus(remaining(), sent);
		long[] rooms = minus(this.rooms, sent);
		for (int i = 0; i < rooms.length; i++) {
			boolean began = !next.receipts().get(i).equals(this.windows.receipts().get(i));
			if (began && this.limit.algorithm() == Algorithm.FIXED_WINDOW) {
				remaining[i] = this.limit.count(i);
				rooms[i] = quota.most(this.limit.count(i)) - underWay;
			}
		}
		return new LocalBudget(this.limit, next, remaining, rooms, 0);
	}

	private long[] remaining() {
		long[] remaining = new long[this.rooms.length];
		for (int i = 0; i < remaining.length; i++) {
			remaining[i] = this.known.usage().get(i).remaining();
		}
		return remaining;
	}

	private static long[] minus(long[] all, long sent) {
		long[] less = all.clone();
		for (int i = 0; i < less.length; i++) {
			less[i] -= sent;
		}
		return less;
	}

	/**
	 * The state of the windows, as far as this instance knows.
	 * @param nowNanos the time
	 * @return an admission from this budget
	 */
	EstimatedWindows admission(long nowNanos) {
		return new EstimatedWindows(this.known, -unsynced(), (nowNanos - this.sinceNanos) / 1000);
	}

}
