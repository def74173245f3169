package dev.ratelimit.integration.operations;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * P15: what each user may see in the endpoint, and change.
 */
@ExtendWith(SharedCluster.class)
class EndpointSecurityTests {

	private static final String RULES = SharedCluster.yaml() + """
			ratelimit.rules.any: {paths: '/product/*', thresholds: 9/1h}
			""";

	private static final String CLIENT = "/actuator/ratelimits/any?key=127.0.0.1";

	/** Shows addresses to operators, and permits no change. */
	@AutoClose
	private static App readOnly;

	/** Shows no address, and permits changes. */
	@AutoClose
	private static App unrestricted;

	@BeforeAll
	static void start() {
		readOnly = App.startSecured(RULES + """
				management.endpoint.ratelimits: {show-values: when-authorized, roles: OPS, access: unrestricted}
				management.endpoints.access.max-permitted: read-only
				""", Users.class);
		unrestricted = App.startSecured(
				RULES + "management.endpoint.ratelimits: {show-values: never, access: unrestricted}\n", Users.class);
	}

	private static String[] as(String user) {
		byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
		return new String[] { "Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials) };
	}

	@Test
	@DisplayName("With the defaults of Boot, the endpoint is not on the web")
	void theEndpointIsNotExposedUnlessItIsNamed() {
		try (App app = App.start(RULES + "management.endpoints.web.exposure.include: health\n")) {
			assertThat(app.get("/actuator/health").statusCode()).isEqualTo(200);
			assertThat(app.get("/actuator/ratelimits").statusCode()).isEqualTo(404);
			assertThat(app.get(CLIENT).statusCode()).isEqualTo(404);
		}
	}

	@Test
	@DisplayName("With the defaults of Spring Security, users see it only with a login, and change nothing without a token")
	void theEndpointIsProtectedAsEveryOther() {
		try (App app = App.startSecured(RULES + """
				spring.security.user: {name: ops, password: secret}
				management.endpoint.ratelimits.access: unrestricted
				""")) {
			for (String path : new String[] { "/actuator/ratelimits", CLIENT, "/actuator/ratelimits/explain?path=/" }) {
				assertThat(app.get(path).statusCode()).as(path).isEqualTo(401);
				assertThat(app.get(path, as("ops")).statusCode()).as(path).isEqualTo(200);
			}
			app.get("/product/1", as("ops"));
			assertThat(app.send("DELETE", CLIENT).statusCode()).isIn(401, 403);
			assertThat(app.send("DELETE", CLIENT, as("ops")).statusCode()).as("for lack of a CSRF token")
				.isIn(401, 403);
			assertThat(app.get(CLIENT, as("ops")).body()).contains("\"used\":1");
		}
	}

	@Test
	void anAuthorizedUserSeesAddressesIfTheSettingAllowsIt() {
		assertThat(readOnly.get(CLIENT, as("ops")).body()).contains("\"address\":\"127.0.0.1\"");
		assertHidden(readOnly.get(CLIENT, as("guest")));
		assertHidden(readOnly.get("/actuator/ratelimits/explain?path=/product/1&ip=127.0.0.1", as("guest")));
		assertThat(readOnly.get("/actuator/ratelimits/explain?path=/product/1&ip=127.0.0.1", as("ops")).body())
			.contains("\"address\":\"127.0.0.1\"");
		assertHidden(unrestricted.get(CLIENT, as("ops")));
	}

	private static void assertHidden(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("\"client\":\"a").doesNotContain("127.0.0.1");
	}

	@Test
	void theMaximumAccessOfAllEndpointsAppliesHereToo() {
		assertThat(readOnly.get(CLIENT, as("ops")).statusCode()).isEqualTo(200);
		assertThat(readOnly.send("DELETE", CLIENT, as("ops")).statusCode()).isEqualTo(405);
		assertThat(unrestricted.send("DELETE", CLIENT, as("ops")).statusCode()).isEqualTo(204);
	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.httpBasic(Customizer.withDefaults())
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(User.withUsername("ops").password("secret").roles("OPS").build(),
					User.withUsername("guest").password("secret").roles("GUEST").build());
		}

	}

}
