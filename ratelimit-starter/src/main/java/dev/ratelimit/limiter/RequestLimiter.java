package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.outage.DenyCache;
import dev.ratelimit.limiter.remote.StoreWatch;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.WaitRange;

/**
 * Decides a request. All its rules are sent to the store in one call, a rule whose call
 * failed follows its policy, and the acquired permits are released if a rule refuses.
 * Safe for concurrent use. Costs one {@link RateLimitStore#acquire} per request, none if
 * nothing has to be counted, and one {@link RateLimitStore#release} if some rules
 * admitted and others refused. A rule in shadow is decided like every other, but refuses
 * no request. A refusal that still holds is repeated from memory.
 */
public final class RequestLimiter {

	private static final AcquireResult NO_TIME_LEFT = new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN);

	private static final Optional<WaitRange> AT_ONCE = Optional.of(new WaitRange(0, 0));

	/** A key has only one pause; another pause prolongs it. */
	private static final PermitId PAUSE = new PermitId("pause");

	private final RateLimitStore store;

	private final DecisionFactory judgement;

	private final DecisionFactory leased;

	private final DecisionFactory synced;

	private final FailurePolicy failurePolicy;

	private final DenyCache denyCache;

	private final KnownRefusals knownRefusals;

	private final PermitIds permitIds;

	private final StoreWatch watch;

	private final DecisionListener listener;

	private final LongSupplier nanoTime;

	private final Duration deadline;

	/**
	 * Create a limiter.
	 * @param store the store that counts requests
	 * @param source the name of that store in a decision
	 * @param fallback counts while the store is unavailable
	 * @param denyCache caches refusals of the store
	 * @param permitIds creates the ids of permits
	 * @param watch notified whether the store responds
	 * @param listener notified of every decision
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @param deadline how long one request waits for stores in total
	 */
	public RequestLimiter(RateLimitStore store, Source source, Fallback fallback, DenyCache denyCache,
			PermitIds permitIds, StoreWatch watch, DecisionListener listener, LongSupplier nanoTime,
			Duration deadline) {
		this.store = store;
		this.judgement = new DecisionFactory(store, source);
		this.leased = new DecisionFactory(store, Source.LEASE);
		this.synced = new DecisionFactory(store, Source.MEMORY);
		this.failurePolicy = new FailurePolicy(fallback);
		this.denyCache = denyCache;
		this.knownRefusals = new KnownRefusals(denyCache);
		this.permitIds = permitIds;
		this.watch = watch;
		this.listener = listener;
		this.nanoTime = nanoTime;
		this.deadline = deadline;
	}

	/**
	 * Create the budget of a request that has not waited yet.
	 * @return the whole deadline, for one request
	 */
	public WaitBudget newBudget() {
		return new WaitBudget(this.deadline);
	}

	/**
	 * Decide a request.
	 * @param ruleRequests the rules that apply to it; at least one
	 * @param budget how long the request may still wait; if nothing is left, no store is
	 * called
	 * @return the decision; after a refusal no permits stay acquired, except those that
	 * {@code count-rejected} counts
	 */
	public RequestDecision decide(List<RuleRequest> ruleRequests, WaitBudget budget) {
		return decide(ruleRequests, budget, this.listener);
	}

	/** As above, but notify the given listener instead. */
	public RequestDecision decide(List<RuleRequest> ruleRequests, WaitBudget budget, DecisionListener listener) {
		long start = this.nanoTime.getAsLong();
		List<RuleDecision> refused = this.knownRefusals.of(ruleRequests, start);
		return refused.isEmpty() ? acquire(ruleRequests, budget, listener, start) : refuse(refused, listener, start);
	}

	/**
	 * As above, for a request that has not waited yet. A refused request needs no budget.
	 */
	RequestDecision decide(RuleRequest ruleRequest) {
		long start = this.nanoTime.getAsLong();
		List<RuleRequest> ruleRequests = List.of(ruleRequest);
		List<RuleDecision> refused = this.knownRefusals.of(ruleRequests, start);
		return refused.isEmpty() ? acquire(ruleRequests, newBudget(), this.listener, start)
				: refuse(refused, this.listener, start);
	}

	private RequestDecision refuse(List<RuleDecision> refused, DecisionListener listener, long startNanos) {
		report(refused, false, this.nanoTime.getAsLong() - startNanos, listener);
		return new RequestDecision(refused, List.of());
	}

	private RequestDecision acquire(List<RuleRequest> ruleRequests, WaitBudget budget, DecisionListener listener,
			long startNanos) {
		List<AcquireRequest> requests = requests(ruleRequests);
		List<AcquireResult> results = requests.isEmpty() ? List.of() : acquire(ruleRequests, requests, budget);
		List<Permit> taken = new ArrayList<>(ruleRequests.size());
		List<RuleDecision> decided = judge(ruleRequests, requests, results, startNanos, taken);
		boolean admitted = areAllAdmitted(decided);
		if (!admitted) {
			release(taken, budget);
			reportDoubts(requests, results);
		}
		report(decided, admitted, this.nanoTime.getAsLong() - startNanos, listener);
		return new RequestDecision(decided, admitted ? taken : List.of());
	}

	/**
	 * Give no request a turn for a while. A pause that does not reach the store is lost.
	 */
	void pause(CompiledLimited limited, RuleRequest ruleRequest, WaitRange pause) {
		AcquireRequest end = new AcquireRequest(limited.limit(), ruleRequest.subject(), 1, PAUSE, 1,
				Optional.of(pause));
		if (this.store.acquire(List.of(end), this.deadline).get(0) instanceof AcquireResult.Failed failed) {
			this.watch.unanswered(failed.failure());
		}
	}

	private List<AcquireRequest> requests(List<RuleRequest> ruleRequests) {
		List<AcquireRequest> requests = new ArrayList<>(ruleRequests.size());
		for (int i = 0; i < ruleRequests.size(); i++) {
			RuleRequest ruleRequest = ruleRequests.get(i);
			if (ruleRequest.allowance() instanceof CompiledLimited limited) {
				requests.add(new AcquireRequest(limited.limit(), ruleRequest.subject(), ruleRequest.cost(),
						this.permitIds.next(), ruleRequest.cost(), turn(ruleRequest, limited)));
			}
		}
		return requests;
	}

	/**
	 * At an even pace, a request that does not wait must not overtake the waiting ones.
	 */
	private static Optional<WaitRange> turn(RuleRequest ruleRequest, CompiledLimited limited) {
		return (!ruleRequest.waits() && limited.limit().paces()) ? AT_ONCE : ruleRequest.turn();
	}

	private List<AcquireResult> acquire(List<RuleRequest> ruleRequests, List<AcquireRequest> requests,
			WaitBudget budget) {
		Duration left = budget.left();
		if (left.isZero()) {
			return Collections.nCopies(requests.size(), NO_TIME_LEFT);
		}
		long start = this.nanoTime.getAsLong();
		List<AcquireResult> results = this.store.acquire(requests, left);
		long end = this.nanoTime.getAsLong();
		budget.spend(end - start, !anyFailed(results));
		remember(ruleRequests, requests, results, start, end);
		return results;
	}

	/** Whether the store failed, and the application did not cause the failure. */
	private static boolean anyFailed(List<AcquireResult> results) {
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Failed failed && failed.failure() != StoreFailure.OVERLOADED) {
				return true;
			}
		}
		return false;
	}

	private void remember(List<RuleRequest> ruleRequests, List<AcquireRequest> requests, List<AcquireResult> results,
			long sentNanos, long answeredNanos) {
		int next = 0;
		for (int i = 0; i < ruleRequests.size(); i++) {
			RuleRequest ruleRequest = ruleRequests.get(i);
			if (ruleRequest.allowance() instanceof CompiledLimited) {
				if (ruleRequest.repeatsRefusals() && results.get(next) instanceof AcquireResult.Refused refused) {
					this.denyCache.remember(requests.get(next), refused.usage(), sentNanos, answeredNanos);
				}
				next++;
			}
		}
	}

	private List<RuleDecision> judge(List<RuleRequest> ruleRequests, List<AcquireRequest> requests,
			List<AcquireResult> results, long startNanos, List<Permit> taken) {
		RuleDecision[] decided = new RuleDecision[ruleRequests.size()];
		int next = 0;
		for (int i = 0; i < decided.length; i++) {
			RuleRequest ruleRequest = ruleRequests.get(i);
			RateLimitDecision decision;
			if (ruleRequest.allowance() instanceof CompiledLimited limited) {
				decision = judge(ruleRequest.rule().config(), limited, requests.get(next), results.get(next), taken);
				next++;
			}
			else {
				decision = KnownRefusals.unasked(ruleRequest);
			}
			decided[i] = new RuleDecision(ruleRequest, decision);
			if (ruleRequest.isBoundByCaller()) {
				decided[i] = decided[i].after(Duration.ofNanos(this.nanoTime.getAsLong() - startNanos));
			}
		}
		return List.of(decided);
	}

	private static boolean areAllAdmitted(List<RuleDecision> decided) {
		boolean admitted = true;
		for (int i = 0; i < decided.size(); i++) {
			admitted &= !decided.get(i).refuses();
		}
		return admitted;
	}

	private RateLimitDecision judge(RLConfig rule, CompiledLimited limited, AcquireRequest request,
			AcquireResult result, List<Permit> taken) {
		if (result instanceof AcquireResult.Failed failed) {
			this.watch.unanswered(failed.failure());
			return this.failurePolicy.decide(rule, limited, request, failed, taken);
		}
		if (result instanceof AcquireResult.FromLease known) {
			return this.leased.judge(rule, limited, request, known.result(), taken);
		}
		this.watch.answered();
		DecisionFactory judgement = (rule.mode() instanceof Mode.Synced) ? this.synced : this.judgement;
		return judgement.judge(rule, limited, request, result, taken);
	}

	/**
	 * Release the permits of a decision, because a later stage refused the request or its
	 * outcome does not count.
	 * @param permits the permits of the decision
	 * @param budget how long the request may still wait; if nothing is left, it does not
	 * wait
	 */
	public void release(List<Permit> permits, WaitBudget budget) {
		Map<RateLimitStore, List<AcquiredPermits>> byStore = new LinkedHashMap<>(2);
		for (Permit permit : permits) {
			this.denyCache.permitReleased(permit.rule().id());
			byStore.computeIfAbsent(permit.store(), (store) -> new ArrayList<>(permits.size())).add(permit.taken());
		}
		byStore.forEach((store, all) -> {
			long start = this.nanoTime.getAsLong();
			List<ReleaseResult> ends = store.release(all, budget.left());
			budget.spend(this.nanoTime.getAsLong() - start);
			for (int i = 0; i < all.size(); i++) {
				report(all.get(i).request().limit().rule(), ends.get(i));
			}
		});
	}

	/** Releases that the store still awaits are reported by the store itself. */
	private void report(String rule, ReleaseResult end) {
		if (end != ReleaseResult.AWAITED) {
			this.listener.released(rule, end == ReleaseResult.ACKNOWLEDGED);
		}
	}

	/**
	 * Permits requested in a failed call may have been counted all the same. Another call
	 * would cost the request another deadline, so they stay counted until their window
	 * has passed.
	 */
	private void reportDoubts(List<AcquireRequest> requests, List<AcquireResult> results) {
		for (int i = 0; i < requests.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Failed failed && failed.fate() == Fate.UNKNOWN) {
				this.listener.released(requests.get(i).limit().rule(), false);
			}
		}
	}

	private static void report(List<RuleDecision> decided, boolean admitted, long nanos, DecisionListener listener) {
		for (int i = 0; i < decided.size(); i++) {
			listener.decided(decided.get(i), decided.get(i).outcome(admitted), nanos);
		}
	}

}
