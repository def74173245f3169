package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.outage.DenyCache;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.stage.PermitSources;
import dev.ratelimit.limiter.stage.Released;
import dev.ratelimit.limiter.stage.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Decides all rules of one request. The order of the stages is the order of the lines in
 * {@link #decide}. A known refusal ends the decision. Otherwise each stage answers the
 * rules that it can, and the store is called once for all the others. Safe for concurrent
 * use.
 */
public final class DecisionPipeline {

	private static final AcquireResult NO_RESULT = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private final KnownRefusals refusals;

	private final PermitSources sources;

	private final RemoteStore store;

	private final FailurePolicy failurePolicy;

	private final PermitIds permitIds;

	private final DecisionListener listener;

	private final LongSupplier nanoTime;

	/**
	 * Create a pipeline.
	 * @param denyCache caches refusals of the store
	 * @param sources decide requests of leased and synced rules
	 * @param store the store that counts requests
	 * @param fallback counts while the store is unavailable
	 * @param permitIds creates the ids of permits
	 * @param listener notified of released permits
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public DecisionPipeline(DenyCache denyCache, PermitSources sources, RemoteStore store, Fallback fallback,
			PermitIds permitIds, DecisionListener listener, LongSupplier nanoTime) {
		this.refusals = new KnownRefusals(denyCache);
		this.sources = sources;
		this.store = store;
		this.failurePolicy = new FailurePolicy(fallback);
		this.permitIds = permitIds;
		this.listener = listener;
		this.nanoTime = nanoTime;
	}

	/**
	 * Decide a request.
	 * @param ruleRequests the rules that apply to it; at least one
	 * @param budget how long the request may still wait; if nothing is left, the store is
	 * not called
	 * @param startNanos when it began
	 * @return the decision; after a refusal it has no permits
	 */
	RequestDecision decide(List<RuleRequest> ruleRequests, WaitBudget budget, long startNanos) {
		List<RuleDecision> refused = this.refusals.of(ruleRequests, startNanos);
		if (!refused.isEmpty()) {
			return new RequestDecision(refused, List.of());
		}
		Batch batch = Batch.of(ruleRequests, this.permitIds);
		acquire(batch.slots(), budget, startNanos);
		this.refusals.learn(batch, startNanos, this.nanoTime.getAsLong());
		this.failurePolicy.answer(batch);
		RequestDecision decision = judge(batch, startNanos);
		return decision.isAdmitted() ? decision : withoutPermits(decision, batch, budget);
	}

	/**
	 * Acquire permits: of the sources, and what these do not answer of the store.
	 * @param slots the requests, which are answered then
	 * @param budget how long to wait for the store
	 * @param startNanos when the request began
	 */
	void acquire(List<Slot> slots, WaitBudget budget, long startNanos) {
		this.sources.offer(slots, startNanos);
		List<Slot> open = open(slots);
		if (!open.isEmpty()) {
			call(open, budget);
		}
	}

	private static List<Slot> open(List<Slot> slots) {
		List<Slot> open = slots;
		for (int i = 0; i < slots.size(); i++) {
			if (slots.get(i).result() != null) {
				open = (open == slots) ? new ArrayList<>(slots.subList(0, i)) : open;
			}
			else if (open != slots) {
				open.add(slots.get(i));
			}
		}
		return open;
	}

	private void call(List<Slot> open, WaitBudget budget) {
		List<AcquireResult> results = List.of();
		long sent = this.nanoTime.getAsLong();
		try {
			results = this.store.acquire(counted(open), budget.left());
		}
		finally {
			long landed = this.nanoTime.getAsLong();
			if (!results.isEmpty()) {
				budget.spend(landed - sent, !hasStoreFailed(results));
			}
			land(open, results, 0, landed);
		}
	}

	/** Whatever the store or one of the requests throws, all requests land. */
	private void land(List<Slot> open, List<AcquireResult> results, int index, long nowNanos) {
		try {
			AcquireResult result = results.isEmpty() ? NO_RESULT : results.get(index);
			open.get(index).landed(result, this.store.source(), nowNanos);
		}
		finally {
			if (index + 1 < open.size()) {
				land(open, results, index + 1, nowNanos);
			}
		}
	}

	private static List<AcquireRequest> counted(List<Slot> slots) {
		if (slots.size() == 1) {
			return List.of(slots.get(0).counted());
		}
		List<AcquireRequest> requests = new ArrayList<>(slots.size());
		for (int i = 0; i < slots.size(); i++) {
			requests.add(slots.get(i).counted());
		}
		return requests;
	}

	/** Whether the store failed, and the application did not cause the failure. */
	private static boolean hasStoreFailed(List<AcquireResult> results) {
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Failed failed && failed.failure() != StoreFailure.OVERLOADED) {
				return true;
			}
		}
		return false;
	}

	private RequestDecision judge(Batch batch, long startNanos) {
		List<Permit> taken = new ArrayList<>(batch.size());
		RuleDecision[] decided = new RuleDecision[batch.size()];
		for (int i = 0; i < decided.length; i++) {
			RuleRequest ruleRequest = batch.ruleRequest(i);
			decided[i] = new RuleDecision(ruleRequest, judge(ruleRequest, batch.slot(i), taken));
			if (ruleRequest.isBoundByCaller()) {
				decided[i] = decided[i].after(Duration.ofNanos(this.nanoTime.getAsLong() - startNanos));
			}
		}
		return new RequestDecision(List.of(decided), taken);
	}

	private static RateLimitDecision judge(RuleRequest ruleRequest, @Nullable Slot slot, List<Permit> taken) {
		return (slot != null && ruleRequest.allowance() instanceof CompiledLimited limited)
				? DecisionFactory.judge(ruleRequest.rule().config(), limited, slot, taken)
				: KnownRefusals.unasked(ruleRequest);
	}

	/**
	 * Permits requested in a failed call may have been counted all the same. Another call
	 * would cost the request another deadline, so they stay counted until their window
	 * has passed.
	 */
	private RequestDecision withoutPermits(RequestDecision refused, Batch batch, WaitBudget budget) {
		release(refused.permits(), budget);
		for (int i = 0; i < batch.size(); i++) {
			Slot slot = batch.slot(i);
			if (slot != null && slot.isInDoubt()) {
				this.listener.released(slot.request().limit().rule(), false);
			}
		}
		return new RequestDecision(refused.decided(), List.of());
	}

	/**
	 * Release permits.
	 * @param permits the permits of a decision
	 * @param budget how long the request may still wait; if nothing is left, it does not
	 * wait
	 */
	void release(List<Permit> permits, WaitBudget budget) {
		List<AcquiredPermits> inStore = new ArrayList<>(permits.size());
		for (Permit permit : permits) {
			this.refusals.permitReleased(permit.rule().id());
			Released released = permit.owner().release(permit.taken());
			if (released instanceof Released.InStore rest) {
				inStore.add(rest.permits());
			}
			else if (released instanceof Released.Here here) {
				report(permit.taken(), here.result());
			}
		}
		if (!inStore.isEmpty()) {
			long start = this.nanoTime.getAsLong();
			List<ReleaseResult> results = this.store.release(inStore, budget.left());
			budget.spend(this.nanoTime.getAsLong() - start);
			for (int i = 0; i < inStore.size(); i++) {
				report(inStore.get(i), results.get(i));
			}
		}
	}

	/** Releases that the store still awaits are reported by the store itself. */
	private void report(AcquiredPermits permits, ReleaseResult result) {
		if (result != ReleaseResult.AWAITED) {
			this.listener.released(permits.request().limit().rule(), result == ReleaseResult.ACKNOWLEDGED);
		}
	}

	/**
	 * Acquire a permit of which no decision is made. If the store does not count it, it
	 * is lost.
	 * @param request the request
	 * @param budget how long to wait for the store
	 */
	void acquireUndecided(AcquireRequest request, WaitBudget budget) {
		List<AcquireResult> ignored = this.store.acquire(List.of(request), budget.left());
	}

}
