package dev.ratelimit.rule.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.ValueKind;
import dev.ratelimit.rule.config.EditorMetadata.Entry;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.json.JsonMapper;

import static dev.ratelimit.rule.config.SchemaValue.anyOf;
import static dev.ratelimit.rule.config.SchemaValue.array;
import static dev.ratelimit.rule.config.SchemaValue.inOrder;

/**
 * Writes the JSON Schemas for editors, from the catalogue of the keys of a rule and from
 * the metadata of the other settings. They are of draft 7, the newest that the language
 * server of most editors supports.
 */
final class EditorSchema {

	static final Path RULES = Path.of("../../docs/schema/ratelimit-rules.json");

	static final Path APPLICATION = Path.of("../../docs/schema/application.json");

	private static final String PREFIX = "ratelimit.";

	private static final String NAME = "[a-z0-9][a-z0-9-]{0,63}";

	/** In place of thresholds. */
	private static final List<String> WORDS = Stream.of(Allowance.UNLIMITED, Allowance.BLOCKED)
		.map(Allowance::toString)
		.toList();

	private final EditorMetadata metadata = new EditorMetadata();

	/** The schema of a file that {@code ratelimit.rule-source.file} names. */
	String ofRules() {
		return json("A file of rules of ratelimit-starter",
				required(object(Map.of("ratelimit", required(object(Map.of("rules", rules())), "rules"))), "ratelimit"),
				required(object(keys((key) -> true)), "thresholds"));
	}

	/** The schema of {@code ratelimit} in {@code application.yml}. */
	String ofApplication() {
		Map<String, Map<String, Object>> settings = new LinkedHashMap<>();
		settings.put("rules", rules());
		settings.put("defaults",
				described(this.metadata.meaningOfGroup("ratelimit.defaults"), object(keys(RuleOption::isDefault))));
		this.metadata.entries().forEach((name, entry) -> {
			if (name.matches("ratelimit\\.(?!rules$|defaults\\.).*")) {
				settings.put(name.substring(PREFIX.length()), described(entry, setting(name, entry)));
			}
		});
		settings.put("memcached", described("Settings of ratelimit-starter-memcached.", inOrder("type", "object")));
		Map<String, Object> ratelimit = object(settings);
		ratelimit.put("patternProperties", inOrder("^rules\\." + NAME + "$", reference("rule"), "\\.", true));
		return json("The settings of ratelimit-starter in application.yml",
				inOrder("type", "object", "properties", Map.of("ratelimit", ratelimit), "patternProperties",
						Map.of("^ratelimit\\.rules\\." + NAME + "$", reference("rule"))),
				object(keys((key) -> true)));
	}

