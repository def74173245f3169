package dev.ratelimit.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.PolicyField;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.support.Pending;
import dev.ratelimit.web.RequestAction.AwaitTurn;
import dev.ratelimit.web.RequestAction.Proceed;
import dev.ratelimit.web.RequestAction.Refuse;
import dev.ratelimit.web.RequestAction.TakeLater;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.key.RequestFacts;

import org.springframework.http.server.PathContainer;

/**
 * Computes what is to be done with a request, from its facts and from the rules that
 * match it. An adapter supplies the facts and executes the action; no rule is decided for
 * an HTTP request that is being served anywhere else. What a method returns begins when
 * the adapter awaits or starts it. Nothing here waits, but a module may wait for its own
 * store.
 */
public final class RequestDecider {

	private final RequestLimiter limiter;

	private final ExemptAddresses exemptAddresses;

	private final DecisionListener listener;

	private final LongSupplier nanoTime;

	private final Optional<LaterDecider> later;

	/**
	 * Create a decider.
	 * @param limiter decides rules
	 * @param exemptAddresses the addresses of clients that are never limited
	 * @param listener is notified of rules that do not apply, or refuse for lack of a
	 * key, of those that were decided late, and of those that were not reached
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @param later decides the rules whose requests a module handles later
	 */
	public RequestDecider(RequestLimiter limiter, List<IpRange> exemptAddresses, DecisionListener listener,
			LongSupplier nanoTime, Optional<LaterDecider> later) {
		this.limiter = limiter;
		this.exemptAddresses = new ExemptAddresses(exemptAddresses);
		this.listener = listener;
		this.nanoTime = nanoTime;
		this.later = later;
	}

	/** Begin with a request: match it against the rules in force. */
	public RateLimitContext begin(Routes routes, PathForms path, String method) {
		return new RateLimitContext(routes, path, method, this.limiter.newBudget());
	}

	/** Whether no rule applies to a client, whatever its request matches. */
	public boolean isExemptClient(Supplier<Optional<String>> address) {
		return this.exemptAddresses.contain(address);
	}

	/** Report rules that are decided late, as no filter saw that they cover a request. */
	public void reportLate(List<Match> matches) {
		for (Match match : matches) {
			match.route().rule().reach().match();
			this.listener.late(match.route().rule().id());
		}
	}

	/**
	 * Report the rules behind Spring Security that a request did not reach, as it was
	 * answered before.
	 */
	public void reportUnreached(RateLimitContext context) {
		for (Match match : context.matches()) {
			Route route = match.route();
			if (!route.isBeforeSecurity() && !context.isDecided(route)) {
				this.listener.unreached(route.rule().id());
				UnreachedRule.miss(route.rule());
			}
		}
	}

	/**
	 * Decide the rules that are not decided yet.
	 * @param context the state of the request
	 * @param matches the rules that match it
	 * @param path the path that they match
	 * @param facts its facts
	 * @param mayTake whether a module may take it; called only if one of its rules
	 * applies
	 * @return what is to be done
	 */
	public Pending<RequestAction> decide(RateLimitContext context, List<Match> matches, PathContainer path,
			RequestFacts facts, BooleanSupplier mayTake) {
		return new PendingAction(context, matches, path, facts, mayTake);
	}

	/** Returns whether the rule refuses the request. */
	private boolean reportUndecided(Route route, RuleApplication application) {
		boolean denies = application instanceof RuleApplication.Denies;
		this.listener.undecided(route.rule().id(), denies ? Outcome.REJECTED : Outcome.SKIPPED);
		return denies && !route.rule().config().enforcement().shadow();
	}

	/**
	 * A module has not taken a request: its rules refuse it, as others do.
	 * @param context the state of the request
	 * @param action the attempt
	 * @param isConfirmed whether the module's store has said so
	 * @return the refusal
	 */
	public Pending<RequestAction> refuse(RateLimitContext context, TakeLater action, boolean isConfirmed) {
		return Pending.defer(() -> {
			RequestDecision decision = this.later.orElseThrow().refused(action.attempt(), isConfirmed);
			context.add(decision);
			return refuse(context, action.matches(), decision);
		});
	}

