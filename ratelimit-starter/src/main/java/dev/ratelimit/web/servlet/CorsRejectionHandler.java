package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.ratelimit.RateLimitDecision;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsProcessor;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;

/**
 * Adds the CORS headers to a refusal that the application would have sent. Without them a
 * browser hides even the status from the page. Costs one look-up of the CORS
 * configuration, for refused CORS requests only. A request whose origin the application
 * does not allow gets the application's response instead: 403.
 */
public final class CorsRejectionHandler implements RateLimitRejectionHandler {

	private final RateLimitRejectionHandler handler;

	private final CorsConfigurationSource configurations;

	private final Function<HttpServletRequest, Optional<Filter>> securityFilters;

	private final CorsProcessor processor = new DefaultCorsProcessor();

	/**
	 * Create a handler.
	 * @param handler writes the response itself
	 * @param configurations finds the configuration of a request
	 * @param securityFilters finds the CORS filter that Spring Security applies to a
	 * request
	 */
	public CorsRejectionHandler(RateLimitRejectionHandler handler, CorsConfigurationSource configurations,
			Function<HttpServletRequest, Optional<Filter>> securityFilters) {
		this.handler = handler;
		this.configurations = configurations;
		this.securityFilters = securityFilters;
	}

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		if (letsRead(request, response)) {
			this.handler.handle(request, response, refusals);
		}
	}

	/** Whether the application lets a page send this request, if it is a CORS request. */
	boolean allows(HttpServletRequest request) {
		if (!CorsRequests.isCors(request)) {
			return true;
		}
		CorsConfiguration configuration;
		try {
			configuration = this.configurations.getCorsConfiguration(request);
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			// Mostly MVC cannot read its path, and would run no handler.
			return false;
		}
		return configuration == null || (!CorsRequests.hasMalformedOrigin(request)
				&& configuration.checkOrigin(request.getHeader(HttpHeaders.ORIGIN)) != null
				&& configuration.checkHttpMethod(HttpMethod.valueOf(request.getMethod())) != null);
	}

	/**
	 * Set the headers that a page needs to read the response to a CORS request.
	 * @return whether the response is still to be written
	 */
	boolean letsRead(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (!CorsRequests.isCors(request)) {
			return true;
		}
		CorsConfiguration configuration = configuration(request);
		if (CorsRequests.hasMalformedOrigin(request)) {
			if (configuration != null) {
				response.setStatus(HttpServletResponse.SC_FORBIDDEN);
			}
			return configuration == null;
		}
		return passesSecurity(request, response)
				&& (configuration == null || this.processor.processRequest(configuration, request, response));
	}

	/**
	 * The filter does nothing if the request has passed it already. It would respond to a
	 * preflight itself.
	 */
	private boolean passesSecurity(HttpServletRequest request, HttpServletResponse response) throws IOException {
		AtomicBoolean passes = new AtomicBoolean();
		try {
			Optional<Filter> filter = this.securityFilters.apply(request);
			if (filter.isEmpty() || CorsUtils.isPreFlightRequest(request)) {
				return true;
			}
			filter.get().doFilter(request, response, (passed, same) -> passes.set(true));
			return passes.get();
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			return true; // its path cannot be read, see below
		}
		catch (ServletException ex) {
			throw new IOException(ex);
		}
	}

	/** The refusal of a path that MVC cannot read has no CORS headers. */
	private @Nullable CorsConfiguration configuration(HttpServletRequest request) {
		try {
			return this.configurations.getCorsConfiguration(request);
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			return null;
		}
	}

}