	private static String json(String title, Map<String, Object> file, Map<String, Object> rule) {
		Map<String, Object> schema = inOrder("$schema", "http://json-schema.org/draft-07/schema#", "title", title);
		schema.putAll(file);
		Map<String, Object> longForm = required(object(parts("thresholds", KnownNames.OF_THRESHOLDS.kinds())),
				"threshold", "window");
		Map<String, Object> definitions = new LinkedHashMap<>();
		definitions.put("rule", rule);
		definitions.put("thresholds",
				anyOf(Stream.of(SchemaValue.THRESHOLD.separated(), array(reference("threshold")))));
		definitions.put("threshold", anyOf(Stream.of(SchemaValue.THRESHOLD.one(), longForm)));
		definitions.put("allowance", anyOf(Stream.of(Map.of("enum", WORDS), reference("thresholds"))));
		definitions.put("override",
				required(object(parts("overrides", KnownNames.OF_OVERRIDES.kinds())), "key", "thresholds"));
		schema.put("definitions", definitions);
		PrettyPrinter printer = new DefaultPrettyPrinter(
				Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER))
			.withObjectIndenter(new DefaultIndenter("  ", "\n"));
		return JsonMapper.shared().writer().with(printer).writeValueAsString(schema) + "\n";
	}

	private Map<String, Object> rules() {
		return described(Objects.requireNonNull(this.metadata.entries().get(PREFIX + "rules")),
				named(List.of("explain", "queue"), reference("rule")));
	}

	private Map<String, Map<String, Object>> keys(Predicate<RuleOption> which) {
		Map<String, Map<String, Object>> keys = new LinkedHashMap<>();
		Modules.onClassPath().catalogue().options().stream().filter(which).forEach((key) -> {
			Entry entry = this.metadata.entries()
				.getOrDefault(EditorMetadata.DEFAULTS + key.text(), new Entry("", "", key.meaning(), List.of()));
			keys.put(key.text(), described(entry, switch (key.kind()) {
				case THRESHOLDS -> inOrder("allOf", List.of(reference("thresholds")));
				case PLANS -> named(List.of("true", "false", "0"), reference("allowance"));
				case OVERRIDES -> array(reference("override"));
				default -> value(SchemaValue.of(key).offering(entry.hints()), key.kind());
			}));
		});
		return keys;
	}

	private Map<String, Object> setting(String name, Entry entry) {
		return switch (name) {
			case "ratelimit.clients" -> mapOf(object(parts("clients", ReferencePage.chosen("clients").kinds())));
			case "ratelimit.datacenter.peers" ->
				mapOf(object(parts("peers", ReferencePage.chosen("datacenter.peers").kinds())));
			default -> value(SchemaValue.of(entry.type()).offering(entry.hints()),
					entry.type().matches("java.util.(List|Set).*") ? ValueKind.LIST : ValueKind.TEXT);
		};
	}

	/** Keys below a name that the user chooses. */
	private static Map<String, Map<String, Object>> parts(String parent, Map<String, ValueKind> kinds) {
		Map<String, Map<String, Object>> parts = new LinkedHashMap<>();
		kinds.forEach((name, kind) -> {
			Map<String, Object> part = switch (parent + "." + name) {
				case "thresholds.threshold", "thresholds.burst" -> SchemaValue.COUNT.one();
				case "thresholds.window" -> SchemaValue.WINDOW.one();
				case "overrides.thresholds" -> inOrder("allOf", List.of(reference("allowance")));
				default -> value((kind == ValueKind.NUMBER) ? SchemaValue.INTEGER : SchemaValue.ANY, kind);
			};
			parts.put(name, described(RuleOnlyKeys.of(parent + "." + name).meaning(), part));
		});
		return parts;
	}

	private static Map<String, Object> value(SchemaValue value, ValueKind kind) {
		return (kind == ValueKind.LIST) ? value.many() : value.one();
	}

	/** A map of ids of rules, or of names of plans. */
	private static Map<String, Object> named(List<String> reserved, Map<String, Object> values) {
		Map<String, Object> map = inOrder("type", "object", "minProperties", 1, "propertyNames",
				inOrder("pattern", "^" + NAME + "$", "not", Map.of("enum", reserved)));
		map.putAll(mapOf(values));
		return map;
	}

	private static Map<String, Object> mapOf(Map<String, Object> values) {
		return inOrder("type", "object", "additionalProperties", values);
	}

	/** A map of fixed names; those with dots may be written with dots or as maps. */
	@SuppressWarnings("unchecked")
	private static Map<String, Object> object(Map<String, Map<String, Object>> values) {
		Map<String, Object> properties = new LinkedHashMap<>();
		Map<String, Object> dotted = new LinkedHashMap<>();
		values.forEach((name, value) -> {
			Map<String, Object> parent = properties;
			String[] elements = name.split("\\.", -1);
			for (int i = 0; i < elements.length - 1; i++) {
				Map<String, Object> child = (Map<String, Object>) parent.computeIfAbsent(elements[i],
						(element) -> fixed(new LinkedHashMap<>()));
				parent = (Map<String, Object>) Objects.requireNonNull(child.get("properties"));
			}
			parent.put(elements[elements.length - 1], value);
			if (elements.length > 1) {
				dotted.put("^" + name.replace(".", "\\.") + "$", value);
			}
		});
		Map<String, Object> object = fixed(properties);
		if (!dotted.isEmpty()) {
			object.put("patternProperties", dotted);
		}
		return object;
	}

	private static Map<String, Object> fixed(Map<String, Object> properties) {
		return inOrder("type", "object", "properties", properties, "additionalProperties", false);
	}

	private static Map<String, Object> required(Map<String, Object> object, String... names) {
		object.put("required", List.of(names));
		return object;
	}

	private static Map<String, Object> reference(String definition) {
		return inOrder("$ref", "#/definitions/" + definition);
	}

	private static Map<String, Object> described(Entry entry, Map<String, Object> value) {
		Map<String, Object> described = described(entry.meaning(), value);
		entry.standardValue().ifPresent((standard) -> described.put("default", standard));
		return described;
	}

	private static Map<String, Object> described(String meaning, Map<String, Object> value) {
		Map<String, Object> described = inOrder("description", meaning);
		described.putAll(value);
		return described;
	}

}
