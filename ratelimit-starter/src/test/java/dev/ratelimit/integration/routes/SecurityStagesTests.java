package dev.ratelimit.integration.routes;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.web.servlet.RateLimitFilter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.Order;
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
	@DisplayName("0.8 Beside Spring Security the filter decides on both sides, and a later refusal releases the earlier permit")
	void laterRefusalReleasesTheEarlierPermit() {
		try (App app = App.startSecured(YAML.formatted("3/10m", "1/10m"), Security.class)) {
			assertThat(app.context().getBeansOfType(FilterRegistrationBean.class).values())
				.filteredOn((registration) -> registration.getFilter() instanceof RateLimitFilter)
				.hasSize(2);
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

	/** The endpoint explains it, a meter counts it, and the log names the cure once. */
	@Test
	void aRuleWhoseRequestsSecurityAlwaysAnswersIsReported() {
		try (App app = App.startSecured(
				"""
						ratelimit:
						  store: memory
						  rules:
						    login: {methods: POST, paths: /login, key: 'header:X-Device', thresholds: 2/1h}
						    cured: {methods: POST, paths: /login, key: 'header:X-Cured', on-missing-key: skip, stage: before-security,
						      thresholds: 2/1h}
						    users: {paths: '/product/*', key: principal, thresholds: 9/1h}
						    reached: {paths: /v1/product, key: principal, thresholds: 9/1h}
						""",
				Security.class, FormLogin.class); CapturedLog log = new CapturedLog(Level.WARN)) {
			for (int expected : new int[] { 302, 302, 429, 429, 429 }) {
				assertThat(app.send("POST", "/login", "X-Device", "d", "X-Cured", "d").statusCode())
					.isEqualTo(expected);
			}
			assertThat(app.send("POST", "/login", "X-Device", "d").statusCode()).isEqualTo(302);
			assertThat(app.get("/actuator/ratelimits/explain?method=POST&path=/login&key=d").body())
				.contains("/login covers it, but the 3 requests so far were answered before they reached the rule");
			assertThat(app.get("/v1/product", "Authorization", basic("alice")).statusCode()).isEqualTo(200);
			assertThat(app.statuses(150, "POST", "/login")).containsOnly(302);
			assertThat(app.statuses(150, "GET", "/product/1")).containsOnly(401);
			assertThat(app.statuses(150, "GET", "/v1/product")).containsOnly(401);
			assertThat(log.events()).extracting(ILoggingEvent::getFormattedMessage)
				.satisfiesExactly(
						(login) -> assertThat(login).contains("Rule 'login'", "first 100 requests",
								"stage: before-security"),
						(users) -> assertThat(users).contains("Rule 'users'", "first 100 requests",
								"key: ip and count-on: failure"));
			assertThat(Stream.of("login", "cured", "users", "reached").map((rule) -> unreached(app, rule)))
				.containsExactly(153.0, 0.0, 150.0, 150.0);
			assertThat(app.get("/actuator/ratelimits/explain?path=/v1/product&key=alice").body())
				.contains("\"/v1/product covers it\"");
		}
	}

	private static double unreached(App app, String rule) {
		return app.bean(MeterRegistry.class).get("ratelimit.unreached").tag("rule", rule).counter().count();
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
	static class FormLogin {

		@Bean
		@Order(1)
		SecurityFilterChain login(HttpSecurity http) {
			return http.securityMatcher("/login", "/actuator/**")
				.csrf((csrf) -> csrf.disable())
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.formLogin(Customizer.withDefaults())
				.build();
		}

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
