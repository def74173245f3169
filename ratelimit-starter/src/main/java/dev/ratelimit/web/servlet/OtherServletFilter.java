package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.Optional;

import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Decides the rules over a servlet that is not MVC's, if a handler or another servlet
 * forwards a request to it, or dispatches to it asynchronously. There
 * {@link HandlerCheck} sees nothing, and {@link RateLimitFilter} has decided the path
 * that the client sent. To be registered for {@code FORWARD} and {@code ASYNC}
 * dispatches.
 */
public final class OtherServletFilter implements Filter {

	private final ActionExecutor executor;

	/**
	 * Create a filter.
	 * @param executor has rules decided, and executes the decisions
	 */
	public OtherServletFilter(ActionExecutor executor) {
		this.executor = executor;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		HttpServletRequest http = (HttpServletRequest) request;
		Optional<RateLimitContext> context = StoredContext.find(http);
		if (context.isEmpty() || this.executor.decideAtServlet(context.get(), http, (HttpServletResponse) response)) {
			chain.doFilter(request, response);
		}
	}

}
