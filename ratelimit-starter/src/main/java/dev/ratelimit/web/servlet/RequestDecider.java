package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.Application;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.queue.web.RequestQueue;
import dev.ratelimit.web.ExemptAddresses;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.Route;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.Routes;
import dev.ratelimit.web.RuleBatch;
import dev.ratelimit.web.key.ClientAddresses;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.server.PathContainer;

/**
 * Decides rules for a request, in one call of the limiter, and writes the response if one
 * of them refuses. The filters and the check at the handler share it.
 */
public final class RequestDecider {

	private final RequestPaths paths = new RequestPaths();

	private final RequestLimiter limiter;

	private final ClientAddresses addresses;

	private final ExemptAddresses exemptAddresses;

	private final RequestAnswers answers;

	private final DecisionListener listener;

	private final DelayedRequests delayed;

	private final Optional<Enqueuer> enqueuer;

	/**
	 * Create a decider.
	 * @param limiter decides
	 * @param addresses finds the client's address
	 * @param exemptAddresses the addresses of clients that are never limited
	 * @param headers writes the headers
	 * @param rejectionHandler responds to refused requests
	 * @param listener is notified of rules that matched but decided nothing, and of those
	 * that were decided late
	 * @param delayed lets requests wait for their turns
	 * @param queue enqueues requests, if the store supports it
	 */
	public RequestDecider(RequestLimiter limiter, ClientAddresses addresses, List<IpRange> exemptAddresses,
			RateLimitHeaders headers, RateLimitRejectionHandler rejectionHandler, DecisionListener listener,
			DelayedRequests delayed, Optional<RequestQueue> queue) {
		this.limiter = limiter;
		this.addresses = addresses;
		this.exemptAddresses = new ExemptAddresses(exemptAddresses);
		this.answers = new RequestAnswers(limiter, headers, rejectionHandler);
		this.listener = listener;
		this.enqueuer = queue.map((known) -> new Enqueuer(limiter, known, listener));
		this.delayed = delayed;
	}

	RateLimitContext state(HttpServletRequest request, Routes routes) {
		return RateLimitContext.of(request, routes, this.paths, this.limiter::newBudget);
	}

	/** Whether no rule applies to a client, whatever its request matches. */
	boolean isFree(HttpServletRequest request) {
		return this.exemptAddresses.contain(() -> this.addresses.certain(new ServletPeer(request)));
	}

	/**
	 * Decide at the handler the rules that the filters did not see, and those that only
	 * the handler names.
	 * @return {@code false} if the request was refused and answered
	 */
	boolean decideAtHandler(RateLimitContext state, List<Match> unseen, List<Match> named, PathContainer path,
			HttpServletRequest request, HttpServletResponse response) throws IOException {
		unseen.forEach((match) -> this.listener.late(match.route().rule().id()));
		List<Match> all = new ArrayList<>(unseen);
		all.addAll(named);
		state.decidedAtHandler(all);
		return decide(state, all, path, request, response);
	}

	/**
	 * Decide in a filter the rules that are not decided yet.
	 * @return {@code false} if the request was refused and answered
	 */
	boolean decideInFilter(RateLimitContext state, List<Match> matches, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		if (!decide(state, matches, state.path(), request, response)) {
			return false;
		}
		if (state.isNotToWait() || this.delayed.isAtHandlers(request)) {
			return true;
		}
		DelayedRequest delayedRequest = state.awaited().orElseThrow();
		return goOn(state, delayedRequest, this.delayed.stay(delayedRequest), request, response);
	}

	/** Whether a request is to wait at its handler, without a thread. */
	boolean waitsAtHandler(RateLimitContext state, HttpServletRequest request) {
		Optional<DelayedRequest> delayedRequest = state.awaited();
		return delayedRequest.isPresent() && this.delayed.mayEnter(delayedRequest.get(), request);
	}

	/**
	 * Let a request wait at its handler. An adapter calls this in place of the handler.
	 * @return {@code false} if it waits, or was answered
	 */
	boolean goesOnAtHandler(RateLimitContext state, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		if (waitsAtHandler(state, request)) {
			this.delayed.enter(state.awaited().orElseThrow(), request, response,
					() -> this.answers.release(state, state.takePermits()));
			return false;
		}
		return request.getDispatcherType() == DispatcherType.ERROR || awaitTurn(state, request, response);
	}

	/**
	 * Return from a wait at the handler, or wait on this thread if the wait has not
	 * begun.
	 * @return {@code false} if the request may wait no longer, and was answered
	 */
	boolean awaitTurn(RateLimitContext state, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		Optional<DelayedRequest> delayedRequest = state.awaited();
		if (delayedRequest.isEmpty()) {
			return true;
		}
		boolean turnHasCome = delayedRequest.get().isAt(DelayedRequest.Phase.TO_COME)
				? this.delayed.stay(delayedRequest.get()) : this.delayed.comeBack(delayedRequest.get(), request);
		return goOn(state, delayedRequest.get(), turnHasCome, request, response);
	}

