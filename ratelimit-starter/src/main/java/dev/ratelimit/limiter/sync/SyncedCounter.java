package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.PermitOwner;
import dev.ratelimit.limiter.source.Settled;
import dev.ratelimit.limiter.source.RepeatedRefusal;
import dev.ratelimit.limiter.sync.LocalBudget.Spent;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Counts one subject of one limit on this instance. Spending from the local budget takes
 * no lock. Replacing the budget takes one, and waits for nothing. Spent permits leave a
 * budget exactly once, when it is closed: they are then either unsynced or in flight.
 */
final class SyncedCounter implements PermitOwner {

	private final SyncedLimit syncedLimit;

	private final Subject subject;

	private volatile @Nullable LocalBudget budget;

	private volatile @Nullable RepeatedRefusal refusal;

	private final AtomicBoolean urgent = new AtomicBoolean();

	/** Approximate: a request that marks it at the same time may be overlooked. */
	private volatile boolean used;

	/** Spent permits that are not part of the current budget. */
	private final UnsyncedPermits unsynced = new UnsyncedPermits();

	private long underWay;

	private long departed;

	private boolean reached = true;

	private int roundsWaited;

	SyncedCounter(SyncedLimit syncedLimit, Subject subject) {
		this.syncedLimit = syncedLimit;
		this.subject = subject;
	}

	Subject subject() {
		return this.subject;
	}

	/** Written only on a change, because many threads call this at once. */
	void markUsed() {
		if (!this.used) {
			this.used = true;
		}
	}

	/** Whether there was a request since the last call of this method. */
	boolean clearUsed() {
		boolean wasUsed = this.used;
		if (wasUsed) {
			this.used = false;
		}
		return wasUsed;
	}

	/**
	 * Decide without the store.
	 * @param cost how many permits the request costs
	 * @param nowNanos the time
	 * @return the result; {@code null} if the store has to be called
	 */
	@Nullable EstimatedWindows decide(long cost, long nowNanos) {
		RepeatedRefusal refused = this.refusal;
		if (refused != null && refused.holds(cost, nowNanos)) {
			return refused.again(nowNanos);
		}
		LocalBudget spent = spend(cost, nowNanos);
		return (spent != null) ? spent.admission(nowNanos) : null;
	}

	/**
	 * Spend permits without the store. Allocates nothing.
	 * @param cost how many
	 * @param nowNanos the time
	 * @return the budget from which they were spent; {@code null} if it does not have
	 * that many
	 */
	@Nullable LocalBudget spend(long cost, long nowNanos) {
		LocalBudget current = this.budget;
		while (current != null) {
			Spent spent = current.spend(cost, nowNanos);
			if (spent == Spent.MORE) {
				return current;
			}
			if (spent == Spent.FIRST || spent == Spent.MUCH) {
				this.syncedLimit.markDirty(this, spent == Spent.MUCH && !this.urgent.getAndSet(true));
				return current;
			}
			if (spent == Spent.TOO_LITTLE || (spent == Spent.ENDED && !moveOn(current, nowNanos))) {
				return null;
			}
			LocalBudget next = replacement();
			if (next == current) {
				// An Error has kept it from being replaced. The next budget replaces it.
				return null;
			}
			current = next;
		}
		return null;
	}

	/** A thread that closes a budget holds the lock until the budget is replaced. */
	private synchronized @Nullable LocalBudget replacement() {
		return this.budget;
	}

	/** Move to the next windows, if the last call reached the store. */
	private synchronized boolean moveOn(LocalBudget ended, long nowNanos) {
		if (this.budget != ended) {
			return true;
		}
		Optional<StoreWindows> next = ended.windows().at(limit(), nowNanos);
		if (next.isEmpty() || !this.reached) {
			return false;
		}
		long spent = retire(ended);
		this.budget = ended.next(next.get(), spent, this.underWay, this.syncedLimit.quota());
		return true;
	}

	/** Its spent permits are sent separately, because they belong to its windows. */
	private long retire(LocalBudget budget) {
		long spent = budget.close();
		if (spent > 0) {
			this.unsynced.add(new WindowPermits(spent, budget.windows()));
		}
		return spent;
	}

