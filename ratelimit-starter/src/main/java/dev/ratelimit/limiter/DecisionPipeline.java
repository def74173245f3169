package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.limiter.source.Settled;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import org.jspecify.annotations.Nullable;

/**
 * Decides all rules of one request. The order of the stages is the order of the lines in
 * {@link PendingDecision}. A known refusal ends the decision. Otherwise each stage
 * answers the rules that it can, and the store is called once for all the others; sources
 * that deferred to it see its reply first. Nothing here waits. Safe for concurrent use.
 */
public final class DecisionPipeline {

	private static final AcquireResult NOT_CALLED = new AcquireResult.Failed(StoreFailure.ERROR, Fate.NOT_TAKEN);

	private static final Pending<List<SettlementResult>> NOTHING_SETTLED = Pending.of(List.of());

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
	 * @param listener notified of decisions and of released permits
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
	 * @return the decision; after a refusal it has no permits
	 */
	Pending<RequestDecision> decide(List<RuleRequest> ruleRequests, WaitBudget budget) {
		return decide(ruleRequests, budget, this.listener);
	}

	/** As above, but notify the given listener of the decision instead. */
	Pending<RequestDecision> decide(List<RuleRequest> ruleRequests, WaitBudget budget, DecisionListener reports) {
		return new PendingDecision(ruleRequests, budget, reports);
	}

	/**
	 * Decide a request of one rule that keeps its permits, in the same order, if that is
	 * possible without the store. Nothing is made that only a release would need.
	 * @param ruleRequest the rule; not one that waits for a turn
	 * @return the decision; {@code null} if it has to be {@linkplain #decide decided}
	 */
	@Nullable RateLimitDecision decideHere(RuleRequest ruleRequest) {
		long start = this.nanoTime.getAsLong();
		RateLimitDecision refusal = this.refusals.find(ruleRequest, start);
		RateLimitDecision decision = (refusal != null) ? refusal : acquireHere(ruleRequest, start);
		if (decision != null) {
			this.listener.decided(ruleRequest, decision, RuleDecision.outcome(decision, true),
					nanosSince(start, this.listener));
		}
		return decision;
	}

