package dev.ratelimit.rule.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleOption;

import org.springframework.http.HttpMethod;

/**
 * The form of a value in a JSON Schema. A placeholder may stand in place of every value.
 *
 * @param words values that editors offer
 * @param pattern the form of other values, if they are texts
 * @param other the type of a value that is no text, with its limits; empty if each is one
 */
record SchemaValue(List<String> words, String pattern, Map<String, ?> other) {

	/** Any value that is not empty. */
	static final SchemaValue ANY = new SchemaValue(List.of(), "[\\s\\S]+",
			Map.of("type", List.of("number", "boolean")));

	static final SchemaValue INTEGER = new SchemaValue(List.of(), "0|-?[1-9][0-9]*", Map.of("type", "integer"));

	static final SchemaValue COUNT = count(RLThreshold.MAX_THRESHOLD);

	private static final String DURATION = "([1-9][0-9]*)?(ms|s|m|h|d)|second|minute|hour|day";

	static final SchemaValue WINDOW = text(DURATION);

	static final SchemaValue THRESHOLD = text("[1-9][0-9]{0,14}/(" + DURATION + ")");

	/**
	 * Segments without blanks, escapes, queries, unbalanced braces and regular
	 * expressions.
	 */
	private static final SchemaValue PATH = text(
			"(/(?!/)(?![^{/,]*\\.[*+])([^\\s\\u00a0\\u200b/{},?%;^$()|\\\\\\[\\]]|\\{([^{}]|\\{[^{}]*\\})*\\})*)+");

	private static final String TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

