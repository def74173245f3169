package dev.ratelimit.rule.source;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.rule.ValueKind;

/**
 * The known names below {@code ratelimit.}.
 */
final class SettingNames {

	static final String PREFIX = "ratelimit";

	static final String RULES = "rules";

	static final String DEFAULTS = "defaults";

	static final String MEMCACHED = "memcached";

	private static final String CLIENTS = "clients";

	private static final String PEERS = "datacenter.peers";

	private final Map<String, ValueKind> globals = new LinkedHashMap<>();

	/**
	 * Create the names.
	 * @param globals the settings besides the rules, by their names after the prefix in
	 * canonical form, with their types
	 */
	SettingNames(Map<String, Class<?>> globals) {
		globals.forEach((name, type) -> this.globals.put(name, ValueKind.of(type)));
	}

	/**
	 * The full name of a rule.
	 * @param id its id
	 * @return the prefix of its keys
	 */
	static String rule(String id) {
		return PREFIX + "." + RULES + "." + id;
	}

	/**
	 * The settings besides the rules.
	 * @return their canonical names after the prefix, and the form of their values
	 */
	Map<String, ValueKind> globals() {
		return this.globals;
	}

	/**
	 * Find the meaning of a name.
	 * @param name the name
	 * @param rules the names of rules and plans
	 * @return its canonical form, if it is known
	 */
	Optional<String> canonical(WrittenName name, RuleNames rules) {
		for (String id : rules.possible(name)) {
			Optional<String> key = KeyNames.find(name, name.after(1, RULES + "." + id), KeyNames.OF_RULES,
					rules.plans(id));
			if (key.isPresent()) {
				return key.map((text) -> rule(id) + "." + text);
			}
		}
		return KeyNames.find(name, name.after(1, DEFAULTS), KeyNames.OF_DEFAULTS, List.of())
			.map((text) -> DEFAULTS + "." + text)
			.or(() -> below(name, CLIENTS, KeyNames.OF_CLIENTS))
			.or(() -> below(name, PEERS, KeyNames.OF_PEERS))
			.or(() -> KeyNames.find(name, 1, this.globals, List.of()).filter((text) -> isBound(name, text)))
			.map((text) -> PREFIX + "." + text);
	}

	/** A key of a client or data centre, below the name that the user chose. */
	private static Optional<String> below(WrittenName name, String group, Map<String, ValueKind> keys) {
		int chosen = name.after(1, group);
		if (chosen == WrittenName.NONE || name.elements().size() < chosen + 2) {
			return Optional.empty();
		}
		return KeyNames.find(name, chosen + 1, keys, List.of())
			.map((text) -> group + "." + name.elements().get(chosen) + "." + text);
	}

	/**
	 * The limiter reads rules with any mixture of underscores. Boot binds the settings
	 * besides the rules, and finds an environment variable only if all dashes are left
	 * out or all are underscores.
	 */
	private static boolean isBound(WrittenName name, String key) {
		String written = String.join(".", name.rest(1));
		String canonical = String.join(".", PropertyNames.elements(key));
		return !name.environmentVariable() || written.equals(canonical.replace("-", ""))
				|| written.equals(canonical.replace('-', '.'));
	}

	/**
	 * Explain why a name is unknown.
	 * @param name the name
	 * @return a clause that completes "the setting ...", if it is known in another module
	 */
	Optional<String> absence(WrittenName name) {
		boolean absent = name.after(1, MEMCACHED) != WrittenName.NONE
				&& this.globals.keySet().stream().noneMatch((key) -> key.startsWith(MEMCACHED + "."));
		return absent ? Optional.of("belongs to Memcached, but its module is not on the class path") : Optional.empty();
	}

	/**
	 * Suggest the intended name for an unknown one.
	 * @param name the name
	 * @return a sentence
	 */
	String cure(WrittenName name) {
		if (absence(name).isPresent()) {
			return "Add the dependency dev.ratelimit:ratelimit-starter-memcached";
		}
		int rules = name.after(1, RULES);
		if (rules != WrittenName.NONE) {
			return ruleCure(name.rest(rules));
		}
		int defaults = name.after(1, DEFAULTS);
		if (defaults != WrittenName.NONE && name.elements().size() > defaults) {
			return KeyNames.cure(name.elements().get(defaults), KeyNames.OF_DEFAULTS.keySet());
		}
		int client = name.after(1, CLIENTS);
		if (client != WrittenName.NONE) {
			return belowCure(name.rest(client), KeyNames.OF_CLIENTS,
					"Write the keys of each client below a name of your choice, ratelimit.clients.<name>.<key>");
		}
		int peer = name.after(1, PEERS);
		if (peer != WrittenName.NONE) {
			return belowCure(name.rest(peer), KeyNames.OF_PEERS,
					"Write the Redis of each other data centre below its name, ratelimit.datacenter.peers.<name>.<key>");
		}
		return globalCure(name.rest(1));
	}

	private static String belowCure(List<String> written, Map<String, ValueKind> keys, String cure) {
		return (written.size() < 2) ? cure : KeyNames.cure(written.subList(1, written.size()), keys);
	}

	/** Suggests similar names out of some forty. */
	private String globalCure(List<String> written) {
		Optional<String> nearest = PropertyNames.nearest(String.join(".", written), this.globals.keySet());
		if (nearest.isPresent()) {
			return "Did you mean " + nearest.get() + "?";
		}
		Set<String> groups = new LinkedHashSet<>(List.of(RULES, DEFAULTS, CLIENTS));
		this.globals.keySet().forEach((key) -> groups.add(key.split("\\.", 2)[0]));
		String first = written.isEmpty() ? "" : written.get(0);
		Optional<String> group = groups.stream()
			.filter((known) -> PropertyNames.uniform(known).equals(PropertyNames.uniform(first)))
			.findFirst();
		if (group.isPresent()) {
			return "The keys there are " + String.join(", ",
					this.globals.keySet()
						.stream()
						.filter((key) -> key.equals(group.get()) || key.startsWith(group.get() + "."))
						.toList());
		}
		String last = written.isEmpty() ? "" : written.get(written.size() - 1);
		return PropertyNames.nearest(first, List.of(RULES, DEFAULTS, CLIENTS))
			.or(() -> this.globals.keySet()
				.stream()
				.filter((key) -> PropertyNames.uniform(key.substring(key.lastIndexOf('.') + 1))
					.equals(PropertyNames.uniform(last)))
				.findFirst())
			.map((meant) -> "Did you mean " + meant + "?")
			.orElseGet(() -> KeyNames.OF_RULES.containsKey(last)
					? "Keys of a rule stand below its id, ratelimit.rules.<id>." + last
					: "Rules stand below ratelimit.rules.<id>; docs/reference.md lists all keys");
	}

	/** For a name below {@code rules}, which should be an id and a key. */
	private static String ruleCure(List<String> written) {
		if (written.size() < 2) {
			return (!written.isEmpty() && KeyNames.OF_RULES.containsKey(written.get(0)))
					? "Indent it below the id of its rule: ratelimit.rules.<id>." + written.get(0)
					: "Write the keys of each rule below its id, ratelimit.rules.<id>.<key>. The keys are "
							+ String.join(", ", KeyNames.OF_RULES.keySet());
		}
		List<String> key = written.subList(1, written.size());
		return key.equals(List.of("id")) ? "Rules are a map: write the id as the name of the rule, ratelimit.rules.<id>"
				: KeyNames.cure(key, KeyNames.OF_RULES);
	}

}
