package dev.ratelimit.web;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.Ask;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.Verdict;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.ServletRequestFacts;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsUtils;

/**
 * Decides rules for a request, in one call of the limiter, and answers it if one of them
 * refuses. The filters and the check at the handler share it.
 */
public final class RequestDecider {

	private final RequestLimiter limiter;

	private final ClientAddresses addresses;

	private final ExemptAddresses exemptAddresses;

	private final RateLimitHeaders headers;

	private final RateLimitRejectionHandler rejectionHandler;

	private final DecisionListener listener;

	/**
	 * Create a decider.
	 * @param limiter decides
	 * @param addresses finds the client's address
	 * @param exemptAddresses who is never limited
	 * @param headers writes the headers
	 * @param rejectionHandler answers refused requests
	 * @param listener hears of rules that matched but decided nothing, and of those that
	 * were decided late
	 */
	public RequestDecider(RequestLimiter limiter, ClientAddresses addresses, List<IpRange> exemptAddresses,
			RateLimitHeaders headers, RateLimitRejectionHandler rejectionHandler, DecisionListener listener) {
		this.limiter = limiter;
		this.addresses = addresses;
		this.exemptAddresses = new ExemptAddresses(exemptAddresses);
		this.headers = headers;
		this.rejectionHandler = rejectionHandler;
		this.listener = listener;
	}

	FilterState state(HttpServletRequest request, Routes routes) {
		return FilterState.of(request, routes, this.limiter::newBudget);
	}

	/** Whether no rule applies to a request, whatever it matches. */
	boolean isFree(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) || this.exemptAddresses.contain(() -> this.addresses.of(request));
	}

	/**
	 * Decide at the handler what the filters did not see, and what only the handler
	 * names; false if the request was refused and answered.
	 */
	boolean decideAtHandler(FilterState state, List<Match> unseen, List<Match> named, PathContainer path,
			HttpServletRequest request, HttpServletResponse response) throws IOException {
		unseen.forEach((match) -> this.listener.late(match.route().rule().id()));
		List<Match> all = new ArrayList<>(unseen);
		all.addAll(named);
		state.decidedAtHandler(all);
		return decide(state, all, path, request, response);
	}

	/**
	 * Decide those of the rules that are not decided yet; false if the request was
	 * refused and answered.
	 */
	boolean decide(FilterState state, List<Match> matches, PathContainer path, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		List<Route> routes = new ArrayList<>(matches.size());
		List<Ask> asks = new ArrayList<>(matches.size());
		ServletRequestFacts facts = new ServletRequestFacts(request, path.value(), this.addresses);
		for (Match match : matches) {
			Route route = match.route();
			if (!state.begin(route)) {
				continue;
			}
			Route.Application application = route.apply(facts, match.pattern(), path);
			if (application instanceof Route.Counts counts) {
				routes.add(route);
				asks.add(counts.ask());
			}
			else if (!mayGoOn(route, application)) {
				ObservedUri.tell(request, state, match);
				refuse(state, request, response, List.of());
				return false;
			}
		}
		return asks.isEmpty() || decide(state, routes, matches, asks, request, response);
	}

	private boolean mayGoOn(Route route, Route.Application application) {
		boolean denies = application instanceof Route.Denies;
		this.listener.undecided(route.rule().id(), denies ? Outcome.REJECTED : Outcome.SKIPPED);
		return !denies || route.rule().config().shadow();
	}

	private boolean decide(FilterState state, List<Route> routes, List<Match> matches, List<Ask> asks,
			HttpServletRequest request, HttpServletResponse response) throws IOException {
		Verdict verdict = this.limiter.decide(asks, state.budget());
		state.add(routes, verdict);
		if (!verdict.isAdmitted()) {
			ObservedUri.tell(request, state, matches, verdict);
			refuse(state, request, response, verdict.refusals());
			return false;
		}
		this.headers.write(request, response, state.answered());
		return true;
	}

	/**
	 * Nothing stays taken, and nothing of the answer is cached. What was included has no
	 * answer of its own: it is left out.
	 */
	private void refuse(FilterState state, HttpServletRequest request, HttpServletResponse response,
			List<RateLimitDecision> refusals) throws IOException {
		giveBack(state, state.takePermits());
		if (request.getDispatcherType() == DispatcherType.INCLUDE) {
			return;
		}
		answer(request, response, state.answered(), refusals);
	}

	/** Answer a request that something else refused while its handler ran. */
	void answer(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		List<Answered> answered = new ArrayList<>();
		FilterState.find(request).ifPresent((state) -> answered.addAll(state.answered()));
		refusals.forEach((refusal) -> answered.add(new Answered(PolicyField.of(refusal), refusal)));
		answer(request, response, answered, refusals);
	}

	private void answer(HttpServletRequest request, HttpServletResponse response, List<Answered> answered,
			List<RateLimitDecision> refusals) throws IOException {
		this.headers.write(request, response, answered);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		this.rejectionHandler.handle(request, response, refusals);
	}

	/** Give back what the outcome of a request does not count. */
	void settle(FilterState state, int status) {
		giveBack(state, state.takeUncounted(status));
	}

	private void giveBack(FilterState state, List<Permit> permits) {
		if (!permits.isEmpty()) {
			this.limiter.giveBack(permits, state.budget());
		}
	}

}
