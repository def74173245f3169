package dev.ratelimit.web;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.Ask;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.Verdict;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.ServletRequestFacts;
import dev.ratelimit.web.outcome.OutcomeResponse;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits HTTP requests. All rules that match a request and belong to this filter's side
 * of Spring Security are decided in one call; a refused request never reaches the rest of
 * the chain, and what other rules took from it is given back first. A request that no
 * rule matches costs no call of the store and gets no header. CORS preflights are neither
 * counted nor refused.
 *
 * <p>
 * Where a rule counts some outcomes only, the outermost of these filters waits for the
 * outcome and gives back in one call what it does not count, before the response is sent.
 * A request that no such rule matches is not watched. To be registered for {@code ASYNC}
 * dispatches too; no rule is asked again there.
 */
public final class RateLimitFilter extends OncePerRequestFilter {

	private final boolean beforeSecurity;

	private final Supplier<RouteTable> routes;

	private final RequestLimiter limiter;

	private final ClientAddresses addresses;

	private final List<IpRange> exemptAddresses;

	private final RateLimitHeaders headers;

	private final RateLimitRejectionHandler rejectionHandler;

	private final DecisionListener listener;

	/**
	 * Create a filter.
	 * @param beforeSecurity whether it stands before Spring Security and decides only the
	 * rules that can be decided there; if not, it decides all that are not decided yet
	 * @param routes the rules in force
	 * @param limiter decides
	 * @param addresses finds the client's address
	 * @param exemptAddresses who is never limited
	 * @param headers writes the headers
	 * @param rejectionHandler answers refused requests
	 * @param listener hears of rules that matched but decided nothing
	 */
	public RateLimitFilter(boolean beforeSecurity, Supplier<RouteTable> routes, RequestLimiter limiter,
			ClientAddresses addresses, List<IpRange> exemptAddresses, RateLimitHeaders headers,
			RateLimitRejectionHandler rejectionHandler, DecisionListener listener) {
		this.beforeSecurity = beforeSecurity;
		this.routes = routes;
		this.limiter = limiter;
		this.addresses = addresses;
		this.exemptAddresses = List.copyOf(exemptAddresses);
		this.headers = headers;
		this.rejectionHandler = rejectionHandler;
		this.listener = listener;
	}

	/**
	 * Asynchronous work comes back here, and what came of it is known before it is sent.
	 */
	@Override
	protected boolean shouldNotFilterAsyncDispatch() {
		return false;
	}

	/** Two filters in one chain, whatever names they were registered under. */
	@Override
	protected String getAlreadyFilteredAttributeName() {
		return RateLimitFilter.class.getName() + (this.beforeSecurity ? ".BEFORE_SECURITY" : ".AFTER_SECURITY");
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		FilterState state = FilterState.of(request, this.routes.get());
		if (state.matches().isEmpty() || isFree(request)) {
			chain.doFilter(request, response);
			return;
		}
		if (state.awaitsOutcome() && state.enter()) {
			limitByOutcome(state, request, response, chain);
		}
		else {
			limit(state, request, response, chain);
		}
	}

	/** What the outcome does not count is given back before the client knows it. */
	private void limitByOutcome(FilterState state, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		OutcomeResponse watched = new OutcomeResponse(response, (status) -> giveBack(state.takeUncounted(status)));
		boolean returned = false;
		try {
			limit(state, request, watched, chain);
			returned = true;
		}
		finally {
			state.leave();
			if (returned) {
				watched.returned(request);
			}
			else {
				watched.failed();
			}
		}
	}

	private void limit(FilterState state, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		HttpServletResponse exposing = ExposingResponse.of(request, response);
		if (decide(state, request, exposing)) {
			chain.doFilter(request, exposing);
		}
	}

	private boolean isFree(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) || isExempt(request);
	}

	private boolean isExempt(HttpServletRequest request) {
		if (this.exemptAddresses.isEmpty()) {
			return false;
		}
		Optional<IpAddress> address = IpAddress.parse(this.addresses.of(request));
		return address.isPresent() && this.exemptAddresses.stream().anyMatch((range) -> range.contains(address.get()));
	}

	/**
	 * Decide what is to be decided here; false if the request was refused and answered.
	 */
	private boolean decide(FilterState state, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		List<Route> routes = new ArrayList<>(state.matches().size());
		List<Ask> asks = new ArrayList<>(state.matches().size());
		boolean denied = !collect(state, request, routes, asks);
		if (asks.isEmpty() && !denied) {
			return true;
		}
		if (denied) {
			refuse(state, request, response, List.of());
			return false;
		}
		Verdict verdict = this.limiter.decide(asks);
		state.add(routes, verdict);
		if (!verdict.isAdmitted()) {
			refuse(state, request, response, verdict.refusals());
			return false;
		}
		this.headers.write(request, response, state.answered());
		return true;
	}

	private boolean collect(FilterState state, HttpServletRequest request, List<Route> routes, List<Ask> asks) {
		ServletRequestFacts facts = new ServletRequestFacts(request, state.path().value(), this.addresses);
		for (Match match : state.matches()) {
			Route route = match.route();
			if ((this.beforeSecurity && !route.isBeforeSecurity()) || !state.begin(route)) {
				continue;
			}
			Route.Application application = route.apply(facts, match.pattern(), state.path());
			if (application instanceof Route.Counts counts) {
				routes.add(route);
				asks.add(counts.ask());
			}
			else if (application instanceof Route.Denies) {
				this.listener.undecided(route.rule().id(), Outcome.REJECTED);
				if (!route.rule().config().shadow()) {
					return false;
				}
			}
			else {
				this.listener.undecided(route.rule().id(), Outcome.SKIPPED);
			}
		}
		return true;
	}

	/** Nothing stays taken, and nothing of the answer is cached. */
	private void refuse(FilterState state, HttpServletRequest request, HttpServletResponse response,
			List<RateLimitDecision> refusals) throws IOException {
		giveBack(state.takePermits());
		this.headers.write(request, response, state.answered());
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		this.rejectionHandler.handle(request, response, refusals);
	}

	private void giveBack(List<Permit> permits) {
		if (!permits.isEmpty()) {
			this.limiter.giveBack(permits);
		}
	}

}
