package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard has rows, a panel for each alert, and queries of the chosen instances.
 * The proof "monitoring" evaluates the queries.
 */
class DashboardTests {

	private static final Path MONITORING = Path.of("../docs/monitoring");

	private static final String CHOSEN = "job=~\"$job\", instance=~\"$instance\"";

	private static final Pattern ALERT = Pattern.compile("(.+) [<>] ([0-9.]+)");

	private static JsonNode dashboard() throws IOException {
		return JsonMapper.shared().readTree(Files.readString(MONITORING.resolve("dashboard.json")));
	}

	/**
	 * The titles of the panels by row. An open row is followed by its panels; a collapsed
	 * one contains them.
	 */
	private static Map<String, List<String>> rows() throws IOException {
		Map<String, List<String>> rows = new LinkedHashMap<>();
		List<String> current = new ArrayList<>();
		rows.put("without a row", current);
		for (JsonNode panel : dashboard().get("panels")) {
			if (panel.get("type").asString().equals("row")) {
				current = new ArrayList<>();
				rows.put(panel.get("title").asString(), current);
				List<String> contained = current;
				panel.get("panels").forEach((each) -> contained.add(each.get("title").asString()));
			}
			else {
				current.add(panel.get("title").asString());
			}
		}
		return rows;
	}

	@Test
	void everyPanelIsInARow() throws IOException {
		Map<String, List<String>> rows = rows();
		assertThat(rows.remove("without a row")).isEmpty();
		assertThat(rows).containsOnlyKeys("Overview", "Alerts", "Rules and refusals", "Store", "When the store fails",
				"Leases and synced limits", "Queues", "Data centres");
		assertThat(rows.values()).allSatisfy((panels) -> assertThat(panels).isNotEmpty());
		assertThat(dashboard().findValuesAsString("id")).doesNotHaveDuplicates();
	}

	@Test
	void everyQueryIsOfTheChosenInstances() throws IOException {
		assertThat(dashboard().findValuesAsString("expr")).isNotEmpty().allSatisfy((query) -> {
			assertThat(query.replaceAll("ratelimit_\\w+\\{" + Pattern.quote(CHOSEN) + "[,}]", ""))
				.doesNotContain("ratelimit_");
			assertThat(query).contains(CHOSEN);
		});
		JsonNode instance = dashboard().at("/templating/list")
			.valueStream()
			.filter((variable) -> variable.get("name").asString().equals("instance"))
			.findFirst()
			.orElseThrow();
		assertThat(instance.get("multi").asBoolean() && instance.get("includeAll").asBoolean()).isTrue();
		assertThat(instance.get("definition").asString())
			.isEqualTo("label_values(ratelimit_rules{job=~\"$job\"}, instance)");
	}

	@Test
	void everyAlertHasAPanelWithItsQueryAndItsBound() throws IOException {
		Map<String, JsonNode> panels = new LinkedHashMap<>();
		dashboard().findParents("targets").forEach((panel) -> panels.put(panel.get("title").asString(), panel));
		Map<String, String> alerts = alerts();
		Map<String, List<String>> rows = rows();
		List<String> named = Stream.of("Alerts", "Queues", "Data centres")
			.flatMap((row) -> rows.get(row).stream())
			.filter((title) -> title.startsWith("RateLimit"))
			.toList();
		assertThat(named).containsExactlyElementsOf(alerts.keySet());
		alerts.forEach((alert, expression) -> {
			Matcher parts = ALERT.matcher(expression);
			assertThat(parts.matches()).as(alert).isTrue();
			JsonNode panel = panels.get(alert);
			assertThat(panel.at("/targets/0/expr")
				.asString()
				.replaceAll(Pattern.quote(CHOSEN) + "(, )?", "")
				.replace("{}", "")).as(alert).isEqualTo(parts.group(1));
			assertThat(panel.at("/fieldConfig/defaults/thresholds/steps/1/value").asDouble()).as(alert)
				.isEqualTo(Double.parseDouble(parts.group(2)));
			assertThat(panel.at("/fieldConfig/defaults/custom/thresholdsStyle/mode").asString()).isEqualTo("line+area");
			assertThat(panel.get("description").asString()).contains(" " + parts.group(2));
		});
	}

	private static Map<String, String> alerts() throws IOException {
		Map<String, List<Map<String, List<Map<String, String>>>>> file = new Yaml()
			.load(Files.readString(MONITORING.resolve("alerts.yml")));
		Map<String, String> alerts = new LinkedHashMap<>();
		file.get("groups")
			.forEach((group) -> group.get("rules").forEach((rule) -> alerts.put(rule.get("alert"), rule.get("expr"))));
		return alerts;
	}

}
