package dev.ratelimit.limiter;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.limiter.outage.DenyCache;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.remote.StoreListener;
import dev.ratelimit.limiter.remote.StoreTracer;
import dev.ratelimit.limiter.remote.StoreWatch;
import dev.ratelimit.limiter.stage.PermitSources;
import dev.ratelimit.limiter.stage.Released;
import dev.ratelimit.limiter.stage.Slot;
import dev.ratelimit.limiter.sync.Synchronizer;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.memory.MemoryStore;

/**
 * The stages of one instance that acquire permits, over a store of a test.
 */
public final class TestPipeline {

	private final RemoteStore remote;

	private final DecisionPipeline pipeline;

	private final LongSupplier nanoTime;

	private TestPipeline(RemoteStore remote, PermitSources sources, LongSupplier nanoTime) {
		this.remote = remote;
		this.nanoTime = nanoTime;
		this.pipeline = new DecisionPipeline(DenyCache.off(), sources, remote,
				Fallback.alone(new MemoryStore(InstantSource.system())), new PermitIds(new SplittableRandom(1)),
				DecisionListener.none(), nanoTime);
	}

	/** A store without breakers. */
	public static RemoteStore remote(RateLimitStore store, StoreWatch watch, LongSupplier nanoTime) {
		return new RemoteStore(store, Source.STORE, Optional.empty(), watch, StoreListener.all(List.of()),
				StoreTracer.NONE, nanoTime);
	}

	/** A store without breakers that nothing watches. */
	public static RemoteStore remote(RateLimitStore store, LongSupplier nanoTime) {
		return remote(store, Watches.quiet(() -> 0), nanoTime);
	}

	/** Leased rules use these leases, all other rules the store. */
	public static TestPipeline leasing(Leases leases, RateLimitStore store, LongSupplier nanoTime) {
		return new TestPipeline(remote(store, () -> 0), new PermitSources(Map.of(ModeKind.LEASED, leases)), nanoTime);
	}

	/** Synced rules count on this instance, all other rules in the store. */
	public static TestPipeline syncing(Synchronizer synchronizer, RateLimitStore store, LongSupplier nanoTime) {
		return new TestPipeline(remote(store, () -> 0), new PermitSources(Map.of(ModeKind.SYNCED, synchronizer)),
				nanoTime);
	}

	public List<Slot> acquire(List<AcquireRequest> requests) {
		List<Slot> slots = requests.stream().map(Slot::new).toList();
		this.pipeline.acquire(slots, new WaitBudget(Patience.LONG), this.nanoTime.getAsLong()).await();
		return slots;
	}

	public Slot acquire(AcquireRequest request) {
		return acquire(List.of(request)).get(0);
	}

	/** Release what was admitted. */
	public ReleaseResult release(Slot admitted) {
		AcquiredPermits permits = Objects.requireNonNull(admitted.acquired());
		Released released = admitted.owner().release(permits);
		return (released instanceof Released.InStore rest)
				? this.remote.release(List.of(rest.permits()), Patience.LONG).await().get(0)
				: ((Released.Here) released).result();
	}

}
