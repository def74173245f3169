package dev.ratelimit.limiter.sync;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.limiter.sync.LocalBudget.Spent;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * What this instance knows of one subject of one limit. To spend from its grant takes no
 * lock; whatever replaces the grant does, and waits for nothing. What was spent leaves a
 * grant when that is closed, exactly once: it is either still to be told to the store, or
 * under way.
 */
final class SyncedCounter {

	private final SyncedLimit of;

	private final Subject subject;

	private volatile Optional<LocalBudget> grant = Optional.empty();

	private volatile Optional<SyncedRefusal> denial = Optional.empty();

	private final AtomicBoolean hurries = new AtomicBoolean();

	private final AtomicBoolean askedFor = new AtomicBoolean();

	/** What was spent, but not from the current grant. */
	private final UnsyncedPermits unsynced = new UnsyncedPermits();

	private long underWay;

	private long departed;

	private boolean reached = true;

	private int roundsWaited;

	SyncedCounter(SyncedLimit of, Subject subject) {
		this.of = of;
		this.subject = subject;
	}

	Subject subject() {
		return this.subject;
	}

	/** Written only where it changes: many threads do this at once. */
	void askedFor() {
		if (!this.askedFor.getPlain()) {
			this.askedFor.setPlain(true);
		}
	}

	/** Whether somebody asked for it since this was called last. */
	boolean wasAskedFor() {
		return this.askedFor.getAndSet(false);
	}

	/**
	 * Decide without the store.
	 * @param cost the cost of the request
	 * @param nowNanos the time
	 * @return the answer; nothing where the store has to be asked
	 */
	Optional<AcquireResult> decide(long cost, long nowNanos) {
		Optional<SyncedRefusal> denied = this.denial;
		if (denied.isPresent() && denied.get().holds(cost, nowNanos)) {
			return Optional.of(denied.get().result(nowNanos));
		}
		return spend(cost, nowNanos).map((grant) -> grant.admission(nowNanos));
	}

	/**
	 * Spend permits without the store. Costs no allocation.
	 * @param cost how many
	 * @param nowNanos the time
	 * @return the grant that they were spent from; nothing where it has not so many
	 */
	Optional<LocalBudget> spend(long cost, long nowNanos) {
		Optional<LocalBudget> current = this.grant;
		while (current.isPresent()) {
			Spent spent = current.get().spend(cost, nowNanos);
			if (spent == Spent.MORE) {
				return current;
			}
			if (spent == Spent.FIRST || spent == Spent.MUCH) {
				this.of.touched(this, spent == Spent.MUCH && !this.hurries.getAndSet(true));
				return current;
			}
			if (spent == Spent.TOO_LITTLE || (spent == Spent.ENDED && !moveOn(current.get(), nowNanos))) {
				return Optional.empty();
			}
			current = replacement();
		}
		return current;
	}

	/** Who closes a grant holds the lock until there is another. */
	private synchronized Optional<LocalBudget> replacement() {
		return this.grant;
	}

	/** Go on in the next windows, if the store was reached at last. */
	private synchronized boolean moveOn(LocalBudget ended, long nowNanos) {
		if (isReplaced(ended)) {
			return true;
		}
		Optional<StoreWindows> next = ended.windows().at(limit(), nowNanos);
		if (next.isEmpty() || !this.reached) {
			return false;
		}
		long spent = retire(ended);
		this.grant = Optional.of(ended.next(next.get(), spent, this.of.quota()));
		return true;
	}

	private boolean isReplaced(LocalBudget grant) {
		return this.grant.filter((current) -> current == grant).isEmpty();
	}

	/** What was spent of it is to be told on its own, as it belongs to its windows. */
	private long retire(LocalBudget grant) {
		long spent = grant.close();
		if (spent > 0) {
			this.unsynced.add(new WindowPermits(spent, grant.windows()));
		}
		return spent;
	}

	/**
	 * Permits as the store is told of them.
	 * @param batch the permits
	 * @return the same
	 */
	AcquiredPermits taken(WindowPermits batch) {
		return batch.taken(limit(), this.subject);
	}

	/**
	 * The store is going to be asked.
	 * @param cost for how many permits
	 * @param nowNanos the time
	 * @return what must {@linkplain #answered arrive} again
	 */
	synchronized InFlightSync acquire(long cost, long nowNanos) {
		return depart(List.of(), cost, nowNanos);
	}

	private InFlightSync depart(List<WindowPermits> told, long permits, long nowNanos) {
		this.departed += permits;
		InFlightSync inFlight = new InFlightSync(this, told, permits, nowNanos, this.underWay, this.departed);
		this.underWay += permits;
		return inFlight;
	}

	/**
	 * Whether to wait another round: too little was spent, and not for long.
	 * @param fewest so many permits do not wait
	 * @param longest how many rounds the others wait
	 * @param nowNanos the time
	 * @return whether it can wait
	 */
	synchronized boolean waits(long fewest, int longest, long nowNanos) {
		forgetWhatHasPassed(nowNanos);
		boolean few = this.unsynced.isEmpty() && this.grant.filter((grant) -> grant.unsynced() >= fewest).isEmpty();
		return few && ++this.roundsWaited < longest;
	}

