package dev.ratelimit.web.servlet;

import java.util.Arrays;

import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.AbstractMessageConverterMethodProcessor;

/**
 * Resolves nothing. Records the status with which a handler has returned, if its result
 * cannot be written. The client can cause that by {@code Accept} after the handler has
 * done its work, and the status that the application responds with instead is not the
 * outcome of that work. Any other status that is set from now on is one of an exception
 * handler.
 */
public final class UnwrittenResultResolver implements HandlerExceptionResolver, Ordered {

	/** Before the resolvers that handle the exception. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		StoredContext.find(request)
			.filter((context) -> context.needs().watches())
			.map(RateLimitContext::outcome)
			.ifPresent((outcome) -> outcome.threw(response.getStatus(),
					exception instanceof HttpMediaTypeNotAcceptableException || isThrownByWriter(exception)));
		return null;
	}

	/** MVC reports it by nothing but the frames of the exception. */
	private static boolean isThrownByWriter(Exception exception) {
		return Arrays.stream(exception.getStackTrace())
			.anyMatch((frame) -> AbstractMessageConverterMethodProcessor.class.getName().equals(frame.getClassName()));
	}

}
