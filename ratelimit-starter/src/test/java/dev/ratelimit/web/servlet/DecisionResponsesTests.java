package dev.ratelimit.web.servlet;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionResponsesTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private void expose() {
		DecisionResponses.expose(this.request, this.response, "Retry-After, RateLimit");
	}

	@Test
	void headersAreExposedToOtherOriginsOnceAndBesideThoseOfTheApplication() {
		this.request.addHeader(HttpHeaders.ORIGIN, "https://a.example");
		this.response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, "X-Own");
		expose();
		expose();
		assertThat(this.response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS)).containsExactly("X-Own",
				"Retry-After, RateLimit");
	}

	@Test
	void nothingIsExposedToRequestsOfTheSameOrigin() {
		expose();
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

}