	/**
	 * Convert permits to the form that is sent to the store.
	 * @param batch the permits
	 * @return the same permits
	 */
	AcquiredPermits taken(WindowPermits batch) {
		return batch.taken(limit(), this.subject);
	}

	/**
	 * Record that the store is about to be called for permits.
	 * @param cost how many permits
	 * @param nowNanos the time
	 * @return the permits in flight, which must be {@linkplain #completeAcquire
	 * completed} when the call ends
	 */
	synchronized InFlightSync startAcquire(long cost, long nowNanos) {
		// A larger cost is always refused, and its sum with others would overflow.
		return depart(List.of(), Math.min(cost, limit().largestCost() + 1), nowNanos);
	}

	private InFlightSync depart(List<WindowPermits> reported, long permits, long nowNanos) {
		this.departed += permits;
		InFlightSync inFlight = new InFlightSync(this, reported, permits, nowNanos, this.underWay, this.departed);
		this.underWay += permits;
		return inFlight;
	}

	/**
	 * Whether to wait another round, because few permits were spent, and not for long.
	 * @param fewest the number of permits from which on it does not wait
	 * @param longest how many rounds it waits with fewer permits
	 * @param nowNanos the time
	 * @return whether this counter can wait
	 */
	synchronized boolean tryDefer(long fewest, int longest, long nowNanos) {
		forgetWhatHasPassed(nowNanos);
		boolean few = this.unsynced.isEmpty() && unsyncedOfBudget() < fewest;
		return few && ++this.roundsWaited < longest;
	}

	/**
	 * Record that the unsynced permits are about to be sent to the store.
	 * @param nowNanos the time
	 * @return the permits that were spent and not sent yet, which must be
	 * {@linkplain #completeReport completed} when the call ends
	 */
	synchronized InFlightSync startReport(long nowNanos) {
		this.urgent.set(false);
		this.roundsWaited = 0;
		forgetWhatHasPassed(nowNanos);
		LocalBudget current = this.budget;
		if (current != null && current.unsynced() > 0) {
			this.budget = current.without(retire(current));
		}
		List<WindowPermits> leaving = this.unsynced.takeSpent();
		return depart(leaving, WindowPermits.sum(leaving), nowNanos);
	}

	/** It has unsynced permits, and was not reported. */
	void markDirty() {
		this.syncedLimit.markDirty(this, false);
	}

	private void forgetWhatHasPassed(long nowNanos) {
		this.unsynced.forget((windows) -> windows.isOutOfSight(limit(), nowNanos));
	}

	/**
	 * Permits to release in the store, because they were released here after they were
	 * sent.
	 */
	synchronized List<AcquiredPermits> takeReleases() {
		return this.unsynced.takeReleases().stream().map(this::taken).toList();
	}

	/**
	 * Process the result of a call for permits, which may be a failure.
	 * @param inFlight the request
	 * @param result its result
	 * @param nowNanos the time
	 */
	synchronized void completeAcquire(InFlightSync inFlight, AcquireResult result, long nowNanos) {
		this.underWay -= inFlight.permits();
		if (result instanceof AcquireResult.Refused refused) {
			// A reset elsewhere must be noticed after an interval.
			this.refusal = RepeatedRefusal.of(limit(), inFlight.permits(), refused.usage(), inFlight.sentNanos(),
					Duration.ZERO, this.syncedLimit.interval());
		}
		learn(inFlight, result, nowNanos);
	}

	/**
	 * Process the results of sending spent permits, which may be failures.
	 * @param inFlight what was sent
	 * @param results its results
	 * @param nowNanos the time
	 * @return how many permits may never be counted in the store
	 */
	synchronized long completeReport(InFlightSync inFlight, List<AcquireResult> results, long nowNanos) {
		this.underWay -= inFlight.permits();
		long lost = 0;
		for (int i = 0; i < results.size(); i++) {
			WindowPermits batch = inFlight.reported().get(i);
			if (!(results.get(i) instanceof AcquireResult.Failed failed)) {
				this.unsynced.counted(batch);
			}
			else if (failed.fate() == Fate.NOT_TAKEN) {
				this.unsynced.notCounted(batch);
				markDirty();
			}
			else {
				lost += this.unsynced.unknown(batch);
			}
		}
		// A budget needs to know of all permits that are not counted.
		for (AcquireResult result : results) {
			learn(inFlight, result, nowNanos);
		}
		return lost;
	}

