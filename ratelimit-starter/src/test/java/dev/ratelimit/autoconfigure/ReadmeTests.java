package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.actuate.descriptor.RuleDescriptor;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.source.EnvironmentRuleSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README's tables and samples of settings say what the code says.
 */
class ReadmeTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (?:`([^`]+)`|([^|]+)) \\|");

	private static final Pattern SAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

	private static final Path README = Path.of("../README.md");

	private static Map<String, String> table(String heading) throws IOException {
		String readme = Files.readString(README);
		int start = readme.indexOf(heading);
		assertThat(start).as(heading).isNotNegative();
		Matcher row = ROW.matcher(readme.substring(start, readme.indexOf("\n#", start + 1)));
		Map<String, String> rows = new TreeMap<>();
		while (row.find()) {
			rows.put(row.group(1), (row.group(2) != null) ? row.group(2) : row.group(3).strip());
		}
		return rows;
	}

	@Test
	void everyPropertyIsListedWithItsDefault() throws IOException {
		Map<String, String> expected = new TreeMap<>();
		try (InputStream metadata = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			for (JsonNode property : JsonMapper.shared().readTree(metadata).get("properties")) {
				String name = property.get("name").asString();
				if (name.startsWith("ratelimit.") && !name.startsWith("ratelimit.defaults.")
						&& !name.equals("ratelimit.rules")) {
					JsonNode defaultValue = property.get("defaultValue");
					expected.put(name, (defaultValue != null) ? defaultValue.asString() : "none");
				}
			}
		}
		expected.put("ratelimit.key-prefix", "rl:${spring.application.name}");
		assertThat(table("### Everything else: `ratelimit.*`")).isEqualTo(expected);
	}

	@Test
	void everyKeyOfARuleIsListedWithItsDefault() throws ReflectiveOperationException, IOException {
		Map<String, String> expected = new LinkedHashMap<>();
		List<String> absent = new ArrayList<>();
		for (Algorithm algorithm : Algorithm.values()) {
			// The log comes first: what it does not know is taken from an algorithm that
			// does.
			Object shown = shown(RLConfig.builder("any").algorithm(algorithm).thresholds("1/1s").build());
			for (var component : shown.getClass().getRecordComponents()) {
				Object value = component.getAccessor().invoke(shown);
				if (value != null) {
					expected.putIfAbsent(DataObjectPropertyName.toDashedForm(component.getName()), text(value));
				}
				else {
					absent.add(DataObjectPropertyName.toDashedForm(component.getName()));
				}
			}
		}
		absent.forEach((key) -> expected.putIfAbsent(key, "none"));
		expected.remove("id");
		expected.put("methods", "every method");
		expected.put("thresholds", "required");
		expected.put("lease-time", Mode.LEASED.timeText());
		expected.put("lease-size", Mode.LEASED.sizeText());
		expected.put("sync-interval", Mode.SYNCED.intervalText());
		expected.put("max-overshoot", Mode.SYNCED.maxOvershootText());
		expected.put("max-wait", OnLimit.DELAY.maxWaitText());
		expected.put("max-queue", Integer.toString(OnLimit.DELAY.maxQueue()));
		expected.remove("enqueue");
		expected.put("enqueue.headers", OnLimit.ENQUEUE.headers().get(0));
		expected.put("enqueue.max-body", OnLimit.ENQUEUE.maxBodyText());
		expected.put("enqueue.max-bytes", OnLimit.ENQUEUE.maxBytesText());
		expected.put("enqueue.max-total", Integer.toString(OnLimit.ENQUEUE.maxTotal()));
		expected.put("enqueue.max-age", "24h");
		assertThat(table("### Rules: `ratelimit.rules.<id>.*`")).isEqualTo(new TreeMap<>(expected));
	}

	@Test
	void everySampleOfRulesIsValid() throws IOException {
		Matcher sample = SAMPLE.matcher(Files.readString(README));
		List<String> rules = new ArrayList<>();
		while (sample.find()) {
			StandardEnvironment environment = new StandardEnvironment();
			new YamlPropertySourceLoader()
				.load("README.md", new ByteArrayResource(sample.group(1).getBytes(StandardCharsets.UTF_8)))
				.forEach(environment.getPropertySources()::addFirst);
			new EnvironmentRuleSource(environment, SettingTypes.of(RateLimitProperties.class)).load()
				.rules()
				.forEach((rule) -> rules.add(rule.id()));
		}
		assertThat(rules).containsExactly("get-product", "login", "api", "failed-payments", "payments", "new-accounts",
				"reports", "send-message", "login");
	}

	private static Object shown(RLConfig rule) {
		return RuleDescriptor.of(rule);
	}

	private static String text(Object value) {
		if (value instanceof Collection<?> values) {
			return values.isEmpty() ? "none" : values.iterator().next().toString();
		}
		return Map.of().equals(value) ? "none" : value.toString();
	}

}