	/**
	 * A module has responded, or its client has left. If it has taken the request, only
	 * turns are released.
	 * @param context the state of the request
	 * @param action the attempt
	 * @param isTaken whether the module has taken it
	 * @return the match of the rule whose request it was
	 */
	public Pending<Match> answer(RateLimitContext context, TakeLater action, boolean isTaken) {
		return Pending.defer(() -> {
			LaterDecider later = this.later.orElseThrow();
			RequestDecision decision = isTaken ? later.taken(action.attempt()) : later.refused(action.attempt(), true);
			context.add(decision);
			context.endDelay();
			return release(context, isTaken ? context.permits().takeTurns() : context.takeOfRefused())
				.map((released) -> Match.of(action.matches(), decision.decided().get(0).ruleRequest().rule()));
		});
	}

	private static RequestAction goOn(RateLimitContext context, boolean decided) {
		Optional<DelayedRequest> delayed = context.delayedRequest();
		return (delayed.isPresent() && delayed.get().isAt(DelayedRequest.Phase.TO_COME))
				? new AwaitTurn(delayed.get(), decided) : Proceed.of(decided);
	}

	private Pending<RequestAction> refuse(RateLimitContext context, List<Match> matches, RequestDecision decision) {
		RuleDecision refusal = decision.decided().stream().filter(RuleDecision::refuses).findFirst().orElseThrow();
		return refuse(context, Match.of(matches, refusal.ruleRequest().rule()), decision.refusals());
	}

	/** Refuse a request, and release its permits. */
	private Pending<RequestAction> refuse(RateLimitContext context, Match refusing, List<RateLimitDecision> refusals) {
		context.endDelay();
		return release(context, context.takeOfRefused())
			.map((released) -> new Refuse(context.reported(), refusals, Optional.of(refusing)));
	}

	/**
	 * Let a request go on, as its turn has come.
	 * @param context the state of the request
	 * @return what is to be done
	 */
	public RequestAction afterWait(RateLimitContext context) {
		context.endDelay();
		return Proceed.of(false);
	}

	/**
	 * Refuse a request that may wait no longer.
	 * @param context the state of the request
	 * @param turn its wait
	 * @param stopping whether the application stops; if not, its client has left
	 * @return the refusal
	 */
	public Pending<RequestAction> refuseWaiting(RateLimitContext context, DelayedRequest turn, boolean stopping) {
		return Pending.defer(() -> {
			context.endDelay();
			return release(context, stopping ? context.takeOfRefused() : context.permits().takeTurns())
				.map((released) -> refuseApart(Optional.of(context),
						turn.rules().stream().map(RequestDecider::stopping).toList()));
		});
	}

	private static RateLimitDecision stopping(String rule) {
		return new Unavailable(rule, Duration.ofSeconds(1));
	}

	/**
	 * Refuse a request apart from the decisions so far, and leave its permits.
	 * @param context the state of the request, if it passed a filter
	 * @param refusals the decisions that refuse it
	 * @return the refusal
	 */
	public Refuse refuseApart(Optional<RateLimitContext> context, List<RateLimitDecision> refusals) {
		List<ReportedDecision> reported = new ArrayList<>(context.map(RateLimitContext::reported).orElse(List.of()));
		refusals.forEach((refusal) -> reported.add(new ReportedDecision(PolicyField.of(refusal), refusal, 1)));
		return new Refuse(reported, refusals, Optional.empty());
	}

	/**
	 * Release the turns of a request whose client left before they came. What other rules
	 * have counted stays counted: it has passed the filters, which may be dear.
	 * @param context the state of the request
	 * @return the end of it
	 */
	public Pending<?> abandon(RateLimitContext context) {
		return Pending.defer(() -> release(context, context.permits().takeTurns()));
	}