	private boolean goOn(RateLimitContext state, DelayedRequest delayedRequest, boolean turnHasCome,
			HttpServletRequest request, HttpServletResponse response) throws IOException {
		state.endWait();
		if (!turnHasCome) {
			this.answers.sendAway(state, request, response,
					delayedRequest.rules().stream().map(RequestDecider::stopping).toList());
		}
		return turnHasCome;
	}

	private static RateLimitDecision stopping(String rule) {
		return new Unavailable(rule, Duration.ofSeconds(1));
	}

	/**
	 * Decide the rules that are not decided yet.
	 * @return {@code false} if the request was refused and answered
	 */
	private boolean decide(RateLimitContext state, List<Match> matches, PathContainer path, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		List<Route> routes = new ArrayList<>(matches.size());
		List<RuleRequest> ruleRequests = new ArrayList<>(matches.size());
		List<Application.Counts> candidate = new ArrayList<>(0);
		ServletRequestFacts facts = new ServletRequestFacts(request, path.value(), this.addresses);
		for (Match match : matches) {
			Route route = match.route();
			if (!state.begin(route)) {
				continue;
			}
			Application application = route.apply(facts, match.pattern(), path);
			if (application instanceof Application.Counts counts) {
				routes.add(route);
				if (mayKeep(counts.ruleRequest(), request)) {
					candidate.add(counts);
				}
				else {
					ruleRequests.add(counts.ruleRequest());
				}
			}
			else if (!mayGoOn(route, application)) {
				ObservedUri.report(request, state, match);
				this.answers.refuse(state, request, response, List.of());
				return false;
			}
		}
		if (!candidate.isEmpty()) {
			state.mayBeKept(new EnqueueCandidate(routes, matches, candidate, path.value()));
		}
		return (ruleRequests.isEmpty()
				|| decide(state, new RuleBatch(routes, matches, ruleRequests), request, response))
				&& decideOrKeep(state, request, response);
	}

	private boolean mayKeep(RuleRequest ruleRequest, HttpServletRequest request) {
		return this.enqueuer.isPresent() && this.enqueuer.get().mayKeep(ruleRequest, request);
	}

	/**
	 * Decide the rules that enqueue, last of all, after all others have admitted: an
	 * enqueued request has passed them, and they count it.
	 */
	private boolean decideOrKeep(RateLimitContext state, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		Optional<EnqueueCandidate> candidate = state.takeKeepable();
		if (candidate.isEmpty()) {
			return true;
		}
		Enqueuer.EnqueueAttempt result = this.enqueuer.orElseThrow().decide(candidate.get(), request, state.budget());
		state.add(candidate.get().routes(), result.verdict());
		if (!result.isAdmitted()) {
			state.endWait();
			ObservedUri.report(request, state, candidate.get().matches().get(0));
		}
		if (result.isRefused()) {
			this.enqueuer.orElseThrow().tellWhere(result, request, response);
			this.answers.refuse(state, request, response, result.verdict().refusals());
			return false;
		}
		if (result.isKept()) {
			this.answers.release(state, state.takeTurns());
		}
		else {
			this.answers.release(state, result.isAdmitted() ? List.of() : state.takePermits());
		}
		this.answers.writeHeaders(state, request, response);
		return result.isAdmitted() || this.enqueuer.orElseThrow().answer(result, request, response);
	}

	/**
	 * Decide the delaying rules first, so that a request they refuse is not counted by
	 * the others. Decide the others at once, not when the turn has come: a request that
	 * is answered before its turn would otherwise bypass them.
	 */
	private boolean decide(RateLimitContext state, RuleBatch asked, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		boolean mayWait = asked.mayWait();
		if (mayWait && !judge(state, asked.only(true), request, response)) {
			return false;
		}
		RuleBatch others = mayWait ? asked.only(false) : asked;
		return others.isEmpty() || judge(state, others, request, response);
	}

	private boolean mayGoOn(Route route, Application application) {
		boolean denies = application instanceof Application.Denies;
		this.listener.undecided(route.rule().id(), denies ? Outcome.REJECTED : Outcome.SKIPPED);
		return !denies || route.rule().config().shadow();
	}

	private boolean judge(RateLimitContext state, RuleBatch asked, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		RequestDecision verdict = this.limiter.decide(asked.ruleRequests(), state.budget());
		state.add(asked.routes(), verdict);
		if (!verdict.isAdmitted()) {
			state.endWait();
			ObservedUri.report(request, state, asked.matches(), verdict);
			this.answers.refuse(state, request, response, verdict.refusals());
			return false;
		}
		if (!verdict.delay().isZero()) {
			// Counted from now on, the delay ends no earlier than by the clock of the
			// store.
			state.await(DelayedRequest.of(verdict, this.delayed.now()));
		}
		this.answers.writeHeaders(state, request, response);
		return true;
	}

	/** Write the response to a request that was refused while its handler ran. */
	void answer(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		this.answers.answer(request, response, refusals);
	}

	/** Release the permits that the outcome of a request does not count. */
	void settle(RateLimitContext state, int status) {
		this.answers.release(state, state.takeUncounted(status));
	}

}
