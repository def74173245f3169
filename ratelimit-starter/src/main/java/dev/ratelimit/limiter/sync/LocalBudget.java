package dev.ratelimit.limiter.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * What an instance may admit in some windows without asking, and what of it is spent. A
 * spend is one compare-and-set, and costs no allocation. A closed grant is not spent from
 * any more: what it told when it was closed is all that ever was.
 */
final class LocalBudget {

	/** What came of an attempt to spend. */
	enum Spent {

		/** The first that the store does not know. */
		FIRST,

		/** One of many. */
		MORE,

		/** So much that it is time to tell the store. */
		MUCH,

		/** Nothing: there is not so much. */
		TOO_LITTLE,

		/** Nothing: a window may have ended. */
		ENDED,

		/** Nothing: another grant has taken its place. */
		CLOSED

	}

	private static final long CLOSED = Long.MIN_VALUE;

	private final Limit limit;

	private final StoreWindows windows;

	private final long[] remaining;

	private final long[] rooms;

	private final long room;

	private final long muchOfRoom;

	private final long validUntilNanos;

	private final AtomicLong spent;

	/**
	 * Create a grant.
	 * @param limit the limit
	 * @param windows where it holds
	 * @param remaining what the store had left in each of them
	 * @param rooms what may be admitted in each of them
	 * @param spent what was admitted already
	 */
	LocalBudget(Limit limit, StoreWindows windows, long[] remaining, long[] rooms, long spent) {
		this.limit = limit;
		this.windows = windows;
		this.remaining = remaining;
		this.rooms = rooms;
		long least = rooms[0];
		for (long each : rooms) {
			least = Math.min(least, each);
		}
		this.room = least;
		this.muchOfRoom = least - least / 5;
		this.validUntilNanos = windows.validUntilNanos();
		this.spent = new AtomicLong(spent);
	}

	/**
	 * Spend permits.
	 * @param permits how many
	 * @param nowNanos the time
	 * @return what came of it
	 */
	Spent spend(long permits, long nowNanos) {
		if (nowNanos - this.validUntilNanos >= 0) {
			return (this.spent.get() == CLOSED) ? Spent.CLOSED : Spent.ENDED;
		}
		while (true) {
			long before = this.spent.get();
			if (before == CLOSED) {
				return Spent.CLOSED;
			}
			if (permits > this.room - before) {
				return Spent.TOO_LITTLE;
			}
			if (this.spent.compareAndSet(before, before + permits)) {
				boolean much = before + permits >= this.muchOfRoom;
				return much ? Spent.MUCH : (before <= 0) ? Spent.FIRST : Spent.MORE;
			}
		}
	}

	/**
	 * Take back what was spent.
	 * @param permits how many
	 * @return how many of them the store does not know of
	 */
	long takeBack(long permits) {
		while (true) {
			long before = this.spent.get();
			long taken = Math.max(0, Math.min(before, permits));
			if (taken == 0 || this.spent.compareAndSet(before, before - taken)) {
				return taken;
			}
		}
	}

	/**
	 * What the store does not know of.
	 * @return the permits; nothing of a closed grant
	 */
	long unsynced() {
		return Math.max(0, this.spent.get());
	}

	/**
	 * End this grant. Called once.
	 * @return what was spent of it
	 */
	long close() {
		return this.spent.getAndSet(CLOSED);
	}

	StoreWindows windows() {
		return this.windows;
	}

	/**
	 * What is left of this grant when it is closed and what was spent is on its way to
	 * the store.
	 * @param sent what was spent
	 * @return a grant of the same windows
	 */
	LocalBudget without(long sent) {
		return new LocalBudget(this.limit, this.windows, minus(this.remaining, sent), minus(this.rooms, sent), 0);
	}

	/**
	 * What follows when windows have ended. A fixed window begins anew; of a
	 * sliding-window counter no more is left than was.
	 * @param next the windows that have begun, or still last
	 * @param sent what was spent
	 * @param quota what may be admitted without asking
	 * @return a grant of those windows
	 */
	LocalBudget next(StoreWindows next, long sent, LocalQuota quota) {
		long[] remaining = minus(this.remaining, sent);
		long[] rooms = minus(this.rooms, sent);
		for (int i = 0; i < rooms.length; i++) {
			boolean began = !next.receipts().get(i).equals(this.windows.receipts().get(i));
			if (began && this.limit.algorithm() == Algorithm.FIXED_WINDOW) {
				remaining[i] = this.limit.count(i);
				rooms[i] = quota.most(this.limit.count(i));
			}
		}
		return new LocalBudget(this.limit, next, remaining, rooms, 0);
	}

	private static long[] minus(long[] all, long sent) {
		long[] less = all.clone();
		for (int i = 0; i < less.length; i++) {
			less[i] -= sent;
		}
		return less;
	}

	/**
	 * Where the windows stand, as far as this instance knows.
	 * @param nowNanos the time
	 * @return an admission out of this grant
	 */
	AcquireResult.Admitted admission(long nowNanos) {
		long unsynced = unsynced();
		List<Usage> usage = new ArrayList<>(this.rooms.length);
		for (int i = 0; i < this.rooms.length; i++) {
			long endMicros = Math.max(0, (this.windows.latestNanos(i) - nowNanos) / 1000);
			boolean longer = this.limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER;
			usage.add(new Usage(Math.max(0, this.remaining[i] - unsynced),
					longer ? endMicros + this.limit.windowMicros(i) : endMicros, 0));
		}
		return new AcquireResult.Admitted(usage, this.windows.receipts());
	}

}
