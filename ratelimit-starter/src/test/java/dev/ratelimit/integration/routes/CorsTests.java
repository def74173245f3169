package dev.ratelimit.integration.routes;

import java.net.http.HttpResponse;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page of another origin can read its refusals.
 */
@ExtendWith(SharedCluster.class)
class CorsTests {

	private static final String RULE = """
			ratelimit.rules:
			  v1: {paths: /v1/product, key: 'header:Client', stage: before-security, thresholds: 1/10m}
			""";

	@AutoClose
	private static App plain;

	@AutoClose
	private static App cors;

	@BeforeAll
	static void start() {
		plain = App.start(SharedCluster.yaml() + RULE + """
				  all: {paths: /**, key: 'header:Unreadable', on-missing-key: skip, thresholds: 1/10m}
				""");
		cors = App.start(SharedCluster.yaml() + RULE, Cors.class);
	}

	@Test
	void refusalCarriesTheCorsHeadersOfTheApplicationAndPreflightsAreFree() {
		for (int i = 0; i < 3; i++) {
			HttpResponse<String> preflight = cors.send("OPTIONS", "/v1/product", "Origin", "https://page.example",
					"Access-Control-Request-Method", "GET");
			assertThat(preflight.statusCode()).isEqualTo(200);
		}
		for (int expected : new int[] { 200, 429 }) {
			HttpResponse<String> response = cors.get("/v1/product", "Origin", "https://page.example");
			assertThat(response.statusCode()).isEqualTo(expected);
			assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://page.example");
			assertThat(response.headers().allValues("Access-Control-Expose-Headers")).asString()
				.contains("Retry-After", "X-RateLimit-Remaining", "RateLimit-Policy");
		}
	}

	@Test
	void aCorsSourceWithoutThePathLeavesItToMvc() {
		try (App app = App.start(SharedCluster.yaml() + RULE, Cors.class, OtherPaths.class)) {
			for (int expected : new int[] { 200, 429 }) {
				HttpResponse<String> response = app.get("/v1/product", "Origin", "https://page.example");
				assertThat(response.statusCode()).isEqualTo(expected);
				assertThat(response.headers().firstValue("Access-Control-Allow-Origin"))
					.hasValue("https://page.example");
			}
		}
	}

	/** The source is no bean, and the filter in front of Spring Security refuses. */
	@Test
	void aCorsSourceOfSpringSecuritysChainAloneIsUsed() {
		try (App app = App.startSecured("ratelimit.store: memory\n" + RULE, ChainCors.class)) {
			for (int expected : new int[] { 200, 429 }) {
				HttpResponse<String> response = app.get("/v1/product", "Origin", "https://page.example");
				assertThat(response.statusCode()).isEqualTo(expected);
				assertThat(response.headers().allValues("Access-Control-Allow-Origin"))
					.containsExactly("https://page.example");
				assertThat(response.headers().allValues("Access-Control-Expose-Headers")).asString()
					.contains("Retry-After", "X-Own");
			}
			assertThat(app.get("/v1/product", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
			assertThat(app.get("/v1/product", "Origin", "http://a:b").statusCode()).isEqualTo(429);
			assertThat(app.get("/v1/product").headers().map()).doesNotContainKey("Access-Control-Allow-Origin");
		}
	}

	/** Else it would be a way past every rule, and a stack trace in the log. */
	@ParameterizedTest
	@ValueSource(strings = { "http://a:b", "http://%zz", "http://localhost:{secret}", "http://127.0.0.1:{secret}" })
	void anOriginThatIsNoUrlIsDecidedLikeAnyOther(String origin) {
		String[] headers = { "Client", origin, "Origin", origin };
		assertThat(plain.get("/v1/product", headers).statusCode()).isEqualTo(200);
		assertThat(plain.get("/v1/product", headers).statusCode()).isEqualTo(429);
		assertThat(cors.get("/v1/product", headers).statusCode()).as("what Spring answers").isIn(403, 500);
		assertThat(cors.get("/v1/product", "Client", origin).statusCode()).as("it was counted").isEqualTo(429);
		assertThat(cors.get("/v1/product", headers).statusCode()).as("refused").isEqualTo(403);
	}

	/** MVC cannot parse it, and looks up its CORS configuration by it. */
	@Test
	void aPathThatCannotBeReadIsDecidedLikeAnyOther() {
		String request = String.join("\r\n", "GET /v1/product;a=%zz HTTP/1.1", "Host: localhost", "Unreadable: yes",
				"Origin: https://page.example", "Connection: close", "", "");
		assertThat(RawHttp.exchange(plain.port(), request)).as("what MVC answers").startsWith("HTTP/1.1 500");
		assertThat(RawHttp.exchange(plain.port(), request)).as("refused").startsWith("HTTP/1.1 429");
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherPaths {

		@Bean
		CorsConfigurationSource corsConfigurationSource() {
			UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
			source.registerCorsConfiguration("/admin/**", new CorsConfiguration().applyPermitDefaultValues());
			return source;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ChainCors {

		@Bean
		@Order(1)
		SecurityFilterChain other(HttpSecurity http) {
			return http.securityMatcher("/other/**").build();
		}

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			CorsConfiguration configuration = new CorsConfiguration();
			configuration.addAllowedOrigin("https://page.example");
			configuration.addExposedHeader("X-Own");
			UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
			source.registerCorsConfiguration("/**", configuration);
			return http.cors((cors) -> cors.configurationSource(source)).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Cors implements WebMvcConfigurer {

		@Override
		public void addCorsMappings(CorsRegistry registry) {
			registry.addMapping("/**").allowedOrigins("https://page.example");
		}

	}

}
