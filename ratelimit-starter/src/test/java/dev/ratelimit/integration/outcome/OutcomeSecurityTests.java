package dev.ratelimit.integration.outcome;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.integration.routes.SecurityStagesTests.Security;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.annotation.Order;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationProvider;
import org.springframework.security.web.authentication.preauth.RequestHeaderAuthenticationFilter;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With Spring Security the outcome is the status that Security makes of it, whichever
 * side of Security a rule is decided on.
 */
@ExtendWith(SharedCluster.class)
class OutcomeSecurityTests {

	@ParameterizedTest
	@CsvSource({ "ip, '401,403', 429", "ip, 500, 200", "ip, success, 200", "principal, 403, 429", "principal, 500, 200",
			"principal, success, 200" })
	void aCallThatMethodSecurityDeniesIsA403(String key, String countOn, int next) {
		try (App app = start(key, countOn)) {
			assertThat(app.get("/payments/secret", alice()).statusCode()).isEqualTo(403);
			assertThat(app.get("/payments/answer/200", alice()).statusCode()).isEqualTo(next);
		}
	}

	@ParameterizedTest
	@CsvSource({ "401, 429", "success, 200" })
	void anUnauthenticatedRequestIsA401(String countOn, int next) {
		try (App app = start("ip", countOn)) {
			assertThat(app.get("/payments/answer/200").statusCode()).isEqualTo(401);
			assertThat(app.get("/payments/answer/200", alice()).statusCode()).isEqualTo(next);
		}
	}

