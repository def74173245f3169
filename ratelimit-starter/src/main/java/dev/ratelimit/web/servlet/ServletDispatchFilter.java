package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.DispatcherServlet;

/**
 * Decides the rules over a servlet that is not MVC's, if a handler or another servlet
 * forwards a request to it, or dispatches to it asynchronously. There
 * {@link HandlerCheck} sees nothing, and {@link RateLimitFilter} has decided the path
 * that the client sent. If the outcome matters to these rules only, this filter waits for
 * it. To be registered for {@code FORWARD} and {@code ASYNC} dispatches. Tested by
 * {@code ServletMappingTests}.
 */
public final class ServletDispatchFilter implements Filter {

	private final ActionExecutor executor;

	/**
	 * Create a filter.
	 * @param executor has rules decided, and executes the decisions
	 */
	public ServletDispatchFilter(ActionExecutor executor) {
		this.executor = executor;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		RateLimitContext context = StoredContext.find((HttpServletRequest) request).orElse(null);
		if (context == null) {
			chain.doFilter(request, response);
		}
		else {
			limit(context, (HttpServletRequest) request, (HttpServletResponse) response, chain);
		}
	}

	private void limit(RateLimitContext context, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws IOException, ServletException {
		boolean isPartOfMvc = isPartOfMvc(request);
		boolean returned = false;
		try {
			if (this.executor.decideAtServlet(context, request, response) == RequestStep.GOES_ON) {
				chain.doFilter(request, response);
			}
			returned = true;
		}
		finally {
			if (context.settler() == RateLimitContext.Settler.HANDLER_CHECK && !isPartOfMvc
					&& !request.isAsyncStarted()) {
				this.executor.settle(context, status(response, returned));
			}
		}
	}

	/** The outcome is that of the handler of MVC which forwards. */
	private static boolean isPartOfMvc(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.FORWARD
				&& request.getAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE) != null;
	}

	private static int status(HttpServletResponse response, boolean returned) {
		return (returned || response.isCommitted()) ? response.getStatus()
				: HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
	}

}
