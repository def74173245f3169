package dev.ratelimit.integration.operations;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.RateLimited;
import dev.ratelimit.integration.support.App;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that a filter refuses are recorded in {@code http.server.requests} under the
 * pattern of the rule.
 */
class HttpMetricsTests {

	private static final String YAML = """
			ratelimit.store: memory
			ratelimit.rules:
			  anonymous: {paths: '/product/**', key: ip, thresholds: 1/1h}
			  tenants: {paths: ['/v1/**', /nowhere], key: 'header:X-Tenant', on-missing-key: deny, thresholds: 1/1h}
			  named: {key: ip, thresholds: 1/1h}
			""";

	private final App app = App.startSecured(YAML, Setup.class);

	@AfterEach
	void close() {
		this.app.close();
	}

	/** The uris under which requests of a status were counted. */
	private Set<String> uris(int status) {
		Set<String> uris = new TreeSet<>();
		this.app.bean(MeterRegistry.class)
			.find("http.server.requests")
			.tag("status", Integer.toString(status))
			.timers()
			.forEach((timer) -> uris.add(timer.getId().getTag("uri")));
		return uris;
	}

	/** A request is counted when its response has been sent. */
	private void assertUris(int status, String... uris) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(uris(status)).containsExactly(uris));
	}

	@Test
	void beforeSecurityARefusalHasThePatternOfTheRule() {
		assertThat(this.app.statuses(3, "GET", "/product/1")).containsExactly(200, 429, 429);
		this.app.get("/product/2/x");
		assertUris(200, "/product/{id}");
		assertUris(429, "/product/**");
	}

	@Test
	void behindSecurityARefusalHasThePatternOfTheRuleToo() {
		for (int i = 0; i < 3; i++) {
			this.app.get("/v1/organizations/" + i + "/product/7", "X-Tenant", "a");
		}
		assertUris(429, "/v1/**");
	}

	@Test
	void withoutAHandlerARefusalHasThePatternOfTheRule() {
		for (int i = 0; i < 3; i++) {
			this.app.get("/v1/whatever/" + i, "X-Tenant", "a");
			this.app.send("PATCH", "/product/" + i);
		}
		assertUris(429, "/product/**", "/v1/**");
	}

	@Test
	void aRefusalForAMissingKeyHasThePatternOfTheRule() {
		assertThat(this.app.get("/v1/product").statusCode()).isEqualTo(403);
		assertThat(this.app.get("/nowhere").statusCode()).isEqualTo(403);
		assertUris(403, "/nowhere", "/v1/**");
	}

	@Test
	void aRefusalAtTheHandlerHasItsUriFromMvc() {
		assertThat(this.app.statuses(2, "GET", "/named/1")).containsExactly(200, 429);
		assertUris(429, "/named/{id}");
	}

	@Configuration(proxyBeanMethods = false)
	static class Setup {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

		@RestController
		static class Handlers {

			@GetMapping("/named/{id}")
			@RateLimited("named")
			String named() {
				return "";
			}

		}

	}

}
