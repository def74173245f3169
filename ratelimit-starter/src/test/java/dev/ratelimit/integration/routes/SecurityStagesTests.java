package dev.ratelimit.integration.routes;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * With Spring Security, a rule is decided before it if its key does not need the user,
 * and behind it if its key needs the user.
 */
@ExtendWith(SharedCluster.class)
public class SecurityStagesTests {

	private static final String YAML = SharedCluster.yaml() + """
			ratelimit.rules:
			  by-address: {paths: '/product/*', key: ip, thresholds: %s}
			  by-user: {paths: '/product/*', key: principal, thresholds: %s}
			""";

	@Test
	void unauthenticatedRequestsCountByAddressBeforeSecurityAndStayCounted() {
		try (App app = App.startSecured(YAML.formatted("3/10m", "100/10m"), Security.class)) {
			assertThat(app.statuses(5, "GET", "/product/1")).containsExactly(401, 401, 401, 429, 429);
			assertThat(app.get("/product/1", "Authorization", basic("alice")).statusCode()).isEqualTo(429);
			assertThat(SharedCluster.keys(app.prefix())).singleElement().asString().contains("{by-address:i127.0.0.1}");
		}
	}

	@Test
	void usersAreCountedBehindSecurityEachInTheirOwnBucket() {
		try (App app = App.startSecured(YAML.formatted("100/10m", "2/10m"), Security.class)) {
			for (int expected : new int[] { 200, 200, 429 }) {
				assertThat(app.get("/product/1", "Authorization", basic("alice")).statusCode()).isEqualTo(expected);
			}
			assertThat(app.get("/product/1", "Authorization", basic("bob")).statusCode()).isEqualTo(200);
			Set<String> keys = SharedCluster.keys(app.prefix());
			assertThat(keys).hasSize(3).noneMatch((key) -> key.contains("alice") || key.contains("bob"));
		}
	}

	@Test
	void laterRefusalReleasesTheEarlierPermit() {
		try (App app = App.startSecured(YAML.formatted("3/10m", "1/10m"), Security.class)) {
			assertThat(app.get("/product/1", "Authorization", basic("alice")).statusCode()).isEqualTo(200);
			for (int i = 0; i < 5; i++) {
				assertThat(app.get("/product/1", "Authorization", basic("alice"))
					.headers()
					.firstValue("X-RateLimit-Limit")).hasValue("1");
			}
			assertThat(app.get("/product/1", "Authorization", basic("bob")).statusCode()).isEqualTo(200);
			assertThat(app.get("/product/1", "Authorization", basic("carol")).statusCode()).isEqualTo(200);
			assertThat(app.get("/product/1", "Authorization", basic("dave")).headers().firstValue("X-RateLimit-Limit"))
				.hasValue("3");
		}
	}

	@ParameterizedTest
	@CsvSource({ "spring.security.filter.order, 0, ratelimit.filter.after-security-order",
			"spring.security.filter.order, -110, ratelimit.filter.before-security-order",
			"ratelimit.filter.after-security-order, -105, ratelimit.filter.after-security-order" })
	void aFilterOnTheWrongSideOfSpringSecurityStopsTheStart(String name, int order, String named) {
		String yaml = YAML.formatted("100/10m", "2/10m") + name + ": " + order + "\n";
		Throwable failure = catchThrowable(() -> App.startSecured(yaml, Security.class).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).hasMessageContainingAll(named,
				"Spring Security");
	}

	private static String basic(String user) {
		return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
	}

	@Configuration(proxyBeanMethods = false)
	public static class Security {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			InMemoryUserDetailsManager users = new InMemoryUserDetailsManager();
			for (String name : new String[] { "alice", "bob", "carol", "dave" }) {
				users.createUser(User.withUsername(name).password("secret").roles("USER").build());
			}
			return users;
		}

	}

}
