package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.limiter.source.Released;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Pending;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.WaitBudget;
import org.jspecify.annotations.Nullable;

/**
 * Decides all rules of one request. The order of the stages is the order of the lines in
 * {@link #decide(List, WaitBudget, long)} and {@link #acquire}. A known refusal ends the
 * decision. Otherwise each stage answers the rules that it can, and the store is called
 * once for all the others; sources that deferred to it see its reply first. Safe for
 * concurrent use.
 */
public final class DecisionPipeline {

	private static final AcquireResult NOT_CALLED = new AcquireResult.Failed(StoreFailure.ERROR, Fate.NOT_TAKEN);

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
	Pending<RequestDecision> decide(List<RuleRequest> ruleRequests, WaitBudget budget, long startNanos) {
		List<RuleDecision> refused = this.refusals.find(ruleRequests, startNanos);
		if (!refused.isEmpty()) {
			return Pending.of(new RequestDecision(refused));
		}
		return acquire(ruleRequests, budget, startNanos);
	}

	/**
	 * Decide a request of one rule that keeps its permits, in the same order. Where the
	 * store is not needed, nothing is made that only a release would need.
	 * @param ruleRequest the rule; not one that waits for a turn
	 * @param deadline how long the request may wait
	 * @param startNanos when it began
	 * @return the decision
	 */
	RateLimitDecision decide(RuleRequest ruleRequest, Duration deadline, long startNanos) {
		RateLimitDecision here = decideHere(ruleRequest, startNanos);
		return (here != null) ? here
				: acquire(List.of(ruleRequest), new WaitBudget(deadline), startNanos).await()
					.decided()
					.get(0)
					.decision();
	}

	/** The decision without the store; {@code null} if that is not possible. */
	@Nullable RateLimitDecision decideHere(RuleRequest ruleRequest, long nowNanos) {
		RateLimitDecision refusal = this.refusals.find(ruleRequest, nowNanos);
		if (refusal != null) {
			return refusal;
		}
		if (!(ruleRequest.allowance() instanceof CompiledLimited limited)) {
			return null;
		}
		PermitSource source = this.sources.find(limited.limit());
		if (source == null) {
			return null;
		}
		EstimatedWindows result = source.tryAcquire(limited.limit(), ruleRequest.subject(), ruleRequest.cost(),
				nowNanos);
		return (result != null) ? result.decision(ruleRequest.rule().id(), source.source()) : null;
	}

	/** All stages behind the known refusals. */
	private Pending<RequestDecision> acquire(List<RuleRequest> ruleRequests, WaitBudget budget, long startNanos) {
		List<RuleAttempt> attempts = RuleAttempt.of(ruleRequests, this.permitIds);
		List<Slot> slots = RuleAttempt.slots(attempts);
		Pending<List<Slot>> called;
		try {
			List<Slot> open = offerToSources(slots, startNanos);
			if (open.isEmpty()) {
				return conclude(attempts, budget, startNanos);
			}
			called = acquireFromStore(open, budget);
		}
		catch (Throwable ex) {
			// No call will end for the slots that are prepared by now.
			Slot.land(slots, Collections.nCopies(slots.size(), NOT_CALLED), this.store.source(), startNanos);
			throw ex;
		}
		return called.flatMap((landed) -> {
			this.refusals.cache(attempts, startNanos, this.nanoTime.getAsLong());
			this.failurePolicy.countLocally(attempts);
			return conclude(attempts, budget, startNanos);
		});
	}

	/**
	 * Acquire permits from the sources.
	 * @param slots the requests
	 * @param nowNanos the time on the monotonic clock
	 * @return the requests that no source has answered
	 */
	List<Slot> offerToSources(List<Slot> slots, long nowNanos) {
		this.sources.offer(slots, nowNanos);
		// Nearly always all are answered, or none.
		int count = 0;
		for (int i = 0; i < slots.size(); i++) {
			count += slots.get(i).isAnswered() ? 0 : 1;
		}
		if (count == slots.size()) {
			return slots;
		}
		return (count == 0) ? List.of() : slots.stream().filter((slot) -> !slot.isAnswered()).toList();
	}

	/**
	 * Acquire permits from the store.
	 * @param open the requests; at least one
	 * @param budget how long to wait
	 * @return the same requests, with their results
	 */
	Pending<List<Slot>> acquireFromStore(List<Slot> open, WaitBudget budget) {
		return this.store.acquire(counted(open), budget).map((results) -> {
			Slot.land(open, results, this.store.source(), this.nanoTime.getAsLong());
			return open;
		});
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

	private Pending<RequestDecision> conclude(List<RuleAttempt> attempts, WaitBudget budget, long startNanos) {
		RequestDecision decision = new RequestDecision(judge(attempts, startNanos), attempts);
		return decision.isAdmitted() ? Pending.of(decision) : releaseAndRefuse(decision, attempts, budget);
	}

	private List<RuleDecision> judge(List<RuleAttempt> attempts, long startNanos) {
		if (attempts.size() == 1) {
			return List.of(judge(attempts.get(0), startNanos));
		}
		RuleDecision[] decided = new RuleDecision[attempts.size()];
		for (int i = 0; i < decided.length; i++) {
			decided[i] = judge(attempts.get(i), startNanos);
		}
		return List.of(decided);
	}

	private RuleDecision judge(RuleAttempt attempt, long startNanos) {
		RuleDecision decided = RuleDecision.of(attempt);
		return attempt.ruleRequest().isBoundByCaller()
				? decided.after(Duration.ofNanos(this.nanoTime.getAsLong() - startNanos)) : decided;
	}

	/**
	 * Permits requested in a failed call may have been counted all the same. Another call
	 * would cost the request another deadline, so they stay counted until their window
	 * has passed.
	 */
	private Pending<RequestDecision> releaseAndRefuse(RequestDecision refused, List<RuleAttempt> attempts,
			WaitBudget budget) {
		return release(refused.permits(), budget).map((released) -> {
			for (RuleAttempt attempt : attempts) {
				Slot slot = attempt.slot();
				if (slot != null && slot.isInDoubt()) {
					this.listener.released(slot.request().limit().rule(), false);
				}
			}
			return new RequestDecision(refused.decided());
		});
	}

	/**
	 * Release permits.
	 * @param permits the permits of a decision
	 * @param budget how long the request may still wait; if nothing is left, it does not
	 * wait
	 * @return what became of those that the store counts
	 */
	Pending<List<ReleaseResult>> release(List<Permit> permits, WaitBudget budget) {
		List<AcquiredPermits> inStore = new ArrayList<>(permits.size());
		long nowNanos = permits.isEmpty() ? 0 : this.nanoTime.getAsLong();
		for (Permit permit : permits) {
			this.refusals.permitReleased(permit.rule().id(), nowNanos);
			Released released = permit.owner().release(permit.taken());
			if (released instanceof Released.InStore rest) {
				inStore.add(rest.permits());
			}
			else if (released instanceof Released.Here here) {
				report(permit.taken(), here.result());
			}
		}
		return inStore.isEmpty() ? Pending.of(List.of()) : releaseInStore(inStore, budget);
	}

	private Pending<List<ReleaseResult>> releaseInStore(List<AcquiredPermits> permits, WaitBudget budget) {
		return this.store.release(permits, budget).map((results) -> {
			for (int i = 0; i < results.size(); i++) {
				report(permits.get(i), results.get(i));
			}
			return results;
		});
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
	void acquire(AcquireRequest request, WaitBudget budget) {
		List<AcquireResult> ignored = this.store.acquire(List.of(request), budget).await();
	}

}
