package dev.ratelimit.web.servlet;

import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Resolves nothing. If a client accepts no form of a response, MVC notices it after the
 * handler has done its work. The status that the application then responds with is not
 * the outcome of that work.
 */
public final class NotAcceptableResolver implements HandlerExceptionResolver, Ordered {

	/** Before the resolvers that handle the exception. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		if (exception instanceof HttpMediaTypeNotAcceptableException) {
			StoredContext.find(request)
				.filter(RateLimitContext::hasHandlerStarted)
				.ifPresent(RateLimitContext::outcomeIsUnknown);
		}
		return null;
	}

}
