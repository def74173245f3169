package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.web.RateLimitHeaders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Responds to a request whose handler threw a {@link RateLimitExceededException} as the
 * filter responds to a refused one. Comes last, so that the application's own exception
 * handlers come first. Permits acquired by the filter stay counted: the handler has run.
 * If an outbound call was refused, the response is the application's own for 503. Tested
 * by {@code OutboundTests}.
 */
public final class RateLimitExceptionResolver implements HandlerExceptionResolver, Ordered {

	/** Bounds a cycle of causes. */
	private static final int MOST_CAUSES = 100;

	private final ActionExecutor executor;

	/**
	 * Create a resolver.
	 * @param executor writes the response
	 */
	public RateLimitExceptionResolver(ActionExecutor executor) {
		this.executor = executor;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		Throwable cause = exception;
		for (int i = 0; i < MOST_CAUSES && cause != null; i++, cause = cause.getCause()) {
			if (cause instanceof RateLimitExceededException exceeded && !response.isCommitted()) {
				answer(request, response, exceeded);
				return new ModelAndView();
			}
		}
		return null;
	}

	private void answer(HttpServletRequest request, HttpServletResponse response, RateLimitExceededException exceeded) {
		try {
			if (exceeded.isOutbound()) {
				RateLimitHeaders.retryAfterSeconds(exceeded.refusals(), Function.identity())
					.ifPresent((seconds) -> response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
				response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
				return;
			}
			this.executor.refuseAtHandler(exceeded.refusals(), request, response);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
