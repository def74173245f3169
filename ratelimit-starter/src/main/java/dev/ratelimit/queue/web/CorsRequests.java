package dev.ratelimit.queue.web;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.cors.CorsUtils;

/**
 * Recognizes requests of other origins, whatever a client has written into
 * {@code Origin}.
 */
public final class CorsRequests {

	private CorsRequests() {
	}

	/**
	 * Whether a request names another origin than that of the application. One that is
	 * not a URL is another one; Spring's check throws there.
	 * @param request the request
	 * @return whether it is a CORS request
	 */
	public static boolean isCors(HttpServletRequest request) {
		try {
			return CorsUtils.isCorsRequest(request);
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			return true;
		}
	}

}
