package dev.ratelimit.rule.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import dev.ratelimit.rule.RuleOption;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The metadata that editors read, with the defaults of rules as the catalogue has them.
 */
final class EditorMetadata {

	static final String DEFAULTS = "ratelimit.defaults.";

	private final Map<String, List<String>> hints = new LinkedHashMap<>();

	private final Map<String, Entry> entries = new TreeMap<>();

	private final Map<String, String> groups = new LinkedHashMap<>();

	EditorMetadata() {
		try {
			for (URL file : Collections
				.list(getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream stream = file.openStream()) {
					read(JsonMapper.shared().readTree(stream));
				}
			}
			Modules.onClassPath()
				.catalogue()
				.options()
				.stream()
				.filter(RuleOption::isDefault)
				.forEach((key) -> add(DEFAULTS + key.text(), DefaultsMetadata.type(key),
						DefaultsMetadata.standard(key).map(Object::toString).orElse(""), ModuleResource.meaning(key)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read(JsonNode metadata) {
		metadata.path("hints").forEach((hint) -> this.hints.putIfAbsent(hint.get("name").asString(), values(hint)));
		metadata.path("groups")
			.forEach((group) -> this.groups.put(group.get("name").asString(), group.path("description").asString("")));
		metadata.path("properties").valueStream().filter(EditorMetadata::isOurs).forEach((property) -> {
			JsonNode standard = property.get("defaultValue");
			String name = property.get("name").asString();
			if (!name.startsWith(DEFAULTS)) {
				add(name, property.get("type").asString(), (standard == null) ? "" : standard.asString(),
						ModuleResource.meaning(name, property.path("description").asString("")));
			}
		});
	}

	/** Boot and others document theirs. */
	private static boolean isOurs(JsonNode property) {
		return property.get("name").asString().contains("ratelimit");
	}

	private static List<String> values(JsonNode hint) {
		JsonNode values = hint.get("values");
		return (values == null) ? List.of()
				: values.valueStream().map((value) -> value.get("value").asString()).toList();
	}

	private void add(String name, String type, String standard, String meaning) {
		this.entries.put(name, new Entry(type, standard, meaning, this.hints.getOrDefault(name, List.of())));
	}

	/** The description of a name that has names below it. */
	String meaningOfGroup(String name) {
		return Objects.requireNonNull(this.groups.get(name));
	}

	/** All names, in alphabetical order. */
	Map<String, Entry> entries() {
		return this.entries;
	}

	/**
	 * What editors show for a name.
	 *
	 * @param type the full name of its type
	 * @param standard the default; empty if there is none
	 * @param meaning the description
	 * @param hints values to choose from; others are allowed
	 */
	record Entry(String type, String standard, String meaning, List<String> hints) {

		/** The default as a value of JSON; empty if there is none. */
		Optional<Object> standardValue() {
			return this.standard.isEmpty() ? Optional.empty() : Optional.of(switch (this.type) {
				case "java.lang.Boolean" -> Boolean.valueOf(this.standard);
				case "java.lang.Integer" -> Integer.valueOf(this.standard);
				default -> this.standard;
			});
		}

	}

}
