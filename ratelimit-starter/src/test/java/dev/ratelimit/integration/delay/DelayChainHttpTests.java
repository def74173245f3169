package dev.ratelimit.integration.delay;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.ratelimit.integration.delay.DelayHttpTests.CLIENT;
import static dev.ratelimit.integration.delay.DelayHttpTests.ONE_IN_TEN_MINUTES;
import static dev.ratelimit.integration.delay.DelayHttpTests.ONE_IN_TWO_SECONDS;
import static dev.ratelimit.integration.delay.DelayHttpTests.QUICK;
import static dev.ratelimit.integration.delay.DelayHttpTests.awaitWaiting;
import static dev.ratelimit.integration.delay.DelayHttpTests.handledMicros;
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

	@Test
	void filtersBehindOursRunOncePerRequestAndThenTheHandler() {
		try (App app = warm(App.start(SharedCluster.yaml() + ONE_IN_TWO_SECONDS, DelayApp.class))) {
			for (int i = 0; i < 3; i++) {
				assertThat(app.get("/slow/x").statusCode()).isEqualTo(200);
			}
			assertThat(turns(app).outcomes).contains("slow DELAYED");
			assertThat(app.bean(DelayApp.Behind.class).passed.values()).extracting(AtomicInteger::get)
				.containsExactly(4, 4);
		}
	}

	@Test
	void aRequestThatAFilterRespondsToDoesNotWaitAndIsCountedByTheOtherRules() {
		String yaml = SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(9)
				+ "  few: {paths: /slow/**, thresholds: 2/1h}\n";
		try (App app = App.start(yaml, DelayApp.class)) {
			List<Integer> statuses = IntStream.range(0, 4)
				.mapToObj((i) -> app.get("/slow/x", "Answer", "yes").statusCode())
				.toList();
			assertThat(statuses).containsExactly(200, 200, 429, 429);
		}
	}

	@Test
	void theThreadWaitsWhereAFilterDoesNotSupportAsynchronousRequests() {
		try (App app = warm(App.start(SharedCluster.yaml() + ONE_IN_TWO_SECONDS, DelayApp.class, Synchronous.class))) {
			long start = SharedCluster.micros();
			for (int i = 0; i < 3; i++) {
				assertThat(app.get("/slow/" + i).body()).startsWith("REQUEST");
			}
			assertThat(handledMicros(app, "2")).isGreaterThanOrEqualTo(start + 4_000_000);
		}
	}

	@Test
	void requestsToOtherServletsAndForwardsWaitOnTheThread() {
		String onForward = ONE_IN_TWO_SECONDS.replace("/outer, ", "");
		try (App app = warm(App.start(SharedCluster.yaml() + onForward, DelayApp.class))) {
			long start = SharedCluster.micros();
			assertThat(app.get("/raw/x").body()).startsWith("raw by");
			assertThat(app.get("/raw/x").statusCode()).isEqualTo(200);
			assertThat(SharedCluster.micros()).isGreaterThanOrEqualTo(start + 2_000_000);
			assertThat(app.get("/outer").body()).startsWith("FORWARD");
			assertThat(turns(app).outcomes).containsExactly("slow ALLOWED", "slow DELAYED", "slow DELAYED");
			assertThat(app.bean(DelayApp.Behind.class).passed.values()).extracting(AtomicInteger::get)
				.containsExactly(4, 4);
			assertThat(handledMicros(app, "forwarded")).isGreaterThanOrEqualTo(start + 4_000_000);
		}
	}

	@Test
	void aRuleThatAHandlerNamesDelaysThere() {
		try (App app = warm(App.start(SharedCluster.yaml() + QUICK, DelayApp.class))) {
			assertThat(app.get("/named").body()).isEqualTo("REQUEST");
			assertThat(app.get("/named").body()).isEqualTo("ASYNC");
		}
	}

	@Test
	void anAsynchronousHandlerDoesItsOwnWorkAfterTheWait() {
		try (App app = warm(App.start(SharedCluster.yaml() + ONE_IN_TWO_SECONDS, DelayApp.class))) {
			assertThat(app.get("/later").body()).isEqualTo("later");
			assertThat(app.get("/later").body()).isEqualTo("later");
			assertThat(turns(app).outcomes).containsExactly("slow ALLOWED", "slow DELAYED");
		}
	}

	@Test
	void aPermitThatTheOutcomeOfADelayedRequestDoesNotCountIsReleasedOnce() {
		String yaml = SharedCluster.yaml() + ONE_IN_TWO_SECONDS
				+ "  failures: {paths: /slow/**, count-on: failure, thresholds: 1/1h}\n";
		try (App app = App.start(yaml, DelayApp.class)) {
			assertThat(app.statuses(2, "GET", "/slow/x")).containsExactly(200, 200);
			assertThat(turns(app).outcomes).containsExactly("slow ALLOWED", "failures ALLOWED", "failures released",
					"slow DELAYED", "failures ALLOWED", "failures released");
		}
	}

	@Test
	void anUploadSurvivesTheWait() {
		try (App app = warm(App.start(SharedCluster.yaml() + ONE_IN_TWO_SECONDS, DelayApp.class))) {
			String body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nkept\r\n--b--\r\n";
			for (int i = 0; i < 2; i++) {
				HttpRequest upload = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/slow/up"))
					.header("Content-Type", "multipart/form-data; boundary=b")
					.POST(BodyPublishers.ofString(body))
					.build();
				assertThat(CLIENT.sendAsync(upload, BodyHandlers.ofString()).join().body()).isEqualTo("kept");
			}
			assertThat(turns(app).outcomes).containsExactly("slow ALLOWED", "slow DELAYED");
		}
	}

	@Test
	void aDelayedRequestStaysAuthenticated() {
		String yaml = SharedCluster.yaml() + ONE_IN_TWO_SECONDS.replace("algorithm", "key: principal\n    algorithm");
		try (App app = App.startSecured(yaml + """
				spring.security.user.name: anna
				spring.security.user.password: secret
				""", DelayApp.class)) {
			String anna = "Basic YW5uYTpzZWNyZXQ=";
			assertThat(app.get("/slow/1", "Authorization", anna).body()).isEqualTo("REQUEST anna");
			assertThat(app.get("/slow/2", "Authorization", anna).body()).isEqualTo("ASYNC anna");
		}
	}

	@Test
	void wrongPasswordsAreLimitedAlsoWhereAnotherRuleDelays() {
		String yaml = SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(9) + """
				  logins: {paths: /slow/**, key: ip, thresholds: 2/1h}
				spring.security.user.name: anna
				spring.security.user.password: secret
				""";
		try (App app = App.startSecured(yaml, DelayApp.class)) {
			String wrong = "Basic YW5uYTp3cm9uZw==";
			List<Integer> statuses = IntStream.range(0, 4)
				.mapToObj((i) -> app.get("/slow/x", "Authorization", wrong).statusCode())
				.toList();
			assertThat(statuses).containsExactly(401, 401, 429, 429);
			assertThat(turns(app).outcomes).containsSubsequence("slow DELAYED", "logins REJECTED", "slow released");
		}
	}

	@Test
	void aFilterThatDispatchesAsynchronouslyReleasesNoRequestEarly() throws InterruptedException {
		List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
		try (App app = App.start(SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(4), DelayApp.class,
				Asynchronous.class)) {
			for (int i = 0; i < 4; i++) {
				sent.add(send(app, "/slow/" + i));
			}
			turns(app).await(4);
			awaitWaiting(app, 3);
			assertThat(app.bean(DelayApp.Handlers.class).micros).hasSizeLessThanOrEqualTo(1);
		}
		assertThat(sent).extracting((response) -> response.join().statusCode())
			.containsExactlyInAnyOrder(200, 503, 503, 503);
	}

	@Test
	void aRequestThatSecurityRefusesDoesNotWait() {
		try (App app = App.startSecured(SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(3), DelayApp.class)) {
			assertThat(app.statuses(5, "GET", "/slow/1")).containsExactly(401, 401, 401, 429, 429);
		}
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
