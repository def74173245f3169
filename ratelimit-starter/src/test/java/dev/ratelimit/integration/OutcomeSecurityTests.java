package dev.ratelimit.integration;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.ratelimit.integration.SecurityStagesTests.Security;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With Spring Security the outcome is what Security has made of it, whichever side of it
 * a rule is decided on.
 */
@ExtendWith(SharedCluster.class)
class OutcomeSecurityTests {

	@ParameterizedTest
	@CsvSource({ "ip, '401,403', 429", "ip, 500, 200", "ip, success, 200", "principal, 403, 429", "principal, 500, 200",
			"principal, success, 200" })
	void whatMethodSecurityDeniesIsA403(String key, String countOn, int next) {
		try (App app = start(key, countOn)) {
			assertThat(app.get("/payments/secret", alice()).statusCode()).isEqualTo(403);
			assertThat(app.get("/payments/answer/200", alice()).statusCode()).isEqualTo(next);
		}
	}

	@ParameterizedTest
	@CsvSource({ "401, 429", "success, 200" })
	void whomSecurityDoesNotKnowIsA401(String countOn, int next) {
		try (App app = start("ip", countOn)) {
			assertThat(app.get("/payments/answer/200").statusCode()).isEqualTo(401);
			assertThat(app.get("/payments/answer/200", alice()).statusCode()).isEqualTo(next);
		}
	}

	private static App start(String key, String countOn) {
		return App.startSecured(
				SharedCluster.yaml() + "test: {key: %s, thresholds: 1/1d, count-on: '%s'}\n".formatted(key, countOn),
				OutcomeApp.class, Security.class, Secrets.class);
	}

	private static String[] alice() {
		return new String[] { "Authorization",
				"Basic " + Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8)) };
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class Secrets {

		@RestController
		static class SecretPayments {

			@RequestMapping("/payments/secret")
			@PreAuthorize("hasRole('ADMIN')")
			public String secret() {
				return "secret";
			}

		}

	}

}
