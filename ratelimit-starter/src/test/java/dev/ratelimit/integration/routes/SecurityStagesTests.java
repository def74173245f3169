package dev.ratelimit.integration.routes;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.Security;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.web.servlet.RateLimitFilter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
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
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * With Spring Security, a rule is decided before it if its key does not need the user,
 * and behind it if its key needs the user.
 */
@ExtendWith(SharedCluster.class)
public class SecurityStagesTests {

	/** Each test has paths of its own. */
	private static final String YAML = SharedCluster.yaml() + """
			ratelimit.rules:
			  guests-by-address: {paths: '/v1/organizations/guests/product/*', key: ip, thresholds: 3/10m}
			  guests-by-user: {paths: '/v1/organizations/guests/product/*', key: principal, thresholds: 100/10m}
			  users-by-address: {paths: '/v1/organizations/users/product/*', key: ip, thresholds: 100/10m}
			  users-by-user: {paths: '/v1/organizations/users/product/*', key: principal, thresholds: 2/10m}
			  both-by-address: {paths: '/v1/organizations/both/product/*', key: ip, thresholds: 3/10m}
			  both-by-user: {paths: '/v1/organizations/both/product/*', key: principal, thresholds: 1/10m}
			  login: {methods: POST, paths: /login, key: 'header:X-Device', thresholds: 2/1h}
			  cured: {methods: POST, paths: /login, key: 'header:X-Cured', on-missing-key: skip, stage: before-security,
			    thresholds: 2/1h}
			  users: {paths: '/product/*', key: principal, thresholds: 9/1h}
			  reached: {paths: /v1/product, key: principal, thresholds: 9/1h}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.startSecured(YAML, Security.class, FormLogin.class);
	}

	private static HttpResponse<String> get(String organization, String user) {
		return app.get("/v1/organizations/" + organization + "/product/1", "Authorization", basic(user));
	}

	/** The keys under which the rules over an organization count. */
	private static Stream<String> keys(String organization) {
		return SharedCluster.keys(app.prefix()).stream().filter((key) -> key.contains("{" + organization + "-by-"));
	}

	@Test
	void unauthenticatedRequestsCountByAddressBeforeSecurityAndStayCounted() {
		assertThat(app.statuses(5, "GET", "/v1/organizations/guests/product/1")).containsExactly(401, 401, 401, 429,
				429);
		assertThat(get("guests", "alice").statusCode()).isEqualTo(429);
		assertThat(keys("guests")).singleElement().asString().contains("{guests-by-address:i127.0.0.1}");
	}

	@Test
	void usersAreCountedBehindSecurityEachInTheirOwnBucket() {
		for (int expected : new int[] { 200, 200, 429 }) {
			assertThat(get("users", "alice").statusCode()).isEqualTo(expected);
		}
		assertThat(get("users", "bob").statusCode()).isEqualTo(200);
		assertThat(keys("users")).hasSize(3).noneMatch((key) -> key.contains("alice") || key.contains("bob"));
	}

	@Test
	@DisplayName("0.8 Beside Spring Security the filter decides on both sides, and a later refusal releases the earlier permit")
	void laterRefusalReleasesTheEarlierPermit() {
		assertThat(app.context().getBeansOfType(FilterRegistrationBean.class).values())
			.filteredOn((registration) -> registration.getFilter() instanceof RateLimitFilter)
			.hasSize(2);
		assertThat(get("both", "alice").statusCode()).isEqualTo(200);
		for (int i = 0; i < 5; i++) {
			assertThat(get("both", "alice").headers().firstValue("X-RateLimit-Limit")).hasValue("1");
		}
		assertThat(get("both", "bob").statusCode()).isEqualTo(200);
		assertThat(get("both", "carol").statusCode()).isEqualTo(200);
		assertThat(get("both", "dave").headers().firstValue("X-RateLimit-Limit")).hasValue("3");
	}

	/** The endpoint explains it, a meter counts it, and the log names the cure once. */
	@Test
	void aRuleWhoseRequestsSecurityAlwaysAnswersIsReported() {
		try (CapturedLog log = new CapturedLog(Level.WARN)) {
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
			assertThat(Stream.of("login", "cured", "users", "reached").map(SecurityStagesTests::unreached))
				.containsExactly(153.0, 0.0, 150.0, 150.0);
			assertThat(app.get("/actuator/ratelimits/explain?path=/v1/product&key=alice").body())
				.contains("\"/v1/product covers it\"");
		}
	}

	private static double unreached(String rule) {
		return app.bean(MeterRegistry.class).get("ratelimit.unreached").tag("rule", rule).counter().count();
	}

	@ParameterizedTest
	@CsvSource({ "spring.security.filter.order, 0, ratelimit.filter.after-security-order",
			"spring.security.filter.order, -110, ratelimit.filter.before-security-order",
			"ratelimit.filter.after-security-order, -105, ratelimit.filter.after-security-order" })
	void aFilterOnTheWrongSideOfSpringSecurityStopsTheStart(String name, int order, String named) {
		String yaml = YAML + name + ": " + order + "\n";
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

}
