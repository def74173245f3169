package dev.ratelimit.integration.outcomes;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.Security;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.integration.support.TimedStore;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

	@AutoClose
	private static App guarded;

	@AutoClose
	private static App forms;

	@AutoClose
	private static App signedOn;

	@BeforeAll
	static void start() {
		guarded = App.startSecured(SharedCluster.yaml() + """
				server.http2.enabled: true
				ratelimit.rules:
				  address-denied: {paths: '/address-denied/*', key: ip, thresholds: 1/1d, count-on: '401,403'}
				  address-500: {paths: '/address-500/*', key: ip, thresholds: 1/1d, count-on: 500}
				  address-success: {paths: '/address-success/*', key: ip, thresholds: 1/1d, count-on: success}
				  user-403: {paths: '/user-403/*', key: principal, thresholds: 1/1d, count-on: 403}
				  user-500: {paths: '/user-500/*', key: principal, thresholds: 1/1d, count-on: 500}
				  user-success: {paths: '/user-success/*', key: principal, thresholds: 1/1d, count-on: success}
				  unknown-401: {paths: '/unknown-401/*', key: ip, thresholds: 1/1d, count-on: 401}
				  unknown-success: {paths: '/unknown-success/*', key: ip, thresholds: 1/1d, count-on: success}
				  authorization: {paths: /preflight/Authorization, thresholds: 2/1d, count-on: failure}
				  cookie: {paths: /preflight/Cookie, thresholds: 2/1d, count-on: failure}
				  other-header: {paths: /preflight/X-Other, thresholds: 2/1d, count-on: failure}
				  bodies: {paths: '/product/{id}', thresholds: 3/1d, count-on: failure}
				""", Security.class, Secrets.class);
		forms = App.startSecured(
				"""
						ratelimit.store: memory
						ratelimit.rules:
						  failure: {paths: /sign-in/failure, methods: POST, thresholds: 2/1d, count-on: failure}
						  failure-later: {paths: /sign-in/failure-later, methods: POST, thresholds: 2/1d, count-on: failure}
						  success: {paths: /sign-in/success, methods: POST, thresholds: 2/1d, count-on: success}
						  denied: {paths: /sign-in/denied, methods: POST, thresholds: 2/1d, count-on: '401, 403'}
						  redirected: {paths: /sign-in/redirected, methods: POST, thresholds: 2/1d, count-on: 302}
						  forwarded-failure: {paths: /forwarded/failure, methods: POST, thresholds: 2/1d, count-on: failure}
						  forwarded-success: {paths: /forwarded/success, methods: POST, thresholds: 1/1d, count-on: success}
						  page: {paths: /failed, key: 'header:Client', on-missing-key: skip, stage: before-security, thresholds: 1/1d}
						""",
				Forms.class, FailedPage.class);
		signedOn = App.startSecured(
				"""
						ratelimit.rules:
						  run-success: {paths: [/register/success, /legacy/success], key: ip, thresholds: 1/1d, count-on: success}
						  run-failure: {paths: [/register/failure, /legacy/failure], key: ip, thresholds: 1/1d, count-on: failure}
						  failure: {paths: /guesses/failure, key: ip, thresholds: 3/1d, count-on: failure}
						  always: {paths: /guesses/always, key: ip, thresholds: 3/1d, count-on: always}
						  success: {paths: /guesses/success, key: ip, thresholds: 3/1d, count-on: success}
						  2xx: {paths: /guesses/2xx, key: ip, thresholds: 3/1d, count-on: 2xx}
						  denied: {paths: /guesses/denied, key: ip, thresholds: 3/1d, count-on: '401,403'}
						  registrations: {paths: '/guesses/*', key: principal, thresholds: 1/1d}
						""",
				TimedStore.class, SignedOn.class);
	}

	/** Nothing that earlier tests counted counts any more. */
	@BeforeEach
	void passTime() {
		signedOn.bean(MovableClock.class).advance(Duration.ofDays(2));
	}

	@ParameterizedTest
	@CsvSource({ "address-denied, 429", "address-500, 200", "address-success, 200", "user-403, 429", "user-500, 200",
			"user-success, 200" })
	void aCallThatMethodSecurityDeniesIsA403(String rule, int next) {
		assertThat(guarded.get("/" + rule + "/secret", alice()).statusCode()).isEqualTo(403);
		assertThat(guarded.get("/" + rule + "/open", alice()).statusCode()).isEqualTo(next);
	}

	@ParameterizedTest
	@CsvSource({ "unknown-401, 429", "unknown-success, 200" })
	void anUnauthenticatedRequestIsA401(String rule, int next) {
		assertThat(guarded.get("/" + rule + "/open").statusCode()).isEqualTo(401);
		assertThat(guarded.get("/" + rule + "/open", alice()).statusCode()).isEqualTo(next);
	}

	/** The response to a failed form login is a redirect, as to a successful one. */
	@ParameterizedTest
	@CsvSource({ "failure, wrong wrong wrong, 302 302 429",
			"failure-later, secret secret secret wrong wrong wrong, 302 302 302 302 302 429",
			"success, wrong wrong wrong secret secret secret, 302 302 302 302 302 429",
			"denied, wrong wrong wrong, 302 302 302", "redirected, wrong secret wrong, 302 302 429" })
	void anAuthenticationThatSecurityRefusesIsAFailure(String rule, String passwords, String statuses) {
		assertThat(Arrays.stream(passwords.split(" "))
			.map((password) -> signIn("/sign-in/" + rule, "alice", password))
			.map(String::valueOf)
			.collect(Collectors.joining(" "))).isEqualTo(statuses);
	}

	private static int signIn(String path, String name, String password, String... headers) {
		return forms.send("POST", path + "?username=" + name + "&password=" + password, headers).statusCode();
	}

	/** Else a client that has used up the rule of that page could guess without limit. */
	@Test
	void aLoginThatFailsStaysCountedThoughThePageThatSecurityForwardsToIsRefused() {
		assertThat(IntStream.range(0, 4).map((i) -> signIn("/forwarded/failure", "mallory", "wrong", "Client", "a")))
			.containsExactly(200, 429, 429, 429);
		assertThat(forms.bean(FailedPage.class).attempts).filteredOn("mallory"::equals).hasSize(2);
	}

	/** The page that it is forwarded to responds with 200. */
	@Test
	void aLoginThatFailsIsNoSuccessThoughSecurityForwardsIt() {
		assertThat(IntStream.range(0, 3).map((i) -> signIn("/forwarded/success", "alice", "wrong"))).containsOnly(200);
	}

	/** The request goes on without a user, and its handler runs. */
	@ParameterizedTest
	@ValueSource(strings = { "/register/success", "/register/failure", "/legacy/success", "/legacy/failure" })
	void aHandlerThatRunsAfterARefusedAuthenticationCountsByItsStatusToo(String path) {
		assertThat(signedOn.send("POST", path, "X-User", "nobody").statusCode()).isEqualTo(200);
		assertThat(signedOn.send("POST", path, "X-User", "nobody").statusCode()).isEqualTo(429);
	}

	/** The key of another rule that is used up would make the guesses free. */
	@Test
	void aRefusedAuthenticationCountsWhereALaterRuleRefusesTheRequest() {
		assertThat(signedOn.send("POST", "/guesses/failure").statusCode()).isEqualTo(200);
		for (int i = 0; i < 3; i++) {
			assertThat(guess("failure", "X-User", i)).contains("\"registrations\"");
		}
		assertThat(guess("failure", "X-User", 3)).contains("\"failure\"");
	}

	/** Without an attempt to authenticate, and where no failure counts, it is free. */
	@ParameterizedTest
	@CsvSource({ "failure, X-Other", "always, X-User", "success, X-User", "2xx, X-User", "denied, X-User" })
	void aRefusalOfALaterRuleIsFree(String rule, String header) {
		assertThat(signedOn.send("POST", "/guesses/" + rule).statusCode()).isEqualTo(200);
		for (int i = 0; i < 5; i++) {
			assertThat(guess(rule, header, i)).contains("\"registrations\"");
		}
	}

	private static String guess(String rule, String header, int number) {
		return signedOn.send("POST", "/guesses/" + rule, header, "guess" + number).body();
	}

	/** Credentials in a preflight are an attempt to authenticate: browsers send none. */
	@ParameterizedTest
	@CsvSource({ "Authorization, Basic YWxpY2U6d3Jvbmc=, '401 401 429'", "Cookie, session=guess, '401 401 429'",
			"X-Other, none, '401 401 401'" })
	void aPreflightWithCredentialsCountsAsAnyOtherRequest(String header, String value, String statuses) {
		assertThat(IntStream.range(0, 3)
			.map((i) -> guarded
				.send("OPTIONS", "/preflight/" + header, "Origin", "https://page.example",
						"Access-Control-Request-Method", "GET", header, value)
				.statusCode())
			.mapToObj(String::valueOf)
			.collect(Collectors.joining(" "))).isEqualTo(statuses);
	}

	/** So a filter of Spring Security can read credentials from it. */
	@Test
	void aPreflightWithABodyCountsAsAnyOtherRequest() {
		List<Integer> statuses = new ArrayList<>();
		for (HttpClient.Version version : HttpClient.Version.values()) {
			HttpClient client = HttpClient.newBuilder().version(version).build();
			for (BodyPublisher body : List.of(BodyPublishers.ofString("{}"),
					BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[] { 'x' })),
					BodyPublishers.noBody())) {
				statuses.add(preflight(client, guarded.port(), body));
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

		private final Queue<String> attempts = new ConcurrentLinkedQueue<>();

		/** Before the form's chain. */
		@Bean
		@Order(0)
		SecurityFilterChain forwardingForms(HttpSecurity http) {
			return http.securityMatcher("/forwarded/*", "/failed")
				.csrf((csrf) -> csrf.disable())
				.formLogin((form) -> form.loginProcessingUrl("/forwarded/*").failureForwardUrl("/failed"))
				.build();
		}

		@EventListener
		void failed(AbstractAuthenticationFailureEvent event) {
			this.attempts.add(event.getAuthentication().getName());
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

			@RequestMapping({ "/register/*", "/guesses/*" })
			public String register() {
				return "registered";
			}

		}

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
				.formLogin((form) -> form.loginProcessingUrl("/sign-in/*"))
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
		static class Payments {

			@RequestMapping("/{rule}/secret")
			@PreAuthorize("hasRole('ADMIN')")
			public String secret() {
				return "secret";
			}

			@RequestMapping("/{rule}/open")
			public String open() {
				return "open";
			}

		}

	}

}
