package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;

/**
 * A request that is decided step by step, as a test controls it: a step is what one node
 * does at once, an acquire or a release. The real {@link RequestLimiter} decides. For
 * each step it starts anew and gets the results that it has received already. What it
 * decides without the next step is dropped.
 */
final class RequestUnderWay {

	private static final AcquireResult STOPPED = new AcquireResult.Failed(StoreFailure.ERROR, Fate.NOT_TAKEN);

	private final int number;

	private final List<RuleRequest> ruleRequests;

	private final Map<String, RateLimitStore> nodes;

	private final MovableClock clock;

	private final List<Step> steps = new ArrayList<>();

	private Optional<RequestDecision> decision = Optional.empty();

	/**
	 * A request that has not taken its first step yet.
	 * @param number distinguishes it from others
	 * @param ruleRequests its rules, in the order in which their nodes are reached
	 * @param nodes where each rule is counted, by the id of the rule
	 * @param clock the time
	 */
	RequestUnderWay(int number, List<RuleRequest> ruleRequests, Map<String, RateLimitStore> nodes, MovableClock clock) {
		this.number = number;
		this.ruleRequests = ruleRequests;
		this.nodes = nodes;
		this.clock = clock;
	}

	boolean isOver() {
		return this.decision.isPresent();
	}

	boolean isAdmitted() {
		return this.decision.orElseThrow().isAdmitted();
	}

	/**
	 * Take the next step.
	 * @return what it was
	 */
	Step step() {
		StepByStep store = new StepByStep();
		RequestLimiter limiter = TestLimiter.over(store, this.clock)
			.fallback(Fallback.alone(store))
			.permitIds(new PermitIds(new SplittableRandom(this.number)))
			.build();
		RequestDecision decision = limiter.decide(this.ruleRequests, limiter.newBudget()).await();
		if (!store.isStopped) {
			this.decision = Optional.of(decision);
		}
		return this.steps.get(this.steps.size() - 1);
	}

	/**
	 * What one node did.
	 *
	 * @param of for which request
	 * @param request what is acquired or released
	 * @param micros when
	 * @param outcome an {@link AcquireResult}, or a {@link SettlementResult}
	 */
	record Step(RequestUnderWay of, AcquireRequest request, long micros, Object outcome) {

		String rule() {
			return this.request.limit().rule();
		}

		boolean isRefusal() {
			return this.outcome instanceof AcquireResult.Refused;
		}

		boolean isRelease() {
			return this.outcome instanceof SettlementResult;
		}

		@Override
		public String toString() {
			String what = isRelease() ? "releases to" : isRefusal() ? "is refused by" : "takes from";
			return this.of.number + " " + what + " " + rule();
		}

	}

	private final class StepByStep extends DelegatingStore {

		private final int known = RequestUnderWay.this.steps.size();

		private int done;

		private boolean isStopped;

		StepByStep() {
			super(new MemoryStore(RequestUnderWay.this.clock));
		}

		private Object step(AcquireRequest request, Object stopped, Supplier<Object> action) {
			if (this.done > this.known) {
				// The next call takes that step, and this decision is dropped.
				this.isStopped = true;
				return stopped;
			}
			if (this.done == this.known) {
				RequestUnderWay.this.steps
					.add(new Step(RequestUnderWay.this, request, RequestUnderWay.this.clock.micros(), action.get()));
			}
			return RequestUnderWay.this.steps.get(this.done++).outcome();
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			return Pending.of(requests.stream()
				.map((request) -> (AcquireResult) step(request, STOPPED,
						() -> node(request).acquire(List.of(request), maxWait).await().get(0)))
				.toList());
		}

		@Override
		public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
			return Pending.of(settlements.stream()
				.map((settled) -> (SettlementResult) step(settled.permits().request(), SettlementResult.LOST,
						() -> node(settled.permits().request()).settle(List.of(settled), maxWait).await().get(0)))
				.toList());
		}

		private RateLimitStore node(AcquireRequest request) {
			return RequestUnderWay.this.nodes.get(request.limit().rule());
		}

		@Override
		public String shard(AcquireRequest request) {
			return request.limit().rule();
		}

	}

}