	private static final String NAME = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}";

	private static final SchemaValue BOOLEAN = new SchemaValue(List.of(), "true|false|on|off|yes|no",
			Map.of("type", "boolean"));

	/** The value of a key of a rule, or an element of it. */
	static SchemaValue of(RuleOption key) {
		return switch (key.text()) {
			case "methods" -> new SchemaValue(Stream.of(HttpMethod.values()).map(HttpMethod::name).toList(),
					"(?!\\*(\\s|,|$))" + TOKEN, Map.of());
			case "paths" -> PATH;
			case "key" -> text(source("") + "|#[A-Za-z_$][^,]*");
			case "plan-key" -> text(source("ip|global|arg"));
			case "lease-time" -> WINDOW;
			case "lease-size" -> COUNT;
			case "max-overshoot" -> text("(100|[1-9][0-9]?)%");
			case "guaranteed-share", "pool-overshoot" -> text("(100|[1-9]?[0-9])%");
			case "cost" -> new SchemaValue(List.of(), COUNT.pattern + "|bean:\\S(.*\\S)?", COUNT.other);
			case "count-on" -> new SchemaValue(List.of(), "[1-5](xx|[0-9]{2})",
					inOrder("type", "integer", "minimum", 100, "maximum", 599));
			case "when" -> text("(?!bean:\\s*$)\\s*\\S[\\s\\S]*");
			case "enqueue.headers" -> text(TOKEN);
			case "refusal.status" ->
				new SchemaValue(List.of(), "[45][0-9]{2}", inOrder("type", "integer", "minimum", 400, "maximum", 599));
			case "refusal.content-type" -> text(NAME + "/" + NAME + "( *; *charset=[uU][tT][fF]-8)?");
			default -> switch (DefaultsMetadata.type(key)) {
				case "java.lang.Integer" -> count(OnLimit.MAX_QUEUE);
				case "java.time.Duration" -> WINDOW;
				case "org.springframework.util.unit.DataSize" -> text("(0|[1-9][0-9]{0,8})(B|KB|MB|GB)");
				default -> of(DefaultsMetadata.type(key));
			};
		};
	}

	/**
	 * The value of a setting of a type, or an element of it, as Spring Boot converts it.
	 */
	static SchemaValue of(String type) {
		return switch (type) {
			case "java.lang.Boolean" -> BOOLEAN;
			case "java.lang.Integer" -> INTEGER;
			case "java.lang.String", "java.util.List<java.lang.String>" -> ANY;
			case "java.time.Duration" ->
				new SchemaValue(List.of(), "[0-9]+(ns|us|ms|s|m|h|d)?|P.+", inOrder("type", "integer", "minimum", 0));
			case "org.springframework.util.unit.DataSize" ->
				new SchemaValue(List.of(), "[0-9]+(B|KB|MB|GB|TB)?", inOrder("type", "integer", "minimum", 0));
			default -> constants(type.replaceAll("java.util.List<(.*)>", "$1"));
		};
	}

	private static SchemaValue constants(String type) {
		try {
			return new SchemaValue(Arrays.stream(Class.forName(type).getEnumConstants())
				.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.toList(), "", Map.of());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("The metadata names no type: " + type, ex);
		}
	}

	private static SchemaValue text(String pattern) {
		return new SchemaValue(List.of(), pattern, Map.of());
	}

	private static SchemaValue count(long maximum) {
		return new SchemaValue(List.of(), "[1-9][0-9]{0,14}",
				inOrder("type", "integer", "minimum", 1, "maximum", maximum));
	}

	private static String source(String except) {
		return Stream.of(KeySource.Kind.values())
			.filter((kind) -> !kind.text().matches(except))
			.map((kind) -> switch (kind) {
				case HEADER, COOKIE -> kind.text() + ":" + TOKEN;
				case PATH -> kind.text() + ":[^\\s,]+";
				default -> isNamed(kind) ? kind.text() + ":[^\\s,]([^,]*[^\\s,])?" : kind.text();
			})
			.collect(Collectors.joining("|"));
	}

	private static boolean isNamed(KeySource.Kind kind) {
		try {
			return KeySource.valueOf(kind.text()).kind() != kind;
		}
		catch (InvalidRuleException ex) {
			return true;
		}
	}

	/** The same value, of which editors offer some words. */
	SchemaValue offering(List<String> offered) {
		return this.words.isEmpty() ? new SchemaValue(offered, this.pattern, this.other) : this;
	}

	/** One value. */
	Map<String, Object> one() {
		return anyOf(alternatives(this.pattern));
	}

	/** One text with commas. */
	Map<String, Object> separated() {
		return anyOf(alternatives(separatedPattern()));
	}

	/** One text with commas, or a list of values. */
	Map<String, Object> many() {
		return anyOf(Stream.concat(alternatives(separatedPattern()), Stream.of(array(one()))));
	}

	/** Any text may be a list, whose elements have commas perhaps. */
	private String separatedPattern() {
		if (this.pattern.equals(ANY.pattern)) {
			return this.pattern;
		}
		String element = Stream
			.concat(this.words.stream().filter((word) -> !word.matches(this.pattern)), Stream.of(this.pattern))
			.filter((form) -> !form.isEmpty())
			.collect(Collectors.joining("|", "(", ")"));
		return element + "(\\s*,\\s*" + element + ")*";
	}

	private Stream<Map<String, ?>> alternatives(String text) {
		return Stream
			.of(this.words.isEmpty() ? Map.<String, Object>of() : Map.of("enum", this.words), this.other,
					inOrder("type", "string", "pattern", (text.isEmpty() ? "" : "^(" + text + ")$|") + "\\$\\{"))
			.filter((schema) -> !schema.isEmpty());
	}

	static Map<String, Object> array(Map<String, ?> items) {
		return inOrder("type", "array", "minItems", 1, "items", items);
	}

	static Map<String, Object> anyOf(Stream<? extends Map<String, ?>> alternatives) {
		List<? extends Map<String, ?>> all = alternatives.toList();
		return (all.size() == 1) ? new LinkedHashMap<>(all.get(0)) : inOrder("anyOf", all);
	}

	static Map<String, Object> inOrder(Object... namesAndValues) {
		Map<String, Object> schema = new LinkedHashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			schema.put((String) namesAndValues[i], namesAndValues[i + 1]);
		}
		return schema;
	}

}
