package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.spi.RedisLocation;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
	void everyKeyOfARuleThatMayBeADefaultHasMetadata() {
		List<String> keys = new RuleCatalogue(List.of(), (value) -> Optional.empty()).options()
			.stream()
			.filter(RuleOption::isDefault)
			.map((key) -> "ratelimit.defaults." + key.text())
			.toList();
		assertThat(names()).filteredOn((name) -> name.startsWith("ratelimit.defaults."))
			.containsExactlyInAnyOrderElementsOf(keys);
	}

	/** Those of Boot are in a module that an application may not have. */
	@Test
	void everySettingThatLocatesRedisHasMetadata() {
		assertThat(names()).filteredOn((name) -> name.startsWith("spring."))
			.containsExactlyInAnyOrderElementsOf(names("spring.data.redis", RedisLocation.class));
	}

	private static List<String> names(String prefix, Class<?> type) {
		return Stream.of(type.getRecordComponents()).flatMap((component) -> {
			String name = prefix + "." + component.getName();
			return component.getType().isRecord() ? names(name, component.getType()).stream() : Stream.of(name);
		}).toList();
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

	@Test
	void everyValueThatIsOfferedHasADescription() {
		for (Object hint : metadata.getJSONArray("hints")) {
			for (Object value : ((JSONObject) hint).optJSONArray("values", new JSONArray())) {
				assertThat(((JSONObject) value).optString("description")).as(hint.toString()).matches("[A-Z].*\\.");
			}
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
