package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.actuate.descriptor.EnqueueDescriptor;
import dev.ratelimit.actuate.descriptor.RuleDescriptor;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata of the settings that an IDE reads.
 */
class ConfigurationMetadataTests {

	private static JSONObject metadata;

	@BeforeAll
	static void read() throws IOException {
		try (InputStream stream = ConfigurationMetadataTests.class
			.getResourceAsStream("/META-INF/additional-spring-configuration-metadata.json")) {
			metadata = new JSONObject(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
		}
	}

	@Test
	void rulesAndDefaultsHaveMetadata() {
		assertThat(names()).contains("ratelimit.rules", "ratelimit.defaults.key",
				"ratelimit.defaults.on-store-failure");
	}

	private static Stream<String> components(Class<?> type, String prefix) {
		return Arrays.stream(type.getRecordComponents())
			.map((component) -> prefix + DataObjectPropertyName.toDashedForm(component.getName()));
	}

	@Test
	void everyKeyOfARuleThatMayBeADefaultHasMetadata() {
		List<String> keys = Stream
			.concat(components(RuleDescriptor.class, ""), components(EnqueueDescriptor.class, "enqueue."))
			.filter((key) -> !key.equals("enqueue"))
			.filter((key) -> !List.of("id", "methods", "paths", "thresholds", "plans", "overrides").contains(key))
			.map("ratelimit.defaults."::concat)
			.toList();
		assertThat(names()).filteredOn((name) -> name.startsWith("ratelimit.defaults."))
			.containsExactlyInAnyOrderElementsOf(keys);
	}

	@Test
	void everyNameHasADescriptionAndATypeThatExists() throws ClassNotFoundException {
		JSONArray properties = metadata.getJSONArray("properties");
		for (int i = 0; i < properties.length(); i++) {
			JSONObject property = properties.getJSONObject(i);
			assertThat(property.getString("description")).endsWith(".");
			String type = property.getString("type");
			Class.forName((type.indexOf('<') < 0) ? type : type.substring(0, type.indexOf('<')));
		}
	}

	private static List<String> names() {
		List<String> names = new ArrayList<>();
		JSONArray properties = metadata.getJSONArray("properties");
		for (int i = 0; i < properties.length(); i++) {
			names.add(properties.getJSONObject(i).getString("name"));
		}
		return names;
	}

}
