package dev.ratelimit.integration.delay;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.ratelimit.integration.delay.DelayHttpTests.CLIENT;
import static dev.ratelimit.integration.delay.DelayHttpTests.ONE_IN_TEN_MINUTES;
import static dev.ratelimit.integration.delay.DelayHttpTests.awaitWaiting;
import static dev.ratelimit.integration.delay.DelayHttpTests.handledMicros;
import static dev.ratelimit.integration.delay.DelayHttpTests.outcomes;
import static dev.ratelimit.integration.delay.DelayHttpTests.send;
import static dev.ratelimit.integration.delay.DelayHttpTests.turns;
import static dev.ratelimit.integration.delay.DelayHttpTests.warm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Delayed requests pass the filters, Spring Security and handlers as all others do, and
 * nothing in this chain lets them bypass a rule.
 */
@ExtendWith(SharedCluster.class)
class DelayChainHttpTests {

	/**
	 * Each test has a rule of its own. The intervals are longer than a request takes that
	 * does not wait.
	 */
	private static final String RULES = SharedCluster.yaml()
			+ """
					ratelimit.defaults: {algorithm: leaky-bucket, on-limit: delay, max-wait: 1m}
					ratelimit.rules:
					  filters: {paths: '/slow/filters-*', thresholds: [{threshold: 1, window: 2s, burst: 9}]}
					  answered: {paths: /slow/answered, max-wait: 1d, thresholds: [{threshold: 1, window: 10m, burst: 9}]}
					  few: {paths: /slow/answered, algorithm: sliding-window-log, on-limit: reject, thresholds: 2/1h}
					  servlets: {paths: [/raw/*, /slow/forwarded], thresholds: [{threshold: 1, window: 2s, burst: 9}]}
					  asynchronous: {paths: /later, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
					  outcome: {paths: /slow/outcome, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
					  failures:
					    {paths: /slow/outcome, algorithm: sliding-window-log, on-limit: reject, count-on: failure, thresholds: 1/1h}
					  upload: {paths: /slow/upload, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
					  named: {algorithm: sliding-window-log, thresholds: 1/2s}
					""";

	private static final String SECURED = SharedCluster.yaml() + """
			spring.security.user: {name: anna, password: secret}
			ratelimit.defaults: {algorithm: leaky-bucket, on-limit: delay, max-wait: 1d}
			ratelimit.rules:
			  user: {paths: '/slow/user-*', key: principal, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
			  guessed: {paths: /slow/guessed, thresholds: [{threshold: 1, window: 10m, burst: 9}]}
			  logins: {paths: /slow/guessed, key: ip, algorithm: sliding-window-log, on-limit: reject, thresholds: 2/1h}
			  anonymous: {paths: /slow/anonymous, thresholds: [{threshold: 1, window: 10m, burst: 3}]}
			  named: {thresholds: 1/2s}
			""";

	@AutoClose
	private static App app;

	@AutoClose
	private static App secured;

	@BeforeAll
	static void start() {
		app = warm(App.start(RULES, DelayApp.class));
		secured = App.startSecured(SECURED, DelayApp.class);
	}

	private static Map<String, AtomicInteger> passed() {
		return app.bean(DelayApp.Behind.class).passed;
	}

	@Test
	void filtersBehindOursRunOncePerRequestAndThenTheHandler() {
		passed().clear();
		assertThat(app.statuses(3, "GET", "/slow/filters-x")).containsOnly(200);
		assertThat(outcomes(app, "filters")).contains("filters DELAYED");
		assertThat(passed().values()).extracting(AtomicInteger::get).containsExactly(3, 3);
	}

	@Test
	void aRequestThatAFilterRespondsToDoesNotWaitAndIsCountedByTheOtherRules() {
		List<Integer> statuses = IntStream.range(0, 4)
			.mapToObj((i) -> app.get("/slow/answered", "Answer", "yes").statusCode())
			.toList();
		assertThat(statuses).containsExactly(200, 200, 429, 429);
	}

	@Test
	void theThreadWaitsWhereAFilterDoesNotSupportAsynchronousRequests() {
		try (App synchronous = warm(App.start(RULES, DelayApp.class, Synchronous.class))) {
			long start = SharedCluster.micros();
			for (int i = 0; i < 3; i++) {
				assertThat(synchronous.get("/slow/filters-" + i).body()).startsWith("REQUEST");
			}
			assertThat(handledMicros(synchronous, "filters-2")).isGreaterThanOrEqualTo(start + 4_000_000);
		}
	}

