package dev.ratelimit.integration.operations;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clients with the most requests, over HTTP.
 */
@ExtendWith(SharedCluster.class)
class InsightEndpointTests {

	private static final String ENDPOINT = "/actuator/ratelimits";

	/** Each test has paths of its own. */
	private static final String RULES = """
			ratelimit.deny-cache: 0
			ratelimit.rules:
			  ranked: {paths: /product/ranked, key: 'header:X-Client', thresholds: 10/1h}
			  live: {paths: /product/tried, key: 'header:X-Client', thresholds: 10/1h}
			  shaded: {paths: /product/tried, key: 'header:X-Client', thresholds: 10/1h, shadow: true}
			  bounded: {paths: /product/bounded, key: 'header:X-Client', thresholds: 10/1h}
			  addresses: {paths: /open, key: ip, thresholds: 2/1h}
			  off: {enabled: false, paths: /nowhere, thresholds: 2/1h}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + RULES);
	}

	private static JsonNode json(String path) {
		return JsonMapper.shared().readTree(app.get(ENDPOINT + path).body());
	}

	private static void acquire(String path, String client, int requests) {
		for (int i = 0; i < requests; i++) {
			app.get(path, "X-Client", client);
		}
	}

	@Test
	void theHeaviestClientsAreReportedInOneCallAndWithoutTheirNames() {
		acquire("/product/ranked", "light", 2);
		acquire("/product/ranked", "heavy", 15);
		String body = app.get(ENDPOINT + "/ranked").body();
		JsonNode clients = JsonMapper.shared().readTree(body).get("heaviestClients");
		assertThat(clients).hasSize(2);
		assertThat(clients.get(0).get("requests").asLong()).isEqualTo(15);
		assertThat(clients.get(0).get("refused").asLong()).isEqualTo(5);
		assertThat(clients.get(0).get("overcountAtMost").asLong()).isZero();
		assertThat(clients.get(1).get("requests").asLong()).isEqualTo(2);
		assertThat(body).doesNotContain("heavy\"").doesNotContain("light\"");
		String hash = clients.get(0).get("client").asString();
		assertThat(json("/ranked/" + hash).get("windows").get(0).get("used").asLong())
			.as("the hash leads to the windows of the client")
			.isEqualTo(10);
	}

	@Test
	void anAddressIsAHashThatLeadsToItsWindows() {
		app.get("/open");
		String body = app.get(ENDPOINT + "/addresses").body();
		assertThat(body).doesNotContain("127.0.0.1");
		String hash = json("/addresses").get("heaviestClients").get(0).get("client").asString();
		assertThat(json("/addresses/" + hash).get("windows").get(0).get("used").asLong()).isEqualTo(1);
	}

	@Test
	void aRuleInShadowReportsItsClientsToo() {
		acquire("/product/tried", "near", 8);
		acquire("/product/tried", "heavy", 15);
		for (String rule : List.of("live", "shaded")) {
			assertThat(json("/" + rule).get("heaviestClients")).as(rule)
				.extracting((client) -> client.get("refused").asLong())
				.containsExactly(5L, 0L);
		}
	}

	@Test
	void aDisabledRuleHasNoClients() {
		assertThat(json("/off").has("heaviestClients")).isFalse();
	}

	@Test
	void theListIsBoundedUnderRequestsOfManyThreadsAndClients() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			for (Future<?> done : IntStream.range(0, 1000)
				.mapToObj((i) -> threads
					.submit(() -> acquire("/product/bounded", (i % 4 == 0) ? "heavy" : "client" + i, 1)))
				.toList()) {
				done.get();
			}
		}
		finally {
			threads.shutdown();
		}
		JsonNode bounded = json("/bounded");
		assertThat(bounded.get("heaviestClients")).hasSize(20);
		assertThat(bounded.get("heaviestClients").get(0).get("requests").asLong()).isEqualTo(250);
	}

}
