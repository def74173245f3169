package dev.ratelimit.integration.queue;

import java.net.http.HttpResponse;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.web.key.CostResolver;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Bean;

import static dev.ratelimit.integration.support.KeptRequests.RULE;
import static dev.ratelimit.integration.support.KeptRequests.awaitState;
import static dev.ratelimit.integration.support.KeptRequests.emptyAll;
import static dev.ratelimit.integration.support.KeptRequests.finish;
import static dev.ratelimit.integration.support.KeptRequests.location;
import static dev.ratelimit.integration.support.KeptRequests.order;
import static dev.ratelimit.integration.support.KeptRequests.start;
import static dev.ratelimit.integration.support.KeptRequests.warm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What clients see of enqueued requests, on a real Tomcat and a Cluster.
 */
@ExtendWith(SharedCluster.class)
class EnqueueHttpTests {

	private static final String TURNS = "ratelimit.rules.turns: {paths: /orders/read, key: global, thresholds: 2/1h, "
			+ "on-limit: delay, max-wait: 1s}";

	@Test
	@DisplayName("3.18 202 with the location of its state; the handler receives the request when the limit allows")
	void aRequestAboveTheLimitIsEnqueuedAndHandledLater() {
		try (App app = start("2s")) {
			assertThat(order(app, "ann", "one").statusCode()).isEqualTo(200);
			HttpResponse<String> enqueued = order(app, "ann", "two", "Content-Type", "text/x", "X-Trace", "t1",
					"Authorization", "secret", "Cookie", "s=secret");
			assertThat(enqueued.statusCode()).isEqualTo(202);
			assertThat(location(enqueued)).matches("/ratelimit/queue/orders/[A-Za-z0-9_-]{22}");
			String id = location(enqueued).substring("/ratelimit/queue/orders/".length());
			assertThat(enqueued.body())
				.isEqualTo("{\"id\":\"" + id + "\",\"rule\":\"orders\",\"state\":\"queued\",\"attempts\":0}");
			assertThat(enqueued.headers().map()).containsEntry("X-RateLimit-Limit", List.of("1"))
				.containsEntry("X-RateLimit-Remaining", List.of("0"))
				.containsEntry("Cache-Control", List.of("no-store"))
				.containsKey("RateLimit")
				.doesNotContainKeys("Retry-After", "X-RateLimit-Retry-After");
			awaitState(app, enqueued, "running");
			app.bean(Later.class).gate.release();
			awaitState(app, enqueued, "done");
			assertThat(app.bean(Orders.class).handled).containsExactly("one");
			QueuedRequest request = app.bean(Later.class).tried.get(0);
			assertThat(request.id()).isEqualTo(id);
			assertThat(request.text()).isEqualTo("two");
			assertThat(request)
				.extracting(QueuedRequest::rule, QueuedRequest::method, QueuedRequest::path, QueuedRequest::attempt)
				.containsExactly("orders", "POST", "/orders", 1);
			assertThat(request.query()).contains("a=b");
			assertThat(request.principal()).isEmpty();
			assertThat(request.headers()).containsOnlyKeys("content-type", "x-trace")
				.containsEntry("x-trace", List.of("t1"));
			finish(app);
		}
	}

	@Test
	@DisplayName("no overtaking: a client with a request in the queue is not admitted past it")
	void aRequestDoesNotOvertakeEarlierOnesOfItsClient() {
		try (App app = start("2s", "management.endpoint.ratelimits.access: unrestricted")) {
			order(app, "ann", "one");
			HttpResponse<String> second = order(app, "ann", "two");
			awaitState(app, second, "running");
			assertThat(order(app, "bob", "bob").statusCode()).isEqualTo(200);
			// Now the limit has room, and the second request is still being handled.
			assertThat(app.send("DELETE", "/actuator/ratelimits/orders?key=ann").statusCode()).isEqualTo(204);
			HttpResponse<String> third = order(app, "ann", "three");
			assertThat(third.statusCode()).isEqualTo(202);
			assertThat(third.headers().firstValue("X-RateLimit-Remaining")).contains("0");
			finish(app);
			awaitState(app, third, "done");
			assertThat(app.bean(Later.class).done).containsExactly("two", "three");
		}
	}

	@Test
	@DisplayName("a full queue means 429: per key and in total")
	void aRequestThatTheQueueHasNoRoomForIsRefused() {
		try (App app = start("1h")) {
			for (int expected : new int[] { 200, 202, 202, 429 }) {
				assertThat(order(app, "ann", "x").statusCode()).isEqualTo(expected);
			}
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(200);
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(202);
			HttpResponse<String> full = order(app, "bob", "x");
			assertThat(full.statusCode()).isEqualTo(429);
			assertThat(full.headers().map()).containsKeys("Retry-After");
			assertThat(full.body()).contains("\"violated-policies\":[\"orders\"]");
			emptyAll(app);
		}
	}

