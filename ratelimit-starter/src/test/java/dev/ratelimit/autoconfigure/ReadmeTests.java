package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.actuate.RateLimitsEndpoint;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README's tables of settings say what the code says.
 */
class ReadmeTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (?:`([^`]+)`|([^|]+)) \\|");

	private static Map<String, String> table(String heading) throws IOException {
		String readme = Files.readString(Path.of("../README.md"));
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
		RLConfig rule = RLConfig.builder("any").thresholds("1/1s").build();
		Object shown = new RateLimitsEndpoint(new RuleSet(Arrays.asList(rule)), "memory", true).rules().rules().get(0);
		Map<String, String> expected = new LinkedHashMap<>();
		for (var component : shown.getClass().getRecordComponents()) {
			expected.put(DataObjectPropertyName.toDashedForm(component.getName()),
					text(component.getAccessor().invoke(shown)));
		}
		expected.remove("id");
		expected.put("methods", "every method");
		expected.put("thresholds", "required");
		assertThat(table("### Rules: `ratelimit.rules.<id>.*`")).isEqualTo(new TreeMap<>(expected));
	}

	private static String text(Object value) {
		if (value instanceof Collection<?> values) {
			return values.isEmpty() ? "none" : values.iterator().next().toString();
		}
		return value.toString();
	}

}
