package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names below {@code ratelimit.} that mean something.
 */
final class SettingNames {

	static final String PREFIX = "ratelimit";

	static final String RULES = "rules";

	static final String DEFAULTS = "defaults";

	/** The keys of a rule, and the form of their values. */
	static final Map<String, Form> RULE_KEYS = ruleKeys();

	/** The keys that may stand under {@code ratelimit.defaults}. */
	static final Map<String, Form> DEFAULT_KEYS = defaultKeys();

	static final List<String> THRESHOLD_KEYS = List.of("threshold", "window", "burst");

	private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,3}");

	private final Map<String, Form> globals = new LinkedHashMap<>();

	/**
	 * Create the names.
	 * @param globals the settings beside the rules, by their names after the prefix in
	 * canonical form, with their types
	 */
	SettingNames(Map<String, Class<?>> globals) {
		globals.forEach((name, type) -> this.globals.put(name, Form.of(type)));
	}

	private static Map<String, Form> ruleKeys() {
		Map<String, Form> keys = new LinkedHashMap<>();
		keys.put("enabled", Form.TEXT);
		keys.put("methods", Form.LIST);
		keys.put("paths", Form.LIST);
		keys.put("key", Form.LIST);
		keys.put("on-missing-key", Form.TEXT);
		keys.put("stage", Form.TEXT);
		keys.put("algorithm", Form.TEXT);
		keys.put("rounding", Form.TEXT);
		keys.put("refill", Form.TEXT);
		keys.put("thresholds", Form.THRESHOLDS);
		keys.put("count-rejected", Form.TEXT);
		keys.put("on-store-failure", Form.TEXT);
		return keys;
	}

	private static Map<String, Form> defaultKeys() {
		Map<String, Form> keys = ruleKeys();
		keys.keySet().removeAll(List.of("methods", "paths", "thresholds"));
		return keys;
	}

	/**
	 * The full name of a rule.
	 * @param id its id
	 * @return the name under which its keys stand
	 */
	static String rule(String id) {
		return PREFIX + "." + RULES + "." + id;
	}

	/**
	 * The settings beside the rules.
	 * @return their canonical names after the prefix, and the form of their values
	 */
	Map<String, Form> globals() {
		return this.globals;
	}

	/**
	 * Find what a name means.
	 * @param name the name
	 * @param ruleIds the rules there are
	 * @return its canonical form, if it means anything
	 */
	Optional<String> canonical(WrittenName name, Collection<String> ruleIds) {
		for (String id : ruleIds) {
			Optional<String> key = key(name, name.after(1, RULES + "." + id), RULE_KEYS);
			if (key.isPresent()) {
				return key.map((text) -> rule(id) + "." + text);
			}
		}
		return key(name, name.after(1, DEFAULTS), DEFAULT_KEYS).map((text) -> DEFAULTS + "." + text)
			.or(() -> key(name, 1, this.globals).filter((text) -> isBound(name, text)))
			.map((text) -> PREFIX + "." + text);
	}

	/**
	 * Rules are read here, with any mixture of underscores; settings beside them are
	 * bound by Boot, which finds an environment variable only if all dashes are left out
	 * or all are underscores.
	 */
	private static boolean isBound(WrittenName name, String key) {
		String written = String.join(".", name.rest(1));
		String canonical = String.join(".", Names.elements(key));
		return !name.environmentVariable() || written.equals(canonical.replace("-", ""))
				|| written.equals(canonical.replace('-', '.'));
	}

	/**
	 * Find a key in a name.
	 * @param name the name
	 * @param from where the key must start, or {@link WrittenName#NONE}
	 * @param keys the keys that may stand there
	 * @return the key in canonical form, with its index if it has one
	 */
	static Optional<String> key(WrittenName name, int from, Map<String, Form> keys) {
		if (from == WrittenName.NONE) {
			return Optional.empty();
		}
		for (Map.Entry<String, Form> key : keys.entrySet()) {
			int next = name.after(from, key.getKey());
			Optional<String> tail = (next == WrittenName.NONE) ? Optional.empty() : tail(name, next, key.getValue());
			if (tail.isPresent()) {
				return tail.map((text) -> key.getKey() + text);
			}
		}
		return Optional.empty();
	}

	private static Optional<String> tail(WrittenName name, int from, Form form) {
		List<String> rest = name.rest(from);
		if (rest.isEmpty()) {
			return Optional.of("");
		}
		if (!form.isList() || !INDEX.matcher(rest.get(0)).matches()) {
			return Optional.empty();
		}
		String index = "[" + rest.get(0) + "]";
		if (rest.size() == 1) {
			return Optional.of(index);
		}
		return (form != Form.THRESHOLDS) ? Optional.empty()
				: THRESHOLD_KEYS.stream()
					.filter((key) -> name.after(from + 1, key) == name.elements().size())
					.map((key) -> index + "." + key)
					.findFirst();
	}

	/**
	 * What could have been meant by a name that means nothing.
	 * @param name the name
	 * @return a sentence
	 */
	String cure(WrittenName name) {
		List<String> elements = name.elements();
		int rules = name.after(1, RULES);
		if (rules != WrittenName.NONE) {
			return ruleCure(name.rest(rules));
		}
		int defaults = name.after(1, DEFAULTS);
		if (defaults != WrittenName.NONE && elements.size() > defaults) {
			return cure(elements.get(defaults), DEFAULT_KEYS.keySet());
		}
		Set<String> candidates = new LinkedHashSet<>(this.globals.keySet());
		candidates.addAll(List.of(RULES, DEFAULTS));
		return cure(String.join(".", new ArrayList<>(name.rest(1))), candidates);
	}

	/** For what is written below {@code rules}: an id and a key, if all were well. */
	private static String ruleCure(List<String> written) {
		String keys = String.join(", ", RULE_KEYS.keySet());
		if (written.size() < 2) {
			return (!written.isEmpty() && RULE_KEYS.containsKey(written.get(0)))
					? "Indent it below the id of its rule: ratelimit.rules.<id>." + written.get(0)
					: "Write the keys of each rule below its id, ratelimit.rules.<id>.<key>. The keys are " + keys;
		}
		List<String> key = written.subList(1, written.size());
		if (key.equals(List.of("id"))) {
			return "Rules are a map: write the id as the name of the rule, ratelimit.rules.<id>";
		}
		if (key.size() > 2 && Names.uniform(key.get(0)).equals("thresholds")) {
			return cure(key.get(2), THRESHOLD_KEYS);
		}
		Form form = (key.size() > 1) ? RULE_KEYS.get(key.get(0)) : null;
		return (form != null) ? form.cure(key.get(0)) : cure(key.get(0), RULE_KEYS.keySet());
	}

	private static String cure(String name, Collection<String> candidates) {
		if (name.equals("burst") && !candidates.contains(name)) {
			return "Each threshold has its own: write thresholds: [{threshold: 5, window: 1m, burst: 10}]";
		}
		return Names.nearest(name, candidates).map((nearest) -> "Did you mean " + nearest + "? ").orElse("")
				+ "The keys here are " + String.join(", ", candidates);
	}

	/**
	 * The form of a value.
	 */
	enum Form {

		/** One text. */
		TEXT,

		/** A whole number. */
		NUMBER,

		/** One text with commas, or an indexed list of texts. */
		LIST,

		/** A list whose elements are texts or have keys of their own. */
		THRESHOLDS;

		static Form of(Class<?> type) {
			if (Collection.class.isAssignableFrom(type)) {
				return LIST;
			}
			return (type == int.class || type == long.class) ? NUMBER : TEXT;
		}

		/** For what is written below a key that takes no names below it. */
		String cure(String key) {
			return switch (this) {
				case TEXT, NUMBER -> "Write one value for " + key;
				case LIST -> "Write " + key + " as one text or as a list of texts"
						+ (key.equals("key") ? ", such as header:X-Api-Key without a blank" : "");
				case THRESHOLDS -> "Write a list, also of one: - threshold: 5 and below it window: 1m, or short 5/1m";
			};
		}

		boolean isList() {
			return this == LIST || this == THRESHOLDS;
		}

	}

}