	@Test
	void requestsToOtherServletsAndForwardsWaitOnTheThread() {
		passed().clear();
		long start = SharedCluster.micros();
		assertThat(app.get("/raw/x").body()).startsWith("raw by");
		assertThat(app.get("/raw/x").statusCode()).isEqualTo(200);
		assertThat(SharedCluster.micros()).isGreaterThanOrEqualTo(start + 2_000_000);
		assertThat(app.get("/outer").body()).startsWith("FORWARD");
		assertThat(outcomes(app, "servlets")).containsExactly("servlets ALLOWED", "servlets DELAYED",
				"servlets DELAYED");
		assertThat(passed().values()).extracting(AtomicInteger::get).containsExactly(3, 3);
		assertThat(handledMicros(app, "forwarded")).isGreaterThanOrEqualTo(start + 4_000_000);
	}

	@Test
	void aRuleThatAHandlerNamesDelaysThere() {
		assertThat(app.get("/named").body()).isEqualTo("REQUEST");
		assertThat(app.get("/named").body()).isEqualTo("ASYNC");
	}

	@Test
	void anAsynchronousHandlerDoesItsOwnWorkAfterTheWait() {
		assertThat(app.get("/later").body()).isEqualTo("later");
		assertThat(app.get("/later").body()).isEqualTo("later");
		assertThat(outcomes(app, "asynchronous")).containsExactly("asynchronous ALLOWED", "asynchronous DELAYED");
	}

	@Test
	void aPermitThatTheOutcomeOfADelayedRequestDoesNotCountIsReleasedOnce() {
		assertThat(app.statuses(2, "GET", "/slow/outcome")).containsExactly(200, 200);
		assertThat(outcomes(app, "outcome", "failures")).containsExactly("outcome ALLOWED", "failures ALLOWED",
				"failures released", "outcome DELAYED", "failures ALLOWED", "failures released");
	}

	@Test
	void anUploadSurvivesTheWait() {
		String body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nkept\r\n--b--\r\n";
		for (int i = 0; i < 2; i++) {
			HttpRequest upload = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/slow/upload"))
				.header("Content-Type", "multipart/form-data; boundary=b")
				.POST(BodyPublishers.ofString(body))
				.build();
			assertThat(CLIENT.sendAsync(upload, BodyHandlers.ofString()).join().body()).isEqualTo("kept");
		}
		assertThat(outcomes(app, "upload")).containsExactly("upload ALLOWED", "upload DELAYED");
	}

	@Test
	void aDelayedRequestStaysAuthenticated() {
		String anna = "Basic YW5uYTpzZWNyZXQ=";
		assertThat(secured.get("/slow/user-1", "Authorization", anna).body()).isEqualTo("REQUEST anna");
		assertThat(secured.get("/slow/user-2", "Authorization", anna).body()).isEqualTo("ASYNC anna");
	}

	@Test
	void wrongPasswordsAreLimitedAlsoWhereAnotherRuleDelays() {
		String wrong = "Basic YW5uYTp3cm9uZw==";
		List<Integer> statuses = IntStream.range(0, 4)
			.mapToObj((i) -> secured.get("/slow/guessed", "Authorization", wrong).statusCode())
			.toList();
		assertThat(statuses).containsExactly(401, 401, 429, 429);
		assertThat(outcomes(secured, "guessed", "logins")).containsSubsequence("guessed DELAYED", "logins REJECTED",
				"guessed released");
	}

	@Test
	void aFilterThatDispatchesAsynchronouslyReleasesNoRequestEarly() throws InterruptedException {
		List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
		try (App dispatching = App.start(SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(4), DelayApp.class,
				Asynchronous.class)) {
			for (int i = 0; i < 4; i++) {
				sent.add(send(dispatching, "/slow/" + i));
			}
			turns(dispatching).await(4);
			awaitWaiting(dispatching, 3);
			assertThat(dispatching.bean(DelayApp.Handlers.class).micros).hasSizeLessThanOrEqualTo(1);
		}
		assertThat(sent).extracting((response) -> response.join().statusCode())
			.containsExactlyInAnyOrder(200, 503, 503, 503);
	}

	@Test
	void aRequestThatSecurityRefusesDoesNotWait() {
		assertThat(secured.statuses(5, "GET", "/slow/anonymous")).containsExactly(401, 401, 401, 429, 429);
	}

	@Configuration(proxyBeanMethods = false)
	static class Synchronous {

		@Bean
		FilterRegistrationBean<Filter> synchronous() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					(request, response, chain) -> chain.doFilter(request, response));
			registration.setAsyncSupported(false);
			return registration;
		}

	}

	/** Continues every request in an asynchronous dispatch. */
	@Configuration(proxyBeanMethods = false)
	static class Asynchronous {

		@Bean
		FilterRegistrationBean<Filter> asynchronous() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					(request, response, chain) -> request.startAsync().dispatch());
			registration.setOrder(7);
			registration.setDispatcherTypes(DispatcherType.REQUEST);
			return registration;
		}

	}

}