	@Test
	@DisplayName("a request that costs more than the whole limit does not block the queue")
	void aRequestThatCanNeverBeAdmittedIsNotEnqueuedBehindOthers() {
		String cost = RULE.formatted("2s").replace("  on-limit", "  cost: bean:price\n  on-limit");
		try (App app = warm(App.start(cost, Orders.class, Later.class, Prices.class))) {
			order(app, "ann", "one");
			assertThat(order(app, "ann", "two").statusCode()).isEqualTo(202);
			assertThat(order(app, "ann", "three", "X-Price", "5").statusCode()).isEqualTo(429);
			finish(app);
		}
	}

	static class Prices {

		@Bean
		CostResolver price() {
			return (request) -> request.header("X-Price").map(Long::parseLong).orElse(1L);
		}

	}

	@Test
	void safeAndUnknownMethodsAreRefusedAndNeverEnqueued() {
		try (App app = start("1h")) {
			assertThat(app.send("GET", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(200);
			assertThat(app.send("GET", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(429);
			assertThat(List.of("HEAD", "OPTIONS", "QUERY", "PROPFIND", "REPORT", "SEARCH", "FOO", "delete"))
				.allSatisfy((method) -> assertThat(app.send(method, "/orders/read", "X-Client", "ann").statusCode())
					.isEqualTo(429));
			assertThat(app.send("DELETE", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(202);
			emptyAll(app);
		}
	}

	@Test
	void theStateOfAnUnknownRequestIs404AndStateReadsAreLimited() {
		try (App app = start("1h", "ratelimit.rules.other: {paths: /other, thresholds: 1/1s}",
				"ratelimit.rules.states: {paths: /ratelimit/queue/orders/**, thresholds: 1000/1h}",
				"ratelimit.queue.max-state-reads: 1")) {
			HttpResponse<String> unknown = app.get("/ratelimit/queue/orders/" + "x".repeat(22));
			assertThat(unknown.statusCode()).isEqualTo(404);
			assertThat(unknown.headers().firstValue("X-RateLimit-Limit")).as("a rule may cover it").contains("1000");
			await().atMost(Patience.LONG).untilAsserted(() -> {
				HttpResponse<String> tooMany = app.get("/ratelimit/queue/orders/" + "x".repeat(22));
				assertThat(tooMany.statusCode()).isEqualTo(429);
				assertThat(tooMany.headers().firstValue("Retry-After")).contains("1");
			});
			assertThat(app.get("/ratelimit/queue/orders/x").body()).doesNotContain("\"x\"");
			assertThat(app.get("/ratelimit/queue/other/" + "x".repeat(22)).body()).as("the 404 of MVC")
				.contains("\"path\":\"/ratelimit/queue/other/");
		}
	}

	@Test
	@DisplayName("a reject rule that refuses too makes it 429; one that admits counts the enqueued request")
	void otherRulesAreDecidedFirst() {
		try (App app = start("1h", "ratelimit.rules.all: {paths: /orders, key: global, thresholds: 3/1h}", TURNS)) {
			for (int expected : new int[] { 200, 202, 202, 429 }) {
				assertThat(order(app, "ann", "x").statusCode()).isEqualTo(expected);
			}
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(429);
			assertThatAnEnqueuedRequestReleasesItsTurn(app);
			emptyAll(app);
		}
	}

	/** Its client waits for no response: its own rule decides when it is handled. */
	private static void assertThatAnEnqueuedRequestReleasesItsTurn(App app) {
		assertThat(app.send("POST", "/orders/read", "X-Client", "cat").statusCode()).isEqualTo(200);
		HttpResponse<String> enqueued = app.send("POST", "/orders/read", "X-Client", "cat");
		assertThat(enqueued.statusCode()).isEqualTo(202);
		assertThat(app.send("POST", "/orders/read", "X-Client", "dan").statusCode()).as("the second turn")
			.isEqualTo(200);
		assertThat(app.send("POST", "/orders/read", "X-Client", "eve").statusCode()).as("a third").isEqualTo(429);
	}

	@Test
	void theLocationIncludesContextPathAndServletPath() {
		try (App app = App.start(RULE.formatted("1h") + """
				server.servlet.context-path: /ctx
				spring.mvc.servlet.path: /app
				ratelimit.queue.path: /later
				""", Orders.class, Later.class)) {
			app.send("POST", "/ctx/app/orders", "X-Client", "ann");
			HttpResponse<String> enqueued = app.send("POST", "/ctx/app/orders", "X-Client", "ann");
			assertThat(location(enqueued)).startsWith("/ctx/app/later/orders/");
			assertThat(app.get(location(enqueued)).statusCode()).isEqualTo(200);
			emptyAll(app);
		}
	}

}
