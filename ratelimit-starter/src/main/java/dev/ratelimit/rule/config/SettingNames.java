package dev.ratelimit.rule.config;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.rule.ValueKind;

/**
 * The known names below {@code ratelimit.}, with those that the user chose for rules and
 * their plans. A chosen name may be spelled differently in each source. The spelling of
 * the source with the lowest precedence is used, because a rule is usually declared
 * there; that of an environment variable only if there is no other.
 */
final class SettingNames {

	static final String PREFIX = "ratelimit";

	static final String RULES = "rules";

	static final String DEFAULTS = "defaults";

	static final String MEMCACHED = "memcached";

	static final String CLIENTS = "clients";

	static final String PEERS = "datacenter.peers";

	private final Map<String, ValueKind> globals = new LinkedHashMap<>();

	private final KnownNames rules = KnownNames.ofChosen(KnownNames::ofRule);

	private final KnownNames ours;

	private final KnownNames boundByBoot;

	/**
	 * Create the names. None is declared yet.
	 * @param globals the settings besides the rules, by their names after the prefix in
	 * canonical form, with their types
	 */
	SettingNames(Map<String, Class<?>> globals) {
		globals.forEach((name, type) -> this.globals.put(name, ValueKind.of(type)));
		this.ours = KnownNames.ofKeys(Map.of())
			.with(RULES, this.rules)
			.with(DEFAULTS, KnownNames.ofKeys(KnownNames.OF_DEFAULTS))
			.with(CLIENTS, KnownNames.ofChosen(() -> KnownNames.ofKeys(KnownNames.OF_CLIENTS)))
			.with(PEERS, KnownNames.ofChosen(() -> KnownNames.ofKeys(KnownNames.OF_PEERS)));
		this.boundByBoot = KnownNames.ofKeys(this.globals);
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
	 * The ids of all rules.
	 * @return their ids, in the order in which they were declared
	 */
	Collection<String> ids() {
		return this.rules.declared();
	}

	/**
	 * The plans of a rule.
	 * @param id the id of the rule
	 * @return their names, in the order in which they were declared
	 */
	Collection<String> plans(String id) {
		return this.rules.below(id).below(KnownNames.PLANS).declared();
	}

	/**
	 * Declare the rules and plans of a source other than the environment.
	 * @param source its settings
	 * @param findings collects spellings that differ within the source
	 */
	void declare(List<WrittenSetting> source, Findings findings) {
		Map<String, Set<String>> spellings = new HashMap<>();
		for (WrittenSetting setting : source) {
			List<String> elements = setting.elements();
			if (!setting.isVariable() && elements.size() > 3 && setting.isBelow(RULES)) {
				KnownNames rule = this.rules.declare(elements.get(2));
				requireOneSpelling(setting, 2, "rule id", spellings, findings);
				if (elements.size() > 4 && PropertyNames.uniform(elements.get(3)).equals(KnownNames.PLANS)) {
					rule.below(KnownNames.PLANS).declare(elements.get(4));
					requireOneSpelling(setting, 4, "plan", spellings, findings);
				}
			}
		}
	}

	private static void requireOneSpelling(WrittenSetting setting, int chosen, String what,
			Map<String, Set<String>> spellings, Findings findings) {
		String spelling = setting.elements().get(chosen);
		String name = String.join(".", setting.elements().subList(0, chosen + 1));
		Set<String> all = spellings.computeIfAbsent(PropertyNames.uniform(name), (uniform) -> new LinkedHashSet<>());
		if (all.add(spelling) && all.size() > 1) {
			String first = all.iterator().next();
			findings.problem(new Problem(name, spelling, Optional.of(setting.origin()),
					"is a second spelling of the " + what + " '" + first + "' in one source",
					"Write '" + first + "' everywhere, or choose names that differ by more than dashes and case"));
		}
	}

	/**
	 * Declare the rules and plans that only environment variables name, after those of
	 * all other sources.
	 * @param source the settings of a source
	 */
	void declareVariables(List<WrittenSetting> source) {
		source.stream().filter(WrittenSetting::isVariable).forEach(this::find);
	}

	/**
	 * Find the meaning of a name. The names of rules and plans must have been declared.
	 * @param setting the setting with the name
	 * @return its canonical form, if it is known
	 */
	Optional<String> find(WrittenSetting setting) {
		return this.ours.find(setting, 1)
			.or(() -> this.boundByBoot.find(setting, 1).filter((name) -> isBound(setting, name)))
			.map(PREFIX::concat);
	}

	/**
	 * The limiter reads rules with any mixture of underscores. Boot binds the settings
	 * besides the rules, and finds an environment variable only if all dashes are left
	 * out or all are underscores.
	 */
	private static boolean isBound(WrittenSetting setting, String name) {
		String written = String.join(".", setting.elements().subList(1, setting.elements().size()));
		String canonical = String.join(".", PropertyNames.elements(name.substring(1)));
		return !setting.isVariable() || written.equals(canonical.replace("-", ""))
				|| written.equals(canonical.replace('-', '.'));
	}

}
