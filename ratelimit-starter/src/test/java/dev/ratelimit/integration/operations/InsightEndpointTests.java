package dev.ratelimit.integration.operations;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.limiter.insight.Insights;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clients with the most requests, and whether the limits are right, over HTTP.
 */
@ExtendWith(SharedCluster.class)
class InsightEndpointTests {

	private static final String ENDPOINT = "/actuator/ratelimits";

	private static final String RULES = """
			ratelimit.deny-cache: 0
			ratelimit.rules:
			  live: {paths: '/product/*', key: 'header:X-Client', thresholds: 10/1h}
			  shaded: {paths: '/product/*', key: 'header:X-Client', thresholds: 10/1h, shadow: true}
			  addresses: {paths: /open, key: ip, thresholds: 2/1h}
			  outcomes: {paths: /v1/product, key: ip, count-on: failure, thresholds: 2/1h}
			  off: {enabled: false, paths: /nowhere, thresholds: 2/1h}
			""";

	private static JsonNode json(App app, String path) {
		return JsonMapper.shared().readTree(app.get(ENDPOINT + path).body());
	}

	private static void acquire(App app, String client, int requests) {
		for (int i = 0; i < requests; i++) {
			app.get("/product/1", "X-Client", client);
		}
	}

	@Test
	void theHeaviestClientsAreReportedInOneCallAndWithoutTheirNames() {
		try (App app = App.start(SharedCluster.yaml() + RULES)) {
			acquire(app, "light", 2);
			acquire(app, "heavy", 15);
			String body = app.get(ENDPOINT + "/live").body();
			JsonNode clients = JsonMapper.shared().readTree(body).get("heaviestClients");
			assertThat(clients).hasSize(2);
			assertThat(clients.get(0).get("requests").asLong()).isEqualTo(15);
			assertThat(clients.get(0).get("refused").asLong()).isEqualTo(5);
			assertThat(clients.get(0).get("overcountAtMost").asLong()).isZero();
			assertThat(clients.get(1).get("requests").asLong()).isEqualTo(2);
			assertThat(body).doesNotContain("heavy\"").doesNotContain("light\"");
			String hash = clients.get(0).get("client").asString();
			assertThat(json(app, "/live/" + hash).get("windows").get(0).get("used").asLong())
				.as("the hash leads to the windows of the client")
				.isEqualTo(10);
		}
	}

	@Test
	void anAddressIsAHashThatLeadsToItsWindowsUnlessValuesAreShown() {
		try (App app = App.start(SharedCluster.yaml() + RULES)) {
			app.get("/open");
			String body = app.get(ENDPOINT + "/addresses").body();
			assertThat(body).doesNotContain("127.0.0.1");
			String hash = json(app, "/addresses").get("heaviestClients").get(0).get("client").asString();
			assertThat(json(app, "/addresses/" + hash).get("windows").get(0).get("used").asLong()).isEqualTo(1);
		}
		try (App app = App
			.start(SharedCluster.yaml() + RULES + "management.endpoint.ratelimits.show-values: always\n")) {
			app.get("/open");
			assertThat(json(app, "/addresses").get("heaviestClients").get(0).get("address").asString())
				.isEqualTo("127.0.0.1");
		}
	}

	@Test
	@DisplayName("3.25 The endpoint reports what half the limit and twice the limit would have refused")
	void halfTheLimitAndTwiceTheLimitAreTriedForLiveRulesAndThoseInShadow() {
		try (App app = App.start(SharedCluster.yaml() + RULES)) {
			acquire(app, "light", 2);
			acquire(app, "near", 8);
			acquire(app, "heavy", 15);
			for (String rule : List.of("live", "shaded")) {
				JsonNode evidence = json(app, "/" + rule).get("evidence");
				assertThat(evidence.get("clients").asLong()).isEqualTo(3);
				assertThat(evidence.get("clientsNearLimit").asLong()).isEqualTo(2);
				assertThat(evidence.get("clientsSampled").asLong()).isEqualTo(3);
			}
			JsonNode evidence = json(app, "/live").get("evidence");
			assertThat(evidence.get("requests").asLong()).isEqualTo(25);
			assertThat(evidence.get("refusedShare").asDouble()).isEqualTo(0.2);
			assertThat(evidence.get("trials")).extracting(JsonNode::toString)
				.containsExactly("{\"factor\":0.5,\"refusedShare\":0.52,\"refusedClients\":2}",
						"{\"factor\":1.0,\"refusedShare\":0.2,\"refusedClients\":1}",
						"{\"factor\":2.0,\"refusedShare\":0.0,\"refusedClients\":0}");
		}
	}

	@Test
	void aRuleThatCountsOutcomesHasNoTrialsAndADisabledRuleHasNoEvidence() {
		try (App app = App.start(SharedCluster.yaml() + RULES)) {
			app.get("/v1/product");
			assertThat(json(app, "/outcomes").get("evidence").get("trials")).isEmpty();
			assertThat(json(app, "/outcomes").get("evidence").get("clients").asLong()).isEqualTo(1);
			assertThat(json(app, "/off").has("evidence")).isFalse();
			assertThat(json(app, "/off").has("heaviestClients")).isFalse();
		}
	}

	@Test
	void theListIsBoundedUnderRequestsOfManyThreadsAndClients() throws Exception {
		try (App app = App.start("ratelimit.store: memory\n" + RULES)) {
			ExecutorService threads = Executors.newFixedThreadPool(4);
			try {
				for (Future<?> done : IntStream.range(0, 1000)
					.mapToObj((i) -> threads.submit(() -> acquire(app, (i % 4 == 0) ? "heavy" : "client" + i, 1)))
					.toList()) {
					done.get();
				}
			}
			finally {
				threads.shutdown();
			}
			JsonNode live = json(app, "/live");
			assertThat(live.get("heaviestClients")).hasSize(20);
			assertThat(live.get("heaviestClients").get(0).get("requests").asLong()).isEqualTo(250);
			assertThat(live.get("evidence").get("requests").asLong()).isEqualTo(1000);
			assertThat(live.get("evidence").get("clientsSampled").asLong()).isLessThanOrEqualTo(256);
		}
	}

	@Test
	void withoutAccessToTheEndpointNothingIsRecorded() {
		try (App app = App.start("ratelimit.store: memory\nmanagement.endpoint.ratelimits.access: none\n" + RULES)) {
			assertThat(app.context().getBeansOfType(Insights.class)).isEmpty();
		}
	}

}
