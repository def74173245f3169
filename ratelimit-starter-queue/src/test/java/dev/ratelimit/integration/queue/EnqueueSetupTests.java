package dev.ratelimit.integration.queue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.integration.support.Security;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedRequestHandler;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.annotation.Bean;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Rules that enqueue requests, with other beans, Spring Security, other instances and
 * operators.
 */
@ExtendWith(SharedCluster.class)
class EnqueueSetupTests {

	private static final String RULE = """
			ratelimit.rules.orders: {paths: /orders, key: %s, thresholds: 1/%s, on-limit: enqueue, on-store-failure: %s}
			""";

	static String rule(String key, String window, String onStoreFailure) {
		return RULE.formatted(key, window, onStoreFailure);
	}

	private static final String BY_CLIENT = SharedCluster.yaml() + rule("header:X-Client", "2s", "local");

	private static HttpResponse<String> order(App app, String body, String... headers) {
		return KeptRequests.order(app, "ann", body, headers);
	}

	private static void awaitDone(Later later, String... bodies) {
		await().atMost(Patience.LONG.multipliedBy(2))
			.untilAsserted(() -> assertThat(later.done).containsExactly(bodies));
	}

	private static void awaitEmpty(App app) {
		await().atMost(Patience.LONG)
			.until(() -> SharedCluster.keys(app.prefix()).stream().noneMatch((key) -> key.endsWith(":q1:due")));
	}

	static class TwoHandlers {

		@Bean
		QueuedRequestHandler one() {
			return (request) -> {
			};
		}

		@Bean
		QueuedRequestHandler other() {
			return (request) -> {
			};
		}

	}

	@Test
	@DisplayName("without a handler of enqueued requests, or a store for them, the start fails and names the cure")
	void aRuleThatCannotEnqueueStopsTheStart() {
		assertThat(failure(BY_CLIENT, Orders.class)).contains("Rule 'orders' has on-limit enqueue",
				"no bean of type dev.ratelimit.queue.QueuedRequestHandler", "Declare one");
		assertThat(failure(BY_CLIENT, Orders.class, TwoHandlers.class)).contains("2 beans of type", "@Primary");
		assertThat(failure("ratelimit.store: memory\n" + rule("ip", "1s", "local"), Later.class))
			.contains("memory cannot keep requests durably", "Set ratelimit.store to redis");
	}

	private static String failure(String yaml, Class<?>... beans) {
		Throwable failure = catchThrowable(() -> App.start(yaml, beans).close());
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
	}

