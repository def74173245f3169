package dev.ratelimit.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.springframework.http.HttpHeaders;

/**
 * The response to a CORS request. It keeps our headers exposed when the application sets
 * its own exposed headers: Spring's CORS processing replaces that header. Tested by
 * {@code CorsRejectionHandlerTests}.
 */
final class ExposingResponse extends HttpServletResponseWrapper {

	private ExposingResponse(HttpServletResponse response) {
		super(response);
	}

	static HttpServletResponse of(HttpServletRequest request, HttpServletResponse response) {
		return CorsRequests.isCors(request) ? new ExposingResponse(response) : response;
	}

	@Override
	public void setHeader(String name, String value) {
		if (HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS.equalsIgnoreCase(name)) {
			addHeader(name, value);
		}
		else {
			super.setHeader(name, value);
		}
	}

}
