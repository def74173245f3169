package dev.ratelimit.integration.operations;

import java.net.http.HttpResponse;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.integration.support.App;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators and code receive while the store cannot be reached.
 */
class UnreachableStoreTests {

	private static final String ENDPOINT = "/actuator/ratelimits";

	private static final String RULES = """
			spring.data.redis: {host: 127.0.0.1, port: 1}
			management.endpoint.ratelimits.access: unrestricted
			ratelimit.deadline: 10s
			ratelimit.rules:
			  log: {paths: '/v1/**', key: 'header:X-Api-Key', thresholds: 3/1h}
			  audited: {key: 'header:X-Client', thresholds: 9/1h}
			  local: {key: global, thresholds: 1/1h}
			  open: {key: global, thresholds: 1/1h, on-store-failure: allow}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(RULES, AuditTests.Repository.class);
	}

	@Test
	void theEndpointReportsItWithinTheDeadline() {
		assertThat(EndpointTests.error(app.get(ENDPOINT + "/log?key=customer"), 503)).startsWith("The store Redis at ")
			.endsWith(" did not answer (unreachable): what it holds is not known. Try again when it answers");
		assertThat(EndpointTests.error(app.send("DELETE", ENDPOINT + "/log?key=customer"), 503))
			.endsWith("it may still count the client. Try again when it answers");
		assertThat(app.get(ENDPOINT + "/log").statusCode()).isEqualTo(200);
	}

	@Test
	void aRequestIsExplainedNevertheless() {
		HttpResponse<String> response = app.get(ENDPOINT + "/explain?path=/v1/organizations/a/product/1&key=k-1");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("\"applies\":\"yes\"", "did not answer (unreachable)");
	}

	@Test
	@DisplayName("A reset that the store did not answer is an event too, as the store may have executed it")
	void aResetWithoutAReplyIsAnAuditEvent() {
		assertThat(app.send("DELETE", ENDPOINT + "/audited?key=mallory").statusCode()).isEqualTo(503);
		assertThat(AuditTests.events(app)).filteredOn((event) -> "audited".equals(event.getData().get("rule")))
			.singleElement()
			.satisfies((event) -> {
				assertThat(event.getPrincipal()).as("without Spring Security").isEqualTo("<unknown>");
				assertThat(event.getData()).containsEntry("outcome", "failure");
			});
	}

	@Test
	@DisplayName("2.13 Neither a look of code at a client nor a reset throws")
	void peekAndResetDoNotThrow() {
		RateLimiter limiter = app.bean(RateLimiter.class);
		assertThat(limiter.peek("local")).isInstanceOf(RateLimitDecision.Unavailable.class);
		assertThat(limiter.peek("open").isAllowed()).isTrue();
		assertThat(limiter.reset("open")).isFalse();
	}

}
