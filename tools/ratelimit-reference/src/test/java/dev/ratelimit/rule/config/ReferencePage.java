package dev.ratelimit.rule.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleWarning;

/**
 * Writes the reference of all settings, from the catalogue of the keys of a rule and from
 * the metadata that editors read.
 */
final class ReferencePage {

	private static final String HEAD = """
			# Reference

			Every setting, generated from the code: do not edit this page, but the descriptions that it comes from, and write it anew with

			```shell
			./mvnw -pl tools/ratelimit-reference -am test -Dtest=ReferenceTests -Dsurefire.failIfNoSpecifiedTests=false -Dreference.write
			```

			[Rules](rules.md) explains the settings, with examples. Some need a module, which their description names.
			""";

	private static final String TABLE = "| %s | values | default | meaning |%n|---|---|---|---|%n";

	private static final String DEFAULTS = EditorMetadata.DEFAULTS;

	private final Map<String, Property> properties = new TreeMap<>();

	ReferencePage() {
		new EditorMetadata().entries()
			.forEach((name, entry) -> this.properties.put(name,
					Property.of(entry.type(), entry.standard(), entry.meaning(), entry.hints())));
	}

	/** What editors show for each name. */
	Map<String, Property> properties() {
		return this.properties;
	}

	String text() {
		StringBuilder page = new StringBuilder(HEAD);
		page.append("\n## `ratelimit.rules.<id>.*`\n\nThose marked * may stand under `ratelimit.defaults` too.\n\n");
		page.append(TABLE.formatted("key"));
		Modules.onClassPath().catalogue().options().stream().forEach((key) -> page.append(row(ruleKey(key), key(key))));
		page.append("\n### `thresholds[n].*`: the long form of a threshold\n\n").append(TABLE.formatted("key"));
		KnownNames.OF_THRESHOLDS.kinds()
			.keySet()
			.forEach((key) -> page.append(row("`" + key + "`", RuleOnlyKeys.of("thresholds." + key))));
		page.append("\n### `overrides[n].*`\n\n").append(TABLE.formatted("key"));
		KnownNames.OF_OVERRIDES.kinds()
			.keySet()
			.forEach((key) -> page.append(row("`" + key + "`", RuleOnlyKeys.of("overrides." + key))));
		page.append("\n## `ratelimit.clients.<name>.*`\n\n").append(TABLE.formatted("key"));
		chosen("clients").kinds()
			.keySet()
			.forEach((key) -> page.append(row("`" + key + "`", RuleOnlyKeys.of("clients." + key))));
		page.append(
				"\n## `ratelimit.datacenter.peers.<name>.*`\n\nThe Redis of another data centre, as under `spring.data.redis`.\n\n")
			.append(TABLE.formatted("key"));
		chosen("datacenter.peers").kinds()
			.keySet()
			.forEach((key) -> page.append(row("`" + key + "`", RuleOnlyKeys.of("peers." + key))));
		page.append("\n## `ratelimit.*`\n\n").append(TABLE.formatted("property"));
		append(page, (name) -> name.startsWith("ratelimit.") && !name.startsWith(DEFAULTS)
				&& !name.equals("ratelimit.rules"));
		page.append("\n## `management.*`\n\n").append(TABLE.formatted("property"));
		append(page, (name) -> name.startsWith("management."));
		return page.toString();
	}

	static KnownNames chosen(String place) {
		Modules modules = Modules.onClassPath();
		Map<String, Class<?>> settings = modules.settings(SettingTypes.of(RateLimitProperties.class));
		return Objects.requireNonNull(new SettingNames(modules, settings).chosen().get(place), place);
	}

	private void append(StringBuilder page, Predicate<String> names) {
		this.properties.forEach((name, property) -> {
			if (names.test(name)) {
				page.append(row("`" + name + "`", property));
			}
		});
	}

	private static String ruleKey(RuleOption key) {
		return "`" + key.text() + "`" + (key.isDefault() ? " *" : "");
	}

	private Property key(RuleOption key) {
		return key.isDefault() ? Objects.requireNonNull(this.properties.get(DEFAULTS + key.text()))
				: RuleOnlyKeys.of(key);
	}

	private static String row(String name, Property property) {
		return "| %s | %s | %s | %s |%n".formatted(name, property.values(),
				property.standard().isEmpty() ? "none" : "`" + property.standard() + "`", property.meaning());
	}

	/**
	 * One row.
	 *
	 * @param values what may be written
	 * @param standard the default; empty if there is none
	 * @param meaning what it does
	 */
	record Property(String values, String standard, String meaning) {

		static Property of(String type, String standard, String meaning, Collection<String> hints) {
			return new Property(values(type, hints), standard.replace('_', '-'), meaning);
		}

		private static String values(String type, Collection<String> hints) {
			String form = switch (type) {
				case "java.lang.Boolean" -> "`true`, `false`";
				case "java.lang.Integer" -> "a whole number";
				case "java.lang.String" -> "a text";
				case "java.time.Duration" -> "a duration, such as `500ms`";
				case "org.springframework.util.unit.DataSize" -> "a size, such as `256KB`";
				case "java.util.List<java.lang.String>", "java.util.Set<java.lang.String>" ->
					"a text or a list of texts";
				case "java.util.List<dev.ratelimit.rule.RuleWarning>" ->
					constants(RuleWarning.class.getName()) + ", or a list of these";
				case "java.util.Map<java.lang.String,dev.ratelimit.rule.config.RuleSettings>" ->
					"a map of ids to rules";
				case "java.util.Map<java.lang.String,dev.ratelimit.autoconfigure.RateLimitProperties$Client>",
						"java.util.Map<java.lang.String,dev.ratelimit.spi.RedisLocation>" ->
					"a map of names to the keys above";
				default -> constants(type);
			};
			return Stream.concat(hints.stream().map((hint) -> "`" + hint + "`"), Stream.of(form))
				.collect(Collectors.joining(", "));
		}

		private static String constants(String type) {
			try {
				return Arrays.stream(Class.forName(type).getEnumConstants())
					.map((constant) -> "`" + ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-')
							+ "`")
					.collect(Collectors.joining(", "));
			}
			catch (ClassNotFoundException ex) {
				throw new IllegalStateException("The metadata names no type: " + type, ex);
			}
		}

	}

}
