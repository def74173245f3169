package dev.ratelimit.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
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
	 * not a URL is another one.
	 * @param request the request
	 * @return whether it is a CORS request
	 */
	public static boolean isCors(HttpServletRequest request) {
		try {
			return CorsUtils.isCorsRequest(request);
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			return true; // the origin is no URL
		}
	}

	/**
	 * Expose headers of the response to a CORS request once, in addition to those that
	 * the application exposes.
	 * @param request the request
	 * @param response the response
	 * @param names the names of the headers
	 */
	public static void expose(HttpServletRequest request, HttpServletResponse response, String names) {
		if (isCors(request) && !response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS).contains(names)) {
			response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

	/**
	 * Whether the origin of a request is not a URL: Spring's check throws there.
	 * @param request the request
	 * @return whether no application can allow it
	 */
	public static boolean hasMalformedOrigin(HttpServletRequest request) {
		try {
			boolean ignored = CorsUtils.isCorsRequest(request);
			return false;
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			return true;
		}
	}

}
