package dev.ratelimit.limiter;

import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.Settled;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.limiter.sync.Synchronizer;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.support.WaitBudget;

/**
 * The stages of one instance that acquire permits, over a store of a test.
 */
public final class TestPipeline {

	private final RemoteStore remote;

	private final DecisionPipeline pipeline;

	private final LongSupplier nanoTime;

	/** Calls of the store take no time on the clock of the instance. */
	private TestPipeline(RateLimitStore store, ModeKind mode, PermitSource source, LongSupplier nanoTime) {
		this.remote = TestLimiter.over(store, () -> 0).remote();
		this.pipeline = TestLimiter.over(store, nanoTime).source(mode, source).pipeline(this.remote);
		this.nanoTime = nanoTime;
	}

	/** Leased rules use these leases, all other rules the store. */
	public static TestPipeline leasing(Leases leases, RateLimitStore store, LongSupplier nanoTime) {
		return new TestPipeline(store, ModeKind.LEASED, leases, nanoTime);
	}

	/** Synced rules count on this instance, all other rules in the store. */
	public static TestPipeline syncing(Synchronizer synchronizer, RateLimitStore store, LongSupplier nanoTime) {
		return new TestPipeline(store, ModeKind.SYNCED, synchronizer, nanoTime);
	}

	public List<Slot> acquire(List<AcquireRequest> requests) {
		List<Slot> slots = requests.stream().map(Slot::new).toList();
		List<Slot> open = this.pipeline.offerToSources(slots, this.nanoTime.getAsLong());
		if (!open.isEmpty()) {
			List<AcquireResult> results = this.remote
				.acquire(open.stream().map(Slot::counted).toList(), new WaitBudget(Patience.LONG))
				.await();
			Slot.land(open, results, this.remote.source(), this.nanoTime.getAsLong());
		}
		return slots;
	}

	public Slot acquire(AcquireRequest request) {
		return acquire(List.of(request)).get(0);
	}

	/** Release what was admitted. */
	public SettlementResult release(Slot admitted) {
		AcquiredPermits permits = Objects.requireNonNull(admitted.acquired());
		Settled released = admitted.owner().settle(Settlement.release(permits));
		return (released instanceof Settled.InStore rest)
				? this.remote.settle(List.of(rest.settlement()), new WaitBudget(Patience.LONG)).await().get(0)
				: ((Settled.Here) released).result();
	}

}