	private @Nullable RateLimitDecision acquireHere(RuleRequest ruleRequest, long nowNanos) {
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

	private long nanosSince(long start, DecisionListener reports) {
		return reports.isTimed() ? this.nanoTime.getAsLong() - start : 0;
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
	 * Settle permits.
	 * @param permits the permits of a decision
	 * @param amount how many of each are kept: all or fewer
	 * @param budget how long the request may still wait; if nothing is left, it does not
	 * wait
	 * @return what became of those that the store counts
	 */
	Pending<List<SettlementResult>> settle(List<Permit> permits, ToLongFunction<Permit> amount, WaitBudget budget) {
		return permits.isEmpty() ? NOTHING_SETTLED : Pending.defer(() -> settleNow(permits, amount, budget));
	}

	private Pending<List<SettlementResult>> settleNow(List<Permit> permits, ToLongFunction<Permit> amount,
			WaitBudget budget) {
		List<Settlement> inStore = new ArrayList<>(permits.size());
		long nowNanos = this.nanoTime.getAsLong();
		for (Permit permit : permits) {
			long kept = amount.applyAsLong(permit);
			if (kept == permit.amount()) {
				continue;
			}
			this.refusals.permitReleased(permit.rule().id(), nowNanos);
			Settled settled = permit.owner().settle(new Settlement(permit.taken(), kept));
			if (settled instanceof Settled.InStore rest) {
				inStore.add(rest.settlement());
			}
			else if (settled instanceof Settled.Here here) {
				report(permit.taken(), here.result());
			}
		}
		return inStore.isEmpty() ? NOTHING_SETTLED : settleInStore(inStore, budget);
	}

	private Pending<List<SettlementResult>> settleInStore(List<Settlement> settlements, WaitBudget budget) {
		return this.store.settle(settlements, budget).map((results) -> {
			for (int i = 0; i < results.size(); i++) {
				report(settlements.get(i).permits(), results.get(i));
			}
			return results;
		});
	}

	/** Settlements that the store still awaits are reported by the store itself. */
	private void report(AcquiredPermits permits, SettlementResult result) {
		if (result != SettlementResult.AWAITED) {
			this.listener.released(permits.request().limit().rule(), result == SettlementResult.ACKNOWLEDGED);
		}
	}

	/**
	 * Acquire a permit of which no decision is made. If the store does not count it, it
	 * is lost.
	 * @param request the request
	 * @param budget how long to wait for the store
	 * @return the result
	 */
	Pending<List<AcquireResult>> acquire(AcquireRequest request, WaitBudget budget) {
		return this.store.acquire(List.of(request), budget);
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

	/** The decision of one request, stage by stage. */
	private final class PendingDecision extends Pending<RequestDecision> {

		private final List<RuleRequest> ruleRequests;

		private final WaitBudget budget;

		private final DecisionListener reports;

		private long startNanos;

		private List<RuleAttempt> attempts = List.of();

		PendingDecision(List<RuleRequest> ruleRequests, WaitBudget budget, DecisionListener reports) {
			this.ruleRequests = ruleRequests;
			this.budget = budget;
			this.reports = reports;
		}

		@Override
		protected RequestDecision doAwait() {
			return decide().await();
		}

		@Override
		protected CompletionStage<RequestDecision> doStart(Executor executor) {
			return decide().start(executor);
		}

		private Pending<RequestDecision> decide() {
			this.startNanos = DecisionPipeline.this.nanoTime.getAsLong();
			List<RuleDecision> refused = DecisionPipeline.this.refusals.find(this.ruleRequests, this.startNanos);
			return refused.isEmpty() ? acquire() : Pending.of(reported(new RequestDecision(refused)));
		}

		private Pending<RequestDecision> acquire() {
			this.attempts = RuleAttempt.of(this.ruleRequests, DecisionPipeline.this.permitIds);
			List<Slot> slots = RuleAttempt.slots(this.attempts);
			Pending<List<AcquireResult>> called;
			List<Slot> open;
			try {
				open = offerToSources(slots, this.startNanos);
				if (open.isEmpty()) {
					return conclude();
				}
				called = DecisionPipeline.this.store.acquire(counted(open), this.budget);
			}
			catch (Throwable ex) {
				// No call will end for the slots that are prepared by now.
				land(slots, Collections.nCopies(slots.size(), NOT_CALLED));
				throw ex;
			}
			return called.flatMap((results) -> {
				land(open, results);
				DecisionPipeline.this.refusals.cache(this.attempts, this.startNanos,
						DecisionPipeline.this.nanoTime.getAsLong());
				DecisionPipeline.this.failurePolicy.countLocally(this.attempts);
				return conclude();
			});
		}

		private void land(List<Slot> slots, List<AcquireResult> results) {
			Slot.land(slots, results, DecisionPipeline.this.store.source(), DecisionPipeline.this.nanoTime.getAsLong());
		}

		private Pending<RequestDecision> conclude() {
			RequestDecision decision = new RequestDecision(judge(), this.attempts);
			return decision.isAdmitted() ? Pending.of(reported(decision)) : releaseAndRefuse(decision);
		}

		private List<RuleDecision> judge() {
			if (this.attempts.size() == 1) {
				return List.of(judge(this.attempts.get(0)));
			}
			RuleDecision[] decided = new RuleDecision[this.attempts.size()];
			for (int i = 0; i < decided.length; i++) {
				decided[i] = judge(this.attempts.get(i));
			}
			return List.of(decided);
		}

		private RuleDecision judge(RuleAttempt attempt) {
			RuleDecision decided = RuleDecision.of(attempt);
			return attempt.ruleRequest().isBoundByCaller()
					? decided.after(Duration.ofNanos(DecisionPipeline.this.nanoTime.getAsLong() - this.startNanos))
					: decided;
		}

		/**
		 * Permits requested in a failed call may have been counted all the same. Another
		 * call would cost the request another deadline, so they stay counted until their
		 * window has passed.
		 */
		private Pending<RequestDecision> releaseAndRefuse(RequestDecision refused) {
			return settle(refused.permits(), (permit) -> 0, this.budget).map((released) -> {
				for (RuleAttempt attempt : this.attempts) {
					Slot slot = attempt.slot();
					if (slot != null && slot.isInDoubt()) {
						DecisionPipeline.this.listener.released(slot.request().limit().rule(), false);
					}
				}
				return reported(new RequestDecision(refused.decided()));
			});
		}

		private RequestDecision reported(RequestDecision decision) {
			long nanos = nanosSince(this.startNanos, this.reports);
			for (int i = 0; i < decision.decided().size(); i++) {
				RuleDecision one = decision.decided().get(i);
				this.reports.decided(one.ruleRequest(), one.decision(), one.outcome(decision.isAdmitted()), nanos);
			}
			return decision;
		}

	}

}
