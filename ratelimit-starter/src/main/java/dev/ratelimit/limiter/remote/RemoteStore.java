package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreListener.CallResult;
import dev.ratelimit.limiter.health.StoreListener.Operation;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.OncePerMinute;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;

/**
 * Calls the store for requests: behind a circuit breaker per shard, and reported to a
 * listener. Leases that are renewed ahead call it, too. Other background work (synced
 * counters, heartbeats) and operators call the store itself.
 * <p>
 * A shard whose breaker is open is not called. Its requests fail at once
 * ({@link StoreFailure#CIRCUIT_OPEN}, nothing taken), and the result contains the time
 * until the next probe. The probe is a request like any other, within its own budget;
 * other requests do not wait for it. A call counts once per shard, however many requests
 * it carried there. Calls that were in progress together count once, so that one lost
 * packet is one failure. {@link StoreFailure#ERROR} is not a failure: the shard responded
 * in time, and the error may concern a single key. {@link StoreFailure#OVERLOADED} means
 * that this application is overloaded, not that the shard is down: it neither opens nor
 * closes a breaker. A release passes an open breaker, but no request waits for it and its
 * outcome does not count: the store completes it in the background.
 * <p>
 * While the store responds, a call costs two clock reads, two volatile reads per shard
 * and a few small objects, and no lock. Safe for concurrent use. Tested by
 * {@code RemoteStoreBreakerTests}.
 */
public final class RemoteStore {

	private static final AcquireResult NO_TIME_LEFT = new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN);

	private static final AcquireResult BROKEN = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private final RateLimitStore store;

	private final Source source;

	private final Optional<Breakers> breakers;

	private final StoreWatch watch;

	private final CallObserver observer;

	private final Function<AcquireRequest, ShardBreaker> shardBreakers = this::breaker;

	private final StoreCall.Purpose<AcquireRequest, AcquireResult> acquiring;

	private final StoreCall.Purpose<Settlement, SettlementResult> settling;

	/**
	 * Create it for a store.
	 * @param store the store
	 * @param source its name in decisions
	 * @param breakers its breakers, one per shard; empty to call it always
	 * @param watch notified whether the store answers requests
	 * @param listener notified of its calls
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public RemoteStore(RateLimitStore store, Source source, Optional<Breakers> breakers, StoreWatch watch,
			StoreListener listener, LongSupplier nanoTime) {
		this(store, source, breakers, watch, new CallObserver(listener, true, nanoTime, new OncePerMinute(nanoTime)));
	}

	private RemoteStore(RateLimitStore store, Source source, Optional<Breakers> breakers, StoreWatch watch,
			CallObserver observer) {
		this.store = store;
		this.source = source;
		this.breakers = breakers;
		this.watch = watch;
		this.observer = observer;
		this.acquiring = new StoreCall.Purpose<>(observer, Operation.ACQUIRE, Optional.of(NO_TIME_LEFT), this::permits,
				store::acquire, BROKEN, CallResult::of, (permits, results) -> watched(permits.end(results)));
		this.settling = new StoreCall.Purpose<>(observer, Operation.RELEASE, Optional.empty(),
				(settlements) -> BreakerPermits.ALL, store::settle, SettlementResult.LOST, CallResult::ofReleases,
				(permits, results) -> results);
	}

	/**
	 * The same store for background work, which is part of no trace.
	 * @return the store, whose calls are reported when they have ended
	 */
	public RemoteStore untraced() {
		return new RemoteStore(this.store, this.source, this.breakers, this.watch,
				new CallObserver(this.observer.listener(), false, this.observer.nanoTime(), this.observer.breaches()));
	}

	/**
	 * The name of the store in decisions.
	 * @return the source of its results
	 */
	public Source source() {
		return this.source;
	}

	/**
	 * Acquire permits.
	 * @param requests the requests, at least one
	 * @param budget how long to wait in total; if nothing is left, the store is not
	 * called. The time of the call is subtracted from it
	 * @return one result per request, in their order, also if the store throws
	 */
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, WaitBudget budget) {
		return new StoreCall<>(this.acquiring, requests, budget);
	}

	private BreakerPermits permits(List<AcquireRequest> requests) {
		return this.breakers.isPresent() ? BreakerPermits.of(requests, this.shardBreakers) : BreakerPermits.ALL;
	}

	/** A shard without a name is one like any other: its breaker opens by itself. */
	private ShardBreaker breaker(AcquireRequest request) {
		String shard;
		try {
			shard = Objects.requireNonNull(this.store.shard(request));
		}
		catch (Throwable ex) {
			this.observer.logBreach("threw " + ex.getClass().getName() + " instead of naming a shard", ex);
			shard = "unnamed";
		}
		return this.breakers.orElseThrow().of(shard);
	}

	private List<AcquireResult> watched(List<AcquireResult> results) {
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Failed failed) {
				this.watch.unanswered(failed.failure());
			}
			else {
				this.watch.answered();
			}
		}
		return results;
	}

	/**
	 * Settle permits.
	 * @param settlements the permits, at least one
	 * @param budget how long to wait in total; if nothing is left, this does not wait.
	 * The time of the call is subtracted from it
	 * @return what became of them, one entry per settlement, in their order
	 */
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, WaitBudget budget) {
		List<Boolean> open = settlements.stream().map(this::isShardOpen).toList();
		if (!open.contains(true)) {
			return new StoreCall<>(this.settling, settlements, budget);
		}
		return Pending
			.all(List.of(settle(settlements, open, false, budget),
					settle(settlements, open, true, new WaitBudget(Duration.ZERO))))
			.map((settled) -> merged(open, settled.get(1).iterator(), settled.get(0).iterator()));
	}

	private boolean isShardOpen(Settlement settlement) {
		return this.breakers.isPresent() && breaker(settlement.permits().request()).isOpen();
	}

	private Pending<List<SettlementResult>> settle(List<Settlement> settlements, List<Boolean> open, boolean which,
			WaitBudget budget) {
		List<Settlement> those = new ArrayList<>(settlements.size());
		for (int i = 0; i < settlements.size(); i++) {
			if (open.get(i) == which) {
				those.add(settlements.get(i));
			}
		}
		return those.isEmpty() ? Pending.of(List.of()) : new StoreCall<>(this.settling, those, budget);
	}

	private static List<SettlementResult> merged(List<Boolean> open, Iterator<SettlementResult> ofOpen,
			Iterator<SettlementResult> ofClosed) {
		return open.stream().map((isOpen) -> isOpen ? ofOpen.next() : ofClosed.next()).toList();
	}

}
