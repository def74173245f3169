package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.web.RateLimitContext;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.Routes;
import dev.ratelimit.web.servlet.outcome.OutcomeResponse;
import dev.ratelimit.web.servlet.outcome.RefusedAuthentications;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits HTTP requests. All rules that match a request and belong to this filter's side
 * of Spring Security are decided together; where rules delay or enqueue, in up to three
 * calls of the limiter. A refused request never reaches the rest of the chain, and the
 * permits that other rules granted it are released first. A request that no rule matches
 * costs no call of the store and gets no header. CORS preflights are neither counted nor
 * refused where MVC or Spring Security answers them; any other servlet runs its handler
 * for them as for every request.
 *
 * <p>
 * If a rule delays a request, the request reserves its turn here, or is refused, and
 * waits for it at its handler, behind all filters. If there is no handler, or the request
 * cannot be asynchronous, it waits here. The other rules are decided before it waits.
 *
 * <p>
 * If a rule counts only some outcomes, the outermost of these filters waits for the
 * outcome. It releases permits that the outcome does not count in one call, before the
 * response is sent. A request that no such rule matches is not watched. The filter has to
 * be registered for {@code ASYNC} dispatches too; no rule is decided again there. In
 * {@code FORWARD} dispatches it sees requests that a filter in front of it forwards.
 */
public final class RateLimitFilter extends OncePerRequestFilter {

	private final boolean beforeSecurity;

	private final String alreadyFiltered;

	private final Supplier<Routes> routes;

	private final ActionExecutor executor;

	/**
	 * Create a filter.
	 * @param beforeSecurity whether it stands before Spring Security and decides only the
	 * rules that can be decided there; if not, it decides all that are not decided yet
	 * @param routes the rules in force; a request keeps those that it began with
	 * @param executor has rules decided, and executes the decisions
	 */
	public RateLimitFilter(boolean beforeSecurity, Supplier<Routes> routes, ActionExecutor executor) {
		this.beforeSecurity = beforeSecurity;
		this.alreadyFiltered = RateLimitFilter.class.getName()
				+ (beforeSecurity ? ".BEFORE_SECURITY" : ".AFTER_SECURITY");
		this.routes = routes;
		this.executor = executor;
	}

	/** Asynchronous work returns here, and its outcome is known before it is sent. */
	@Override
	protected boolean shouldNotFilterAsyncDispatch() {
		return false;
	}

	/**
	 * What a handler forwards to is decided at the next handler, or by
	 * {@link ServletDispatchFilter}.
	 */
	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return StoredContext.isForwardedLater(request);
	}

	/**
	 * Distinguishes the two filters of a chain, whatever names they are registered under.
	 */
	@Override
	protected String getAlreadyFilteredAttributeName() {
		return this.alreadyFiltered;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		RateLimitContext context = this.executor.context(request, this.routes.get());
		if (!this.beforeSecurity) {
			context.enterSecondStage();
			if (context.mayBeServedElsewhere()) {
				context.outcome().passedSecurity();
			}
		}
		boolean awaitsOutcome = context.settler() == RateLimitContext.Settler.FILTER;
		if ((context.matches().isEmpty() && !awaitsOutcome) || isAnsweredAsPreFlight(context, request)
				|| this.executor.isExemptClient(request)) {
			chain.doFilter(request, response);
			return;
		}
		if (awaitsOutcome && context.enter()) {
			limitByOutcome(context, request, response, chain);
		}
		else {
			limit(context, request, response, chain);
		}
	}

	/**
	 * MVC answers preflights without a handler. Before Spring Security it is not known
	 * yet whether Spring Security answers them; one that passes it for another servlet is
	 * decided behind it. A browser sends neither credentials nor a body with a preflight:
	 * with these it may be an attempt to authenticate, whose outcome counts as any
	 * other's.
	 */
	private boolean isAnsweredAsPreFlight(RateLimitContext context, HttpServletRequest request) throws IOException {
		return CorsUtils.isPreFlightRequest(request) && (this.beforeSecurity || context.isOfMvc())
				&& request.getHeader(HttpHeaders.AUTHORIZATION) == null && request.getHeader(HttpHeaders.COOKIE) == null
				&& !hasBody(request);
	}

	private static boolean hasBody(HttpServletRequest request) throws IOException {
		long length = request.getContentLengthLong();
		return length > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null
				|| (length < 0 && "HTTP/2.0".equals(request.getProtocol()) && hasMore(request));
	}

	private static boolean hasMore(HttpServletRequest request) throws IOException {
		try {
			return !request.getInputStream().isFinished();
		}
		catch (UnsupportedOperationException ex) {
			return false; // the stream of a wrapper that does not know
		}
		catch (IllegalStateException ex) {
			return true; // read as text by a filter in front
		}
	}

	/**
	 * Permits that the outcome does not count are released before the client receives it.
	 */
	@SuppressWarnings("try")
	private void limitByOutcome(RateLimitContext context, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		OutcomeResponse watched = new OutcomeResponse(response, context.outcome(),
				(status) -> this.executor.settle(context, status));
		boolean returned = false;
		try (RefusedAuthentications.Watch watch = RefusedAuthentications
			.watch(context.outcome()::refusedAuthentication)) {
			limit(context, request, watched, chain);
			returned = true;
		}
		finally {
			context.leave();
			if (returned) {
				watched.returned(request);
			}
			else {
				watched.failed();
			}
		}
	}

	private void limit(RateLimitContext context, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		HttpServletResponse exposing = ExposingResponse.of(request, response);
		RequestStep step = this.executor.decideInFilter(context, ofThisStage(context.matches()), request, exposing);
		if (step == RequestStep.ANSWERED) {
			return;
		}
		try {
			chain.doFilter(request, exposing);
		}
		finally {
			if (this.beforeSecurity && !context.isInSecondStage() && !request.isAsyncStarted()) {
				this.executor.reportUnreached(context);
			}
		}
	}

	private List<Match> ofThisStage(List<Match> matches) {
		return this.beforeSecurity ? matches.stream().filter((match) -> match.route().isBeforeSecurity()).toList()
				: matches;
	}

}
