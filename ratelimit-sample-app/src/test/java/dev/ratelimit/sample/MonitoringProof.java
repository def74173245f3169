package dev.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.web.key.KeyResolver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dashboard and alerts in {@code docs/monitoring} query meters that exist: a real
 * Prometheus scrapes the sample application and evaluates every query.
 */
@Tag("proof-monitoring")
class MonitoringProof {

	private static final Path MONITORING = Path.of("../docs/monitoring");

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** An alert is a query and a bound. */
	private static final Pattern ALERT = Pattern.compile("(.+) [<>] [0-9.]+");

	private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

	private static final Pattern METER = Pattern.compile("ratelimit_\\w+");

	private static RedisServer peer;

	private static SampleProcess application;

	private static Prometheus prometheus;

	/**
	 * With rules that are synced, leased, delay or name a bean, a file to read rules
	 * from, a histogram of decisions and another data centre, so that all meters exist.
	 */
	@BeforeAll
	static void start(@TempDir Path directory) throws Exception {
		Path rules = Files.writeString(directory.resolve("rules.yml"), """
				ratelimit.rules:
				  everywhere: {paths: /hello, scope: everywhere, algorithm: fixed-window, thresholds: 900/1m}
				  leased: {paths: /hello, mode: leased, thresholds: 900/1m}
				  synced: {paths: /hello, algorithm: fixed-window, mode: synced, thresholds: 900/1m}
				  by-bean: {paths: /hello, key: 'bean:everybody', thresholds: 900/1m}
				  delayed: {paths: /v2/product, algorithm: leaky-bucket, on-limit: delay, thresholds: 5/1s}
				""");
		peer = RedisServer.start();
		application = SampleProcess.start("--ratelimit.rule-source.file=" + rules,
				"--spring.main.sources=" + Keys.class.getName(),
				"--management.metrics.distribution.percentiles-histogram.ratelimit.decision=true",
				"--ratelimit.datacenter.name=here", "--ratelimit.datacenter.peers.there.host=" + peer.host(),
				"--ratelimit.datacenter.peers.there.port=" + peer.port());
		prometheus = Prometheus.start(application.port(), MONITORING.resolve("alerts.yml"), directory);
		HttpClient client = HttpClient.newHttpClient();
		// A rate needs two scrapes, and every kind of decision before the first of them.
		Awaitility.await().atMost(PATIENCE).until(() -> {
			for (String path : List.of("/hello", "/offers", "/v1/product", "/v2/product")) {
				client.send(HttpRequest.newBuilder(URI.create(application.url() + path)).build(),
						BodyHandlers.discarding());
			}
			return prometheus.isReady() && count("count_over_time(ratelimit_rules[5m])") >= 4;
		});
	}

	/** Without an annotation, so that no scan of the sample finds it. */
	static class Keys {

		@Bean
		KeyResolver everybody() {
			return (request) -> Optional.of("everybody");
		}

	}

	@AfterAll
	static void stop() {
		if (prometheus != null) {
			prometheus.close();
		}
		application.close();
		peer.close();
	}

	private static double count(String query) {
		JsonNode result = prometheus.query(query);
		return result.isEmpty() ? 0 : value(result.get(0));
	}

	private static double value(JsonNode series) {
		return Double.parseDouble(series.get("value").get(1).asString());
	}

	private static JsonNode dashboard() throws IOException {
		return JsonMapper.shared().readTree(Files.readString(MONITORING.resolve("dashboard.json")));
	}

	/**
	 * By the title of their panel, with values in place of the variables of Grafana.
	 */
	private static Map<String, List<String>> queries() throws IOException {
		Map<String, List<String>> queries = new LinkedHashMap<>();
		// Those of a collapsed row are in the row.
		for (JsonNode panel : dashboard().findParents("targets")) {
			List<String> ofPanel = new ArrayList<>();
			panel.get("targets")
				.forEach((target) -> ofPanel.add(target.get("expr")
					.asString()
					.replace("$__rate_interval", "1m")
					.replace("$job", "sample")
					.replace("$instance", ".*")
					.replace("$rule", ".*")));
			queries.put(panel.get("title").asString(), ofPanel);
		}
		return queries;
	}

	private static void assertHasResult(String what, String query) {
		assertThat(query).as(what).doesNotContain("$");
		JsonNode result = prometheus.query(query);
		assertThat(result.valueStream().map(MonitoringProof::value).filter(Double::isFinite)).as("%s: %s", what, query)
			.isNotEmpty();
	}

	@Test
	void everyQueryOfTheDashboardHasAResult() throws IOException {
		Map<String, List<String>> queries = queries();
		queries.forEach((panel, ofPanel) -> ofPanel.forEach((query) -> assertHasResult(panel, query)));
		System.out.printf("Monitoring: %d queries of %d panels answered%n",
				queries.values().stream().mapToInt(List::size).sum(), queries.size());
	}

	@Test
	void everyVariableOfTheDashboardHasValues() throws IOException {
		for (JsonNode variable : dashboard().at("/templating/list")) {
			Matcher values = LABEL_VALUES.matcher(variable.path("definition").asString(""));
			if (values.matches()) {
				assertHasResult(variable.get("name").asString(), "count by (%s) (%s)".formatted(values.group(2),
						values.group(1).replace("$job", ".*").replace("$instance", ".*")));
			}
		}
	}

	/** So that no new meter is forgotten. */
	@Test
	void everyMeterHasAPanel() throws IOException {
		TreeSet<String> shown = new TreeSet<>();
		queries().values()
			.forEach((ofPanel) -> ofPanel.forEach(
					(query) -> METER.matcher(query).results().forEach((meter) -> shown.add(family(meter.group())))));
		TreeSet<String> scraped = new TreeSet<>();
		prometheus.query("count by (__name__) ({__name__=~\"ratelimit_.+\"})")
			.forEach((series) -> scraped.add(family(series.at("/metric/__name__").asString())));
		System.out.println("Monitoring: meters shown: " + shown.size() + " of " + scraped.size());
		assertThat(shown).isEqualTo(scraped);
	}

	private static String family(String name) {
		return name.replaceAll("_(total|count|sum|max|bucket)$", "");
	}

	@Test
	void everyAlertIsEvaluatedAndItsQueryHasAResult() {
		JsonNode alerts = prometheus.rules();
		assertThat(alerts).isNotEmpty();
		for (JsonNode alert : alerts) {
			String name = alert.get("name").asString();
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(prometheus.rules()
					.valueStream()
					.filter((other) -> other.get("name").asString().equals(name))
					.map((other) -> other.get("health").asString())).containsExactly("ok"));
			Matcher query = ALERT.matcher(alert.get("query").asString());
			assertThat(query.matches()).as(name + " has a bound").isTrue();
			assertHasResult(name, query.group(1));
		}
		System.out.println("Monitoring: " + alerts.size() + " alerts answered");
	}

	@Test
	void alertsFireWhenTheyShouldAndOnlyThen() throws IOException {
		assertThat(Prometheus.promtool(MONITORING, "check", "rules", "alerts.yml")).contains("SUCCESS");
		assertThat(Prometheus.promtool(MONITORING, "test", "rules", "alerts.test.yml")).contains("SUCCESS");
		System.out.println("Monitoring: the alerts' own tests succeeded");
	}

}