	/**
	 * The store is going to be told.
	 * @param nowNanos the time
	 * @return what was spent and not told yet, and must {@linkplain #told arrive} again
	 */
	synchronized InFlightSync tell(long nowNanos) {
		this.hurries.set(false);
		this.roundsWaited = 0;
		forgetWhatHasPassed(nowNanos);
		this.grant.filter((grant) -> grant.unsynced() > 0)
			.ifPresent((grant) -> this.grant = Optional.of(grant.without(retire(grant))));
		List<WindowPermits> leaving = this.unsynced.leave();
		return depart(leaving, WindowPermits.sum(leaving), nowNanos);
	}

	private void forgetWhatHasPassed(long nowNanos) {
		this.unsynced.forget((windows) -> windows.isOutOfSight(limit(), nowNanos));
	}

	/** What the store is to take back, as it came back on its way there. */
	synchronized List<AcquiredPermits> leaveBack() {
		return this.unsynced.leaveBack().stream().map(this::taken).toList();
	}

	/**
	 * The store has answered a question, or not.
	 * @param inFlight what was asked
	 * @param result what came of it
	 * @param nowNanos the time
	 */
	synchronized void answered(InFlightSync inFlight, AcquireResult result, long nowNanos) {
		this.underWay -= inFlight.permits();
		if (result instanceof AcquireResult.Refused refused) {
			this.denial = Optional.of(SyncedRefusal.of(inFlight.permits(), refused.usage(), inFlight.sentNanos(),
					this.of.intervalNanos()));
		}
		learn(inFlight, result, nowNanos);
	}

	/**
	 * The store has heard what was spent, or not.
	 * @param inFlight what was told
	 * @param results what came of it
	 * @param nowNanos the time
	 * @return how many permits may never be counted in the store
	 */
	synchronized long told(InFlightSync inFlight, List<AcquireResult> results, long nowNanos) {
		this.underWay -= inFlight.permits();
		long lost = 0;
		for (int i = 0; i < results.size(); i++) {
			WindowPermits batch = inFlight.told().get(i);
			if (!(results.get(i) instanceof AcquireResult.Failed failed)) {
				this.unsynced.counted(batch);
			}
			else if (failed.fate() == Fate.NOT_TAKEN) {
				this.unsynced.notCounted(batch);
				this.of.touched(this, false);
			}
			else {
				lost += this.unsynced.unknown(batch);
			}
			learn(inFlight, results.get(i), nowNanos);
		}
		return lost;
	}

	private void learn(InFlightSync inFlight, AcquireResult result, long nowNanos) {
		this.reached = !(result instanceof AcquireResult.Failed);
		if (result instanceof AcquireResult.Admitted admitted) {
			this.denial = Optional.empty();
			StoreWindows.of(limit(), admitted.usage(), admitted.receipts(), inFlight.sentNanos(), nowNanos)
				.filter((windows) -> this.grant.filter((current) -> windows.areBefore(current.windows())).isEmpty())
				.ifPresent((windows) -> replaceGrant(windows, admitted, overlapping(inFlight)));
		}
	}

	/** Permits of this cell that the store may not have counted yet when it answered. */
	private long overlapping(InFlightSync inFlight) {
		return inFlight.others() + this.departed - inFlight.departed();
	}

	private void replaceGrant(StoreWindows windows, AcquireResult.Admitted admitted, long uncounted) {
		long carried = 0;
		if (this.grant.isPresent()) {
			LocalBudget before = this.grant.get();
			boolean same = before.windows().areSame(windows);
			carried = same ? before.close() : 0;
			if (!same) {
				long ignored = retire(before);
			}
		}
		long unsynced = this.unsynced.permits();
		LocalQuota quota = this.of.quota();
		long[] remaining = new long[limit().size()];
		long[] rooms = new long[remaining.length];
		for (int i = 0; i < rooms.length; i++) {
			remaining[i] = admitted.usage().get(i).remaining() - uncounted - unsynced;
			rooms[i] = quota.of(limit().count(i), remaining[i]) - unsynced - this.underWay;
		}
		this.grant = Optional.of(new LocalBudget(limit(), windows, remaining, rooms, carried));
	}

	/**
	 * Take permits back, as far as the store does not know of them yet.
	 * @param taken the permits
	 * @return how many of them are the store's to take back
	 */
	synchronized long takeBack(AcquiredPermits taken) {
		this.denial = Optional.empty();
		long permits = taken.request().cost();
		long here = this.grant.filter((grant) -> grant.windows().receipts().equals(taken.receipts()))
			.map((grant) -> grant.takeBack(permits))
			.orElse(0L);
		long left = this.unsynced.takeBack(permits - here, taken.receipts());
		if (!this.unsynced.isEmpty()) {
			this.of.touched(this, false);
		}
		return left;
	}

	/** Permits that the store does not know of. */
	synchronized long unsynced() {
		long spent = this.unsynced.permits() + this.grant.map(LocalBudget::unsynced).orElse(0L);
		return Math.max(0, spent - this.unsynced.permitsBack());
	}

	/** Begin anew: what was spent is not told any more. */
	synchronized void forget() {
		this.unsynced.forget((windows) -> true);
		this.denial = Optional.empty();
		if (this.grant.isPresent()) {
			long ignored = this.grant.get().close();
		}
		this.grant = Optional.empty();
	}

	Limit limit() {
		return this.of.limit();
	}

}
