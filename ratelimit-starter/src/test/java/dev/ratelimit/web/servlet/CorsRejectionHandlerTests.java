package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

import static org.assertj.core.api.Assertions.assertThat;

class CorsRejectionHandlerTests {

	private final UrlBasedCorsConfigurationSource configurations = new UrlBasedCorsConfigurationSource();

	private final RateLimitRejectionHandler handler = new CorsRejectionHandler(
			(request, response, refusals) -> response.setStatus(429), this.configurations,
			(request) -> Optional.empty());

	CorsRejectionHandlerTests() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.setAllowedOrigins(List.of("https://a.example"));
		configuration.setExposedHeaders(List.of("X-Own"));
		this.configurations.registerCorsConfiguration("/api/**", configuration);
	}

	private MockHttpServletResponse refuse(String path, String origin) throws IOException {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
		request.addHeader("Origin", origin);
		MockHttpServletResponse response = new MockHttpServletResponse();
		response.addHeader("Access-Control-Expose-Headers", "Retry-After");
		this.handler.handle(request, ExposingResponse.of(request, response), List.of());
		return response;
	}

	@Test
	void aRefusalCarriesTheHeadersOfTheApplicationAndKeepsOurs() throws IOException {
		MockHttpServletResponse response = refuse("/api/x", "https://a.example");
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(response.getHeader("Access-Control-Allow-Origin")).isEqualTo("https://a.example");
		assertThat(response.getHeaders("Access-Control-Expose-Headers")).contains("Retry-After", "X-Own");
		assertThat(response.getHeaders("Vary")).contains("Origin");
	}

	@Test
	void anOriginThatTheApplicationRefusesGetsItsAnswer() throws IOException {
		MockHttpServletResponse response = refuse("/api/x", "https://evil.example");
		assertThat(response.getStatus()).isEqualTo(403);
		assertThat(response.containsHeader("Access-Control-Allow-Origin")).isFalse();
	}

	@Test
	void whereTheApplicationHasNoCorsTheRefusalHasNone() throws IOException {
		MockHttpServletResponse response = refuse("/x", "https://a.example");
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(response.containsHeader("Access-Control-Allow-Origin")).isFalse();
	}

	/** MVC would run no handler for it. */
	@Test
	void aRequestThatCannotBeReadIsRefusedAndNotSentLater() throws IOException {
		CorsRejectionHandler failing = new CorsRejectionHandler(
				(request, response, refusals) -> response.setStatus(429), (request) -> {
					throw new IllegalStateException("Invalid path");
				}, (request) -> {
					throw new IllegalArgumentException("Invalid path");
				});
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/x");
		request.addHeader("Origin", "https://a.example");
		MockHttpServletResponse response = new MockHttpServletResponse();
		failing.handle(request, response, List.of());
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(failing.allows(request)).isFalse();
	}

	/** The filter of Spring Security answers preflights, and this one was counted. */
	@Test
	void aPreflightThatCountsIsRefused() throws IOException {
		CorsRejectionHandler behindFilter = new CorsRejectionHandler(
				(request, response, refusals) -> response.setStatus(429), (request) -> null,
				(request) -> Optional.of(new CorsFilter(this.configurations)));
		MockHttpServletRequest request = new MockHttpServletRequest("OPTIONS", "/api/x");
		request.addHeader("Origin", "https://a.example");
		request.addHeader("Access-Control-Request-Method", "GET");
		request.addHeader("Cookie", "a=b");
		MockHttpServletResponse response = new MockHttpServletResponse();
		behindFilter.handle(request, response, List.of());
		assertThat(response.getStatus()).isEqualTo(429);
	}

	@Test
	void aRefusalToTheSameOriginGetsNoVaryHeader() throws IOException {
		MockHttpServletResponse response = refuse("/api/x", "http://localhost");
		assertThat(response.getStatus()).isEqualTo(429);
		assertThat(response.containsHeader("Vary")).isFalse();
	}

}
