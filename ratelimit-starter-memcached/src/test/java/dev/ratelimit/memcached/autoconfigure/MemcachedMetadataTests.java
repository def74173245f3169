package dev.ratelimit.memcached.autoconfigure;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.config.SettingTypes;
import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.StreamUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata of the settings that an editor reads.
 */
class MemcachedMetadataTests {

	@Test
	void everyNameHasADescription() throws IOException {
		Map<String, String> descriptions = new LinkedHashMap<>();
		for (URL file : Collections
			.list(getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			String text = StreamUtils.copyToString(file.openStream(), StandardCharsets.UTF_8);
			for (Object property : (List<?>) JsonParserFactory.getJsonParser().parseMap(text).get("properties")) {
				Map<?, ?> values = (Map<?, ?>) property;
				descriptions.put(String.valueOf(values.get("name")), String.valueOf(values.get("description")));
			}
		}
		descriptions.keySet().removeIf((name) -> !name.startsWith("ratelimit.memcached."));
		assertThat(descriptions.keySet()).containsAll(SettingTypes.of(MemcachedProperties.class)
			.keySet()
			.stream()
			.map("ratelimit.memcached."::concat)
			.toList());
		assertThat(descriptions).allSatisfy((name, text) -> assertThat(text).as(name).matches("[A-Z].*\\."));
	}

}
