package dev.ratelimit.web.servlet;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class CorsRequestsTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private void expose() {
		CorsRequests.expose(this.request, this.response, "Retry-After, RateLimit");
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

	/** Spring throws. */
	@Test
	void anOriginThatIsNoUrlIsAnotherOne() {
		this.request.addHeader(HttpHeaders.ORIGIN, "https://a.example:port");
		assertThat(CorsRequests.isCors(this.request)).isTrue();
		assertThat(CorsRequests.hasMalformedOrigin(this.request)).isTrue();
	}

	@Test
	void nothingIsExposedToRequestsOfTheSameOrigin() {
		expose();
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

}
