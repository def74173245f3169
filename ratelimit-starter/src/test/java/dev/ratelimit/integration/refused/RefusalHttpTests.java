package dev.ratelimit.integration.refused;

import java.net.http.HttpResponse;
import java.time.Duration;

import dev.ratelimit.RateLimited;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.TimedStore;
import org.json.JSONObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The response of a rule to a request above its limit ({@code refusal.*}), wherever it is
 * refused.
 */
class RefusalHttpTests {

	private static final String YAML = """
			ratelimit.rules:
			  status: {paths: /own/status, key: global, refusal.status: 503, thresholds: 1/10m}
			  body: {paths: '/own/body', key: global, refusal.body: '{"error": "sp\u00e4ter"}', thresholds: 1/10m}
			  text: {paths: '/own/text', key: global, refusal: {status: 420, body: Slow down, content-type: text/plain}, thresholds: 1/10m}
			  short: {paths: /own/both, key: global, refusal.status: 420, thresholds: 1/10m}
			  long: {paths: /own/both, key: global, refusal.body: Come tomorrow, thresholds: 1/1h}
			  named: {key: global, refusal: {status: 420, body: Slow down}, thresholds: 1/10m}
			  called: {key: global, refusal: {status: 503, body: Busy}, thresholds: 1/10m}
			  delayed: {paths: /own/delayed, key: global, on-limit: delay, max-wait: 1s, refusal.status: 503, thresholds: 1/10m}
			  strange: {paths: /own/strange, key: 'header:X-Client', on-missing-key: deny, refusal.status: 420, thresholds: 1/10m}
			  blocking:
			    paths: /own/blocking
			    key: header:X-Client
			    refusal.status: 420
			    thresholds: 1/10m
			    overrides: [{key: a, thresholds: blocked}]
			""";

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(YAML, TimedStore.class, Beans.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	/** Nothing that earlier tests counted counts any more. */
	@BeforeEach
	void passTime() {
		app.bean(MovableClock.class).advance(Duration.ofHours(2));
	}

	private static HttpResponse<String> second(String method, String path) {
		app.send(method, path);
		return app.send(method, path);
	}

	private static void assertRefused(HttpResponse<String> response, int status, String contentType, String body) {
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(response.headers().firstValue("Content-Type")).hasValue(contentType);
		assertThat(response.body()).isEqualTo(body);
		assertThat(response.headers().firstValue("Retry-After")).isPresent();
		assertThat(response.headers().map()).containsKeys("x-ratelimit-limit", "x-ratelimit-retry-after", "ratelimit",
				"ratelimit-policy", "cache-control");
	}

	@Test
	void aStatusAloneIsThatOfTheProblemDetails() {
		HttpResponse<String> refused = second("GET", "/own/status");
		assertThat(refused.statusCode()).isEqualTo(503);
		assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		JSONObject problem = new JSONObject(refused.body());
		assertThat(problem.getInt("status")).isEqualTo(503);
		assertThat(problem.getString("type")).endsWith("#quota-exceeded");
		assertThat(problem.getString("detail"))
			.isEqualTo("Quota status is exceeded: 1 per 10 minutes. Retry in 600 seconds.");
		assertThat(refused.headers().firstValue("Retry-After")).hasValue("600");
	}

	@Test
	void aBodyIsSentInUtf8WithItsContentType() {
		assertRefused(second("GET", "/own/body"), 429, "application/json", "{\"error\": \"sp\u00e4ter\"}");
		assertRefused(second("GET", "/own/text"), 420, "text/plain;charset=UTF-8", "Slow down");
		HttpResponse<String> head = app.send("HEAD", "/own/text");
		assertThat(head.statusCode()).isEqualTo(420);
		assertThat(head.body()).isEmpty();
	}

	@Test
	void ofSeveralRulesThatRefuseTheOneOfRetryAfterResponds() {
		app.get("/own/both");
		HttpResponse<String> refused = app.get("/own/both");
		assertRefused(refused, 429, "application/json", "Come tomorrow");
		assertThat(refused.headers().firstValue("Retry-After")).hasValue("3600");
	}

	@Test
	void aHandlerThatNamesTheRuleRefusesAsTheFilter() {
		assertRefused(second("GET", "/own/named"), 420, "application/json", "Slow down");
	}

	@Test
	void aRefusedCallThatLeavesAControllerHasTheResponseOfItsRule() {
		assertRefused(second("GET", "/own/calling"), 503, "application/json", "Busy");
	}

	@Test
	void aRequestThatWouldWaitTooLongHasTheResponseOfItsRule() {
		assertThat(second("GET", "/own/delayed").statusCode()).isEqualTo(503);
	}

	@Test
	void aRefusalForAnotherReasonIsA403() {
		assertThat(app.get("/own/strange").statusCode()).as("without its key").isEqualTo(403);
		assertThat(app.get("/own/blocking", "X-Client", "a").statusCode()).as("blocked").isEqualTo(403);
	}

	static class Service {

		@RateLimited("called")
		public void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		Service service() {
			return new Service();
		}

		@Bean
		Web web(Service service) {
			return new Web(service);
		}

	}

	@RestController
	static class Web {

		private final Service service;

		Web(Service service) {
			this.service = service;
		}

		@GetMapping({ "/own/status", "/own/body", "/own/text", "/own/both", "/own/delayed", "/own/strange",
				"/own/blocking" })
		String admitted() {
			return "admitted";
		}

		@GetMapping("/own/named")
		@RateLimited("named")
		String named() {
			return "admitted";
		}

		@GetMapping("/own/calling")
		String calling() {
			this.service.call();
			return "admitted";
		}

	}

}