	/**
	 * Release the permits that the outcome of a request does not count.
	 * @param context the state of the request
	 * @param status the outcome, as an HTTP status
	 * @return the end of it
	 */
	public Pending<?> settle(RateLimitContext context, int status) {
		return Pending.defer(() -> this.limiter.settle(context.permits().takeAll(),
				(permit) -> context.counts(permit, status) ? permit.amount() : 0, context.budget()));
	}

	private Pending<?> release(RateLimitContext context, List<Permit> permits) {
		return this.limiter.release(permits, context.budget());
	}

	/** The decision of one request at one stage. */
	private final class PendingAction extends Pending<RequestAction> {

		private final RateLimitContext context;

		private final List<Match> matches;

		private final PathContainer path;

		private final RequestFacts facts;

		private final BooleanSupplier mayTake;

		private final List<RuleRequest> ruleRequests;

		private List<RuleApplication.Counts> countedLater = List.of();

		PendingAction(RateLimitContext context, List<Match> matches, PathContainer path, RequestFacts facts,
				BooleanSupplier mayTake) {
			this.context = context;
			this.matches = matches;
			this.path = path;
			this.facts = facts;
			this.mayTake = mayTake;
			this.ruleRequests = new ArrayList<>(matches.size());
		}

		@Override
		protected RequestAction doAwait() {
			return decide().await();
		}

		@Override
		protected CompletionStage<RequestAction> doStart(Executor executor) {
			return decide().start(executor);
		}

		private Pending<RequestAction> decide() {
			for (Match match : this.matches) {
				Route route = match.route();
				if (!this.context.markDecided(route)) {
					continue;
				}
				route.rule().reach().reach();
				RuleApplication application = route.apply(this.facts, match.variables());
				if (application instanceof RuleApplication.Counts counts) {
					add(counts);
				}
				else if (reportUndecided(route, application)) {
					return refuse(this.context, match, List.of());
				}
			}
			return this.context.needs().delay() ? decideInOrder(RuleRequest.inOrder(this.ruleRequests))
					: decideTogether(this.ruleRequests, List.of());
		}

		private void add(RuleApplication.Counts counts) {
			Optional<LaterDecider> later = RequestDecider.this.later;
			if (later.isEmpty() || !later.get().decides(counts.ruleRequest()) || !this.mayTake.getAsBoolean()) {
				this.ruleRequests.add(counts.ruleRequest());
				return;
			}
			this.countedLater = this.countedLater.isEmpty() ? new ArrayList<>(2) : this.countedLater;
			this.countedLater.add(counts);
		}

		private Pending<RequestAction> decideInOrder(List<List<RuleRequest>> stages) {
			return decideTogether(stages.get(0), stages.subList(1, stages.size()));
		}

		private Pending<RequestAction> decideTogether(List<RuleRequest> together, List<List<RuleRequest>> later) {
			if (together.isEmpty()) {
				return decideLast();
			}
			return RequestDecider.this.limiter.decide(together, this.context.budget()).flatMap((decision) -> {
				this.context.add(decision);
				if (!decision.isAdmitted()) {
					return refuse(this.context, this.matches, decision);
				}
				if (!decision.delay().isZero()) {
					// Counted from now on, the delay ends no earlier than by the clock of
					// the store.
					this.context.addDelay(DelayedRequest.of(decision, RequestDecider.this.nanoTime.getAsLong()));
				}
				return later.isEmpty() ? decideLast() : decideInOrder(later);
			});
		}

		private Pending<RequestAction> decideLast() {
			if (this.countedLater.isEmpty()) {
				return Pending.of(goOn(this.context, !this.ruleRequests.isEmpty()));
			}
			return RequestDecider.this.later.orElseThrow()
				.decide(this.countedLater, this.path.value(), this.context.budget())
				.flatMap((decided) -> {
					if (decided.attempt().isPresent()) {
						return Pending.of(new TakeLater(decided.attempt().get(), this.matches));
					}
					this.context.add(decided.decision());
					return decided.decision().isAdmitted() ? Pending.of(goOn(this.context, true))
							: refuse(this.context, this.matches, decided.decision());
				});
		}

	}

}