	private void learn(InFlightSync inFlight, AcquireResult result, long nowNanos) {
		this.reached = !(result instanceof AcquireResult.Failed);
		if (result instanceof AcquireResult.Admitted admitted) {
			this.refusal = null;
			StoreWindows.of(limit(), admitted.usage(), admitted.receipts(), inFlight.sentNanos(), nowNanos)
				.filter((windows) -> !isPast(windows))
				.ifPresent((windows) -> replaceBudget(windows, admitted, overlapping(inFlight)));
		}
	}

	private boolean isPast(StoreWindows windows) {
		LocalBudget current = this.budget;
		return current != null && windows.areBefore(current.windows());
	}

	/**
	 * Permits of this counter that the store may not have counted yet when it replied.
	 */
	private long overlapping(InFlightSync inFlight) {
		return inFlight.others() + this.departed - inFlight.departed();
	}

	private void replaceBudget(StoreWindows windows, AcquireResult.Admitted admitted, long uncounted) {
		long carried = 0;
		LocalBudget before = this.budget;
		if (before != null) {
			boolean same = before.windows().areSame(windows);
			carried = same ? before.close() : 0;
			if (!same) {
				long ignored = retire(before);
			}
		}
		long unsynced = this.unsynced.permits();
		LocalQuota quota = this.syncedLimit.quota();
		long[] remaining = new long[limit().size()];
		long[] rooms = new long[remaining.length];
		for (int i = 0; i < rooms.length; i++) {
			remaining[i] = admitted.usage().get(i).remaining() - uncounted - unsynced;
			rooms[i] = quota.of(limit().count(i), remaining[i]) - unsynced - this.underWay;
		}
		this.budget = new LocalBudget(limit(), windows, remaining, rooms, carried);
	}

	@Override
	public Settled settle(Settlement settlement) {
		AcquiredPermits permits = settlement.released();
		long left = takeBack(permits);
		return (left > 0) ? new Settled.InStore(Settlement.release(permits.of(left)))
				: new Settled.Here(SettlementResult.ACKNOWLEDGED);
	}

	/**
	 * Release permits here, as far as the store does not count them yet.
	 * @param taken the permits
	 * @return how many of them the store has to release
	 */
	synchronized long takeBack(AcquiredPermits taken) {
		this.refusal = null;
		long permits = taken.request().cost();
		LocalBudget current = this.budget;
		long here = (current != null && current.windows().receipts().equals(taken.receipts()))
				? current.takeBack(permits) : 0;
		long left = this.unsynced.takeBack(permits - here, taken.receipts());
		if (!this.unsynced.isEmpty()) {
			this.syncedLimit.markDirty(this, false);
		}
		return left;
	}

	/** Permits that the store does not count yet. */
	synchronized long unsynced() {
		return Math.max(0, this.unsynced.permits() + unsyncedOfBudget() - this.unsynced.permitsBack());
	}

	private long unsyncedOfBudget() {
		LocalBudget current = this.budget;
		return (current != null) ? current.unsynced() : 0;
	}

	/** Ask the store with the next request. What was spent is sent to it as always. */
	synchronized void closeBudget() {
		LocalBudget current = this.budget;
		if (current != null) {
			if (retire(current) > 0) {
				markDirty();
			}
			this.budget = null;
		}
	}

	/** Start over: what was spent is no longer sent to the store. */
	synchronized void forget() {
		this.unsynced.forget((windows) -> true);
		this.refusal = null;
		LocalBudget current = this.budget;
		if (current != null) {
			long ignored = current.close();
		}
		this.budget = null;
	}

	Limit limit() {
		return this.syncedLimit.limit();
	}

}