	@Test
	@DisplayName("behind Security: a request without authentication is not enqueued; the user's name is stored")
	void onlyRequestsThatSecurityAdmitsAreEnqueued() {
		String yaml = SharedCluster.yaml() + rule("global", "2s", "local");
		try (App app = App.startSecured(yaml, Orders.class, Later.class, Security.class)) {
			for (int i = 0; i < 3; i++) {
				assertThat(order(app, "nobody").statusCode()).isEqualTo(401);
			}
			String alice = "Basic "
					+ Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8));
			// The first request that passes is slow, and may take longer than the window.
			assertThat(app.get("/orders/read", "Authorization", alice).statusCode()).isEqualTo(200);
			assertThat(order(app, "one", "Authorization", alice).statusCode()).isEqualTo(200);
			HttpResponse<String> enqueued = order(app, "two", "Authorization", alice);
			assertThat(enqueued.statusCode()).isEqualTo(202);
			String location = enqueued.headers().firstValue("Location").orElseThrow();
			assertThat(app.get(location).statusCode()).as("Security applies to it too").isEqualTo(401);
			assertThat(app.get(location, "Authorization", alice).statusCode()).isEqualTo(200);
			Later later = app.bean(Later.class);
			later.gate.release(10);
			awaitDone(later, "two");
			assertThat(later.tried.get(0).principal()).contains("alice");
			assertThat(later.tried.get(0).headers()).doesNotContainKey("authorization");
			awaitEmpty(app);
		}
	}

	@Test
	@DisplayName("restart, and two instances: the requests that one has enqueued another handles, in order")
	void anotherInstanceHandlesTheRemainingRequests() {
		String prefix = App.newPrefix();
		List<String> done = new ArrayList<>();
		Later laterOfOne;
		try (App one = App.start(prefix, BY_CLIENT, Orders.class, Later.class)) {
			// The first request that passes is slow, and may take longer than the window.
			one.get("/orders/read");
			order(one, "first");
			for (String body : List.of("a", "b")) {
				assertThat(order(one, body).statusCode()).isEqualTo(202);
			}
			laterOfOne = one.bean(Later.class);
			await().atMost(Patience.LONG).until(() -> !one.bean(Later.class).tried.isEmpty());
			// The instance stops while it handles the first request, which may finish.
			laterOfOne.gate.release();
		}
		done.addAll(laterOfOne.done);
		try (App other = App.start(prefix, BY_CLIENT, Orders.class, Later.class)) {
			Later later = other.bean(Later.class);
			later.gate.release(10);
			await().atMost(Patience.LONG.multipliedBy(2)).until(() -> later.done.contains("b"));
			awaitEmpty(other);
			done.addAll(later.done);
			assertThat(done).as("the first one perhaps by both instances").endsWith("b");
			assertThat(done.stream().distinct()).as("in order, and nothing is lost").containsExactly("a", "b");
		}
	}

	@Test
	@DisplayName("metrics and endpoint show the queue; an operator with the right to reset can retry a dead letter")
	void operatorsSeeTheQueueAndRetryDeadLetters() {
		String yaml = BY_CLIENT + """
				ratelimit.queue: {max-tries: 1}
				management.endpoint.ratelimits.access: unrestricted
				management.endpoint.health.show-details: always
				""";
		try (App app = App.start(yaml, Orders.class, Later.class)) {
			Later later = app.bean(Later.class);
			later.fails = (request) -> true;
			// The first request that passes is slow, and may take longer than the window.
			app.get("/orders/read");
			order(app, "one");
			HttpResponse<String> enqueued = order(app, "two");
			String id = enqueued.headers().firstValue("Location").orElseThrow().replaceAll(".*/", "");
			await().atMost(Patience.LONG)
				.untilAsserted(() -> assertThat(app.get("/actuator/ratelimits/orders").body())
					.contains("\"queue\":{\"queued\":1,\"dead\":0,"));
			later.gate.release();
			await().atMost(Patience.LONG)
				.untilAsserted(() -> assertThat(app.get("/actuator/ratelimits/orders").body()).contains(
						"\"queue\":{\"queued\":0,\"dead\":1,", "\"deadLetters\":[{\"id\":\"" + id,
						"\"reason\":\"failed\""));
			await().atMost(Patience.LONG)
				.until(() -> app.bean(MeterRegistry.class)
					.get("ratelimit.queue.items")
					.tag("state", "dead")
					.gauge()
					.value() == 1);
			assertThat(app.bean(MeterRegistry.class)
				.get("ratelimit.requests")
				.tags("rule", "orders", "outcome", "enqueued", "source", "store")
				.counter()
				.count()).isEqualTo(1);
			assertThat(app.bean(MeterRegistry.class).get("ratelimit.queue.age").timer().count()).isEqualTo(1);
			assertThat(app.get("/actuator/health/ratelimit").body()).doesNotContain("DOWN")
				.contains("\"deadLetters\":1");
			later.fails = (request) -> false;
			assertThat(app.send("POST", "/actuator/ratelimits/orders/" + "x".repeat(22)).statusCode()).isEqualTo(404);
			assertThat(app.send("POST", "/actuator/ratelimits/orders/" + id).statusCode()).isEqualTo(204);
			later.gate.release(10);
			awaitDone(later, "two");
			assertThat(later.tried).extracting(QueuedRequest::id).containsOnly(id);
			awaitEmpty(app);
		}
	}

	@Test
	@DisplayName("an application that is stopped handles nothing, and goes on when it is started again")
	void theQueueStopsAndStartsWithTheApplication() {
		try (App app = App.start(BY_CLIENT, Orders.class, Later.class)) {
			Later later = app.bean(Later.class);
			app.get("/orders/read");
			order(app, "one");
			assertThat(order(app, "two").statusCode()).isEqualTo(202);
			app.context().stop();
			later.gate.release(10);
			assertThat(app.bean(ItemQueue.class).statuses(List.of("orders"), 1, Duration.ofMillis(1)))
				.containsExactly(Optional.empty());
			app.context().start();
			awaitDone(later, "two");
			awaitEmpty(app);
		}
	}

	@Test
	@DisplayName("a rule that comes at run time enqueues, and has its meters and its states, until it goes")
	void aQueueComesAndGoesWithItsRule(@TempDir Path directory) throws IOException {
		Path rules = Files.writeString(directory.resolve("rules.yml"), "ratelimit.rules.other: {thresholds: 1/1h}");
		try (App app = App.start(
				SharedCluster.yaml() + "ratelimit.rule-source: {file: '%s', refresh: 100ms}".formatted(rules),
				Orders.class, Later.class)) {
			MeterRegistry meters = app.bean(MeterRegistry.class);
			assertThat(order(app, "before").statusCode()).isEqualTo(200);
			assertThat(meters.find("ratelimit.queue.items").gauges()).isEmpty();
			RuleFiles.replace(rules, rule("header:X-Client", "1h", "local"));
			await().atMost(Patience.LONG).until(() -> meters.find("ratelimit.queue.items").gauges().size() == 2);
			await().atMost(Patience.LONG).until(() -> order(app, "one").statusCode() == 202);
			HttpResponse<String> enqueued = order(app, "two");
			assertThat(app.get(KeptRequests.location(enqueued)).statusCode()).isEqualTo(200);
			RuleFiles.replace(rules, "ratelimit.rules.other: {thresholds: 1/1h}");
			await().atMost(Patience.LONG).until(() -> meters.find("ratelimit.queue.items").gauges().isEmpty());
			await().atMost(Patience.LONG).until(() -> app.get(KeptRequests.location(enqueued)).statusCode() == 404);
			assertThat(order(app, "after").statusCode()).isEqualTo(200);
			KeptRequests.emptyAll(app);
		}
	}

}
