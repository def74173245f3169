package dev.ratelimit.rule.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;

import org.springframework.util.StringUtils;

/**
 * Writes {@link RuleSettings}, from the catalogue of the keys of a rule.
 */
final class RuleSettingsSource {

	static final Path FILE = Path
		.of("../../ratelimit-starter/src/main/java/dev/ratelimit/rule/config/RuleSettings.java");

	private static final String HEAD = """
			/**
			 * The keys of a rule, for editors only: below {@code ratelimit.rules.<id>} they look up
			 * names, values and descriptions in the type that the metadata states. No code uses it,
			 * and nothing can be bound to it. {@code ReferenceTests} writes it from the catalogue.
			 */
			abstract class RuleSettings {
			""";

	private static final Map<String, String> GROUPS = Map.of("enqueue",
			"What is stored, in rules with on-limit enqueue.", "refusal", "Response to a request above the limit.");

	private static final Pattern TYPE = Pattern.compile("((?:[a-z]+\\.)+)([A-Z]\\w*)");

	/** The widest line of a comment. */
	private static final int WIDTH = 90;

	private final Collection<String> imports = new TreeSet<>(
			Comparator.comparingInt(RuleSettingsSource::group).thenComparing(Comparator.naturalOrder()));

	private RuleSettingsSource() {
	}

	/** The file as it should be. */
	static String text() {
		return new RuleSettingsSource().file();
	}

	private String file() {
		StringBuilder body = new StringBuilder(HEAD);
		Map<String, Map<String, RuleOption>> groups = new LinkedHashMap<>();
		Modules.onClassPath().catalogue().options().stream().forEach((key) -> {
			int dot = key.text().indexOf('.');
			if (dot > 0) {
				groups.computeIfAbsent(key.text().substring(0, dot), (name) -> new LinkedHashMap<>())
					.put(key.text().substring(dot + 1), key);
			}
			else {
				body.append(property("\t", key.text(), type(key), ModuleResource.meaning(key)));
			}
		});
		groups.keySet()
			.forEach((group) -> body
				.append(property("\t", group, groupType(group), Objects.requireNonNull(GROUPS.get(group), group))));
		body.append(
				type("A threshold in its long form.", "ThresholdSettings", KnownNames.OF_THRESHOLDS.kinds().keySet(),
						(name) -> name.equals("window") ? String.class.getName() : Long.class.getName(),
						(name) -> RuleOnlyKeys.of("thresholds." + name).meaning()));
		body.append(type("What a single customer gets.", "OverrideSettings", KnownNames.OF_OVERRIDES.kinds().keySet(),
				(name) -> name.equals("key") ? "java.util.List<java.lang.String>" : "java.util.List<ThresholdSettings>",
				(name) -> RuleOnlyKeys.of("overrides." + name).meaning()));
		groups.forEach((group, keys) -> body
			.append(type(Objects.requireNonNull(GROUPS.get(group), group), groupType(group), keys.keySet(),
					(name) -> type(keys.get(name)), (name) -> ModuleResource.meaning(keys.get(name)))));
		Stream.of(RuleKey.SCOPE, RuleKey.ON_LIMIT).forEach((key) -> body.append(choice(key)));
		StringBuilder file = new StringBuilder("package dev.ratelimit.rule.config;\n");
		int group = -1;
		for (String name : this.imports) {
			file.append((group(name) == group) ? "" : "\n").append("import ").append(name).append(";\n");

			group = group(name);
		}
		return file.append('\n').append(body).append("\n}\n").toString();
	}

	/** The name of the type of an open key. */
	static String choiceType(RuleKey key) {
		return Stream.of(key.text().split("-")).map(StringUtils::capitalize).collect(Collectors.joining()) + "Value";
	}

	/** The values of an open key, which editors offer. */
	private static String choice(RuleKey key) {
		return "\n\t/** Values of " + key.text() + ". */\n\tenum " + choiceType(key) + " {\n\n\t\t"
				+ Modules.onClassPath()
					.catalogue()
					.choices(key)
					.map((choice) -> choice.text().replace('-', '_').toUpperCase(Locale.ROOT))
					.collect(Collectors.joining(",\n\n\t\t"))
				+ "\n\n\t}\n";
	}

	private static String groupType(String group) {
		return StringUtils.capitalize(group) + "Settings";
	}

	/** The JDK, other types, Spring. */
	private static int group(String name) {
		return name.startsWith("java.") ? 0 : name.startsWith("org.springframework.") ? 2 : 1;
	}

	private static String type(RuleOption key) {
		return switch (key.kind()) {
			case THRESHOLDS -> "java.util.List<ThresholdSettings>";
			case PLANS -> "java.util.Map<java.lang.String, java.util.List<ThresholdSettings>>";
			case OVERRIDES -> "java.util.List<OverrideSettings>";
			// A nested type has no import.
			default -> DefaultsMetadata.type(key).replace(RuleSettings.class.getName() + "$", "");
		};
	}

	private String type(String comment, String name, Collection<String> keys, Function<String, String> types,
			Function<String, String> meanings) {
		return "\n\t/** " + comment + " */\n\tabstract static class " + name + " {\n"
				+ keys.stream()
					.map((key) -> property("\t\t", key, types.apply(key), meanings.apply(key)))
					.collect(Collectors.joining())
				+ "\n\t}\n";
	}

	/** Editors find names by getters or by setters, and describe them by either. */
	private String property(String indent, String key, String fullType, String meaning) {
		String type = imported(fullType);
		String name = Stream.of(key.split("-")).map(StringUtils::capitalize).collect(Collectors.joining());
		String comment = "\n" + comment(indent, meaning) + indent + "public abstract ";
		return comment + type + " get" + name + "();\n" + comment + "void set" + name + "(" + type + " "
				+ StringUtils.uncapitalize(name) + ");\n";
	}

	private String imported(String fullType) {
		Matcher types = TYPE.matcher(fullType);
		types.results()
			.map((type) -> type.group())
			.filter((type) -> !type.startsWith("java.lang."))
			.forEach(this.imports::add);
		return types.replaceAll("$2").replace('$', '.');
	}

	private static String comment(String indent, String meaning) {
		if (4 * indent.length() + meaning.length() + "/**  */".length() <= WIDTH) {
			return indent + "/** " + meaning + " */\n";
		}
		StringBuilder comment = new StringBuilder(indent + "/**\n" + indent + " *");
		int column = 4 * indent.length() + 2;
		for (String word : List.of(meaning.split(" "))) {
			if (column + 1 + word.length() > WIDTH) {
				comment.append('\n').append(indent).append(" *");
				column = 4 * indent.length() + 2;
			}
			comment.append(' ').append(word);
			column += 1 + word.length();
		}
		return comment + "\n" + indent + " */\n";
	}

}
