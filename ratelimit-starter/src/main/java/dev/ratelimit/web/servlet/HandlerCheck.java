package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.web.PathForms;
import dev.ratelimit.web.RateLimitContext;
import dev.ratelimit.web.RouteTable;
import dev.ratelimit.web.RouteTable.Match;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Compares the handler that MVC chose with what the filters decided.
 *
 * <p>
 * A rule covers the handler if it matches the path that MVC matched, or the handler's own
 * pattern. A covering rule that was not decided yet is decided here, before arguments are
 * read: after a forward or an include, or where a wrapper behind the filters changed path
 * or method. The rules that the handler itself names are decided here, too. If the path
 * of a request for a resource is not in the form that its handler looks up, and a rule
 * covers that form, the response is 404.
 *
 * <p>
 * A request whose turn is still to come passes. It waits at its handler and returns in an
 * {@code ASYNC} dispatch, where the missing rules are decided. Costs a comparison and a
 * map look-up where nothing is missing. Error dispatches are not limited again, and
 * requests that the filters never saw, such as those to a separate management port, are
 * not limited at all. Tested by {@code HandlerCheckTests}.
 */
public final class HandlerCheck implements HandlerInterceptor {

	private final ActionExecutor executor;

	/**
	 * Create a check.
	 * @param executor has rules decided, and executes the decisions
	 */
	public HandlerCheck(ActionExecutor executor) {
		this.executor = executor;
	}

	/**
	 * Create the adapter that lets requests wait at their handlers; without it, their
	 * threads wait.
	 * @param executor lets requests wait
	 * @param context has the adapters that call the handlers
	 * @return an adapter for all their handlers
	 */
	public static HandlerAdapter adapter(ActionExecutor executor, ApplicationContext context) {
		return new DelayingHandlerAdapter(executor, context);
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws IOException, NoResourceFoundException {
		RateLimitContext context = StoredContext.find(request).orElse(null);
		if (context == null || request.getDispatcherType() == DispatcherType.ERROR) {
			return true;
		}
		RequestStep step = context.needs().delay() ? awaitTurn(context, request, response) : RequestStep.GOES_ON;
		if (step == RequestStep.GOES_ON) {
			step = decide(context, request, response, handler);
		}
		return step != RequestStep.ANSWERED;
	}

	/** Decide the rules that were not decided yet, which may delay the request again. */
	private RequestStep decide(RateLimitContext context, HttpServletRequest request, HttpServletResponse response,
			Object handler) throws IOException, NoResourceFoundException {
		PathContainer path = path(request);
		if (ResourceLookup.bypassesRules(path, handler, context, request) && !isFree(context, request)) {
			throw new NoResourceFoundException(HttpMethod.valueOf(request.getMethod()), request.getRequestURI(),
					path.value());
		}
		path = PathForms.rooted(path);
		List<Match> missing = context.undecided(path, request.getMethod(), pattern(request));
		List<Match> named = context.handlerRoutes().find(handler, pattern(request));
		if ((!missing.isEmpty() || !named.isEmpty()) && !isFree(context, request)) {
			if (isPartOfAnother(request)) {
				context.handlerStarts();
			}
			RequestStep step = this.executor.decideAtHandler(context, missing, named, path, request, response);
			step = (step == RequestStep.WAITS) ? awaitTurn(context, request, response) : step;
			if (step != RequestStep.GOES_ON) {
				return step;
			}
		}
		if (!isPartOfAnother(request)) {
			context.outcome().passedSecurity();
		}
		context.handlerStarts();
		return RequestStep.GOES_ON;
	}

	/**
	 * What includes this handler, or forwards to it, has done work: another handler, a
	 * servlet, or Spring Security.
	 */
	private static boolean isPartOfAnother(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.INCLUDE || StoredContext.isForwardedLater(request);
	}

	/** Interceptors see a preflight only where MVC answers it in place of the handler. */
	private boolean isFree(RateLimitContext context, HttpServletRequest request) {
		return context.isExemptPath() || CorsUtils.isPreFlightRequest(request) || this.executor.isExemptClient(request);
	}

	/**
	 * A request waits at its handler, after all interceptors have seen it, if our adapter
	 * calls the handler.
	 */
	private RequestStep awaitTurn(RateLimitContext context, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		boolean waitsAtHandler = this.executor.waitsAtHandler(context, request)
				&& request.getAttribute(
						DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE) instanceof ApplicationContext beans
				&& isAdapted(beans);
		return waitsAtHandler ? RequestStep.WAITS : this.executor.awaitTurn(context, request, response);
	}

	private static boolean isAdapted(ApplicationContext context) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context, DelayingHandlerAdapter.class).length > 0;
	}

	/** Its view is still to be written, which may fail for all that a client accepts. */
	@Override
	public void postHandle(HttpServletRequest request, HttpServletResponse response, Object handler,
			@Nullable ModelAndView view) {
		if (view != null && !isPartOfAnother(request)) {
			StoredContext.find(request)
				.filter((context) -> context.needs().watches())
				.ifPresent((context) -> context.outcome().viewBegins(response.getStatus()));
		}
	}

	/**
	 * Settles the request where no filter waits for the outcome, because only rules
	 * decided here depend on it. An include ends with the request that it is part of. A
	 * request that goes on asynchronously without MVC has no outcome here and stays
	 * counted.
	 */
	@Override
	public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
			@Nullable Exception failure) {
		RateLimitContext context = StoredContext.find(request).orElse(null);
		if (context != null && failure == null && !isPartOfAnother(request)) {
			context.outcome().viewEnds();
		}
		if (context != null && context.settler() == RateLimitContext.Settler.HANDLER_CHECK
				&& request.getDispatcherType() != DispatcherType.INCLUDE && !request.isAsyncStarted()) {
			boolean failed = failure != null && !response.isCommitted();
			if (failed) {
				context.outcome().replaced(response.getStatus());
			}
			this.executor.settle(context, failed ? HttpServletResponse.SC_INTERNAL_SERVER_ERROR : response.getStatus());
		}
	}

	private static PathContainer path(HttpServletRequest request) {
		return ServletRequestPathUtils.hasParsedRequestPath(request)
				? ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication()
				: RequestPaths.ofMvc(request);
	}

	/** The pattern of the handler that MVC chose; empty if there is none. */
	static String pattern(HttpServletRequest request) {
		return (request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern)
				? pattern : "";
	}

}