	/** The response to a failed form login is a redirect, as to a successful one. */
	@ParameterizedTest
	@CsvSource({ "failure, wrong wrong wrong, 302 302 429",
			"failure, secret secret secret wrong wrong wrong, " + "302 302 302 302 302 429",
			"success, wrong wrong wrong secret secret secret, 302 302 302 302 302 429",
			"'401, 403', wrong wrong wrong, 302 302 302", "302, wrong secret wrong, 302 302 429" })
	void anAuthenticationThatSecurityRefusesIsAFailure(String countOn, String passwords, String statuses) {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules.login: {paths: /sign-in, methods: POST, thresholds: 2/1d, count-on: '%s'}
				""".formatted(countOn), Forms.class)) {
			assertThat(Arrays.stream(passwords.split(" "))
				.map((password) -> app.send("POST", "/sign-in?username=alice&password=" + password).statusCode())
				.map(String::valueOf)
				.collect(Collectors.joining(" "))).isEqualTo(statuses);
		}
	}

	/** Else a client that has used up the rule of that page could guess without limit. */
	@Test
	void aLoginThatFailsStaysCountedThoughThePageThatSecurityForwardsToIsRefused() {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules:
				    login: {paths: /sign-in, methods: POST, thresholds: 2/1d, count-on: failure}
				    page: {paths: /failed, thresholds: 1/1d}
				""", Forms.class, FailedPage.class)) {
			assertThat(IntStream.range(0, 4)
				.map((i) -> app.send("POST", "/sign-in?username=alice&password=wrong").statusCode()))
				.containsExactly(200, 429, 429, 429);
			assertThat(app.bean(FailedPage.class).attempts).hasValue(2);
		}
	}

	/** The page that it is forwarded to responds with 200. */
	@Test
	void aLoginThatFailsIsNoSuccessThoughSecurityForwardsIt() {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules.login: {paths: /sign-in, methods: POST, thresholds: 1/1d, count-on: success}
				""", Forms.class, FailedPage.class)) {
			assertThat(IntStream.range(0, 3)
				.map((i) -> app.send("POST", "/sign-in?username=alice&password=wrong").statusCode())).containsOnly(200);
		}
	}

	/** The request goes on without a user, and its handler runs. */
	@ParameterizedTest
	@CsvSource({ "/register, success", "/register, failure", "/legacy/register, success", "/legacy/register, failure" })
	void aHandlerThatRunsAfterARefusedAuthenticationCountsByItsStatusToo(String path, String countOn) {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules.registrations: {paths: %s, key: ip, thresholds: 1/1d, count-on: %s}
				""".formatted(path, countOn), SignedOn.class)) {
			String[] unknown = { "X-User", "nobody" };
			assertThat(app.send("POST", path, unknown).statusCode()).isEqualTo(200);
			assertThat(app.send("POST", path, unknown).statusCode()).isEqualTo(429);
		}
	}

	/** The key of another rule that is used up would make the guesses free. */
	@Test
	void aRefusedAuthenticationCountsWhereALaterRuleRefusesTheRequest() {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules:
				    guesses: {paths: /register, key: ip, thresholds: 3/1d, count-on: failure}
				    registrations: {paths: /register, key: principal, thresholds: 1/1d}
				""", SignedOn.class)) {
			assertThat(app.send("POST", "/register").statusCode()).isEqualTo(200);
			for (int i = 0; i < 3; i++) {
				assertThat(app.send("POST", "/register", "X-User", "guess" + i).body()).contains("\"registrations\"");
			}
			assertThat(app.send("POST", "/register", "X-User", "guess3").body()).contains("\"guesses\"");
		}
	}

	/** Without an attempt to authenticate, and where no failure counts, it is free. */
	@ParameterizedTest
	@CsvSource({ "failure, X-Other", "always, X-User", "success, X-User", "2xx, X-User", "'401,403', X-User" })
	void aRefusalOfALaterRuleIsFree(String countOn, String header) {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules:
				    guesses: {paths: /register, key: ip, thresholds: 3/1d, count-on: '%s'}
				    registrations: {paths: /register, key: principal, thresholds: 1/1d}
				""".formatted(countOn), SignedOn.class)) {
			assertThat(app.send("POST", "/register").statusCode()).isEqualTo(200);
			for (int i = 0; i < 5; i++) {
				assertThat(app.send("POST", "/register", header, "guess" + i).body()).contains("\"registrations\"");
			}
		}
	}

	/** Credentials in a preflight are an attempt to authenticate: browsers send none. */
	@ParameterizedTest
	@CsvSource({ "Authorization, Basic YWxpY2U6d3Jvbmc=, '401 401 429'", "Cookie, session=guess, '401 401 429'",
			"X-Other, none, '401 401 401'" })
	void aPreflightWithCredentialsCountsAsAnyOtherRequest(String header, String value, String statuses) {
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules.guesses: {paths: /**, thresholds: 2/1d, count-on: failure}
				""", Security.class)) {
			assertThat(IntStream.range(0, 3)
				.map((i) -> app
					.send("OPTIONS", "/product/1", "Origin", "https://page.example", "Access-Control-Request-Method",
							"GET", header, value)
					.statusCode())
				.mapToObj(String::valueOf)
				.collect(Collectors.joining(" "))).isEqualTo(statuses);
		}
	}

	/** So a filter of Spring Security can read credentials from it. */
	@Test
	void aPreflightWithABodyCountsAsAnyOtherRequest() {
		List<Integer> statuses = new ArrayList<>();
		try (App app = App.startSecured("""
				ratelimit:
				  store: memory
				  rules.guesses: {paths: '/product/{id}', thresholds: 3/1d, count-on: failure}
				server.http2.enabled: true
				""", Security.class)) {
			for (HttpClient.Version version : HttpClient.Version.values()) {
				HttpClient client = HttpClient.newBuilder().version(version).build();
				for (BodyPublisher body : List.of(BodyPublishers.ofString("{}"),
						BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[] { 'x' })),
						BodyPublishers.noBody())) {
					statuses.add(preflight(client, app.port(), body));
				}
			}
		}
		assertThat(statuses).containsExactly(401, 401, 401, 401, 429, 401);
	}

	private static int preflight(HttpClient client, int port, BodyPublisher body) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/product/1"))
			.method("OPTIONS", body)
			.header("Origin", "https://page.example")
			.header("Access-Control-Request-Method", "POST")
			.build();
		return client.sendAsync(request, BodyHandlers.discarding()).join().statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	static class FailedPage {

		private final AtomicInteger attempts = new AtomicInteger();

		/** Before the form's chain. */
		@Bean
		@Order(0)
		SecurityFilterChain forwardingForms(HttpSecurity http) {
			return http.securityMatcher("/sign-in", "/failed")
				.csrf((csrf) -> csrf.disable())
				.formLogin((form) -> form.loginProcessingUrl("/sign-in").failureForwardUrl("/failed"))
				.build();
		}

		@EventListener
		void failed(AbstractAuthenticationFailureEvent event) {
			this.attempts.incrementAndGet();
		}

		@RestController
		static class Page {

			@RequestMapping("/failed")
			public String failed() {
				return "failed";
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SignedOn {

		@Bean
		SecurityFilterChain signedOn(HttpSecurity http) {
			PreAuthenticatedAuthenticationProvider provider = new PreAuthenticatedAuthenticationProvider();
			provider.setPreAuthenticatedUserDetailsService((token) -> {
				throw new UsernameNotFoundException("unknown");
			});
			RequestHeaderAuthenticationFilter filter = new RequestHeaderAuthenticationFilter();
			filter.setPrincipalRequestHeader("X-User");
			filter.setExceptionIfHeaderMissing(false);
			ProviderManager manager = new ProviderManager(provider);
			manager.setAuthenticationEventPublisher(http.getSharedObject(ApplicationContext.class)
				.getBeanProvider(AuthenticationEventPublisher.class)
				.getIfAvailable(
						() -> new DefaultAuthenticationEventPublisher(http.getSharedObject(ApplicationContext.class))));
			filter.setAuthenticationManager(manager);
			return http.csrf((csrf) -> csrf.disable()).addFilter(filter).build();
		}

		@Bean
		ServletRegistrationBean<HttpServlet> legacy() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				private static final long serialVersionUID = 1L;

				@Override
				protected void doPost(HttpServletRequest request, HttpServletResponse response) {
					response.setStatus(HttpServletResponse.SC_OK);
				}

			}, "/legacy/*");
		}

		@RestController
		static class Registrations {

			@RequestMapping("/register")
			public String register() {
				return "registered";
			}

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
	static class Forms {

		@Bean
		SecurityFilterChain forms(HttpSecurity http) {
			return http.csrf((csrf) -> csrf.disable())
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.formLogin((form) -> form.loginProcessingUrl("/sign-in"))
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(User.withUsername("alice").password("secret").build());
		}

		/** Some applications publish events on other threads. */
		@Bean
		SimpleApplicationEventMulticaster applicationEventMulticaster() {
			SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
			multicaster.setTaskExecutor((task) -> {
				Thread thread = new Thread(task);
				thread.start();
			});
			return multicaster;
		}

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
