package dev.ratelimit.rule.config;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

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

	private static final String PLANS = "plans";

	private final KnownNames globals;

	/** The ids of the rules, by their uniform spelling. */
	private final Map<String, String> ids = new LinkedHashMap<>();

	/** The names of the plans of each rule, by their uniform spelling. */
	private final Map<String, Map<String, String>> plans = new HashMap<>();

	/**
	 * Create the names. None is declared yet.
	 * @param globals the settings besides the rules, by their names after the prefix in
	 * canonical form, with their types
	 */
	SettingNames(Map<String, Class<?>> globals) {
		this.globals = new KnownNames(
				globals.entrySet().stream().map((type) -> Map.entry(type.getKey(), ValueKind.of(type.getValue()))));
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
		return this.globals.kinds();
	}

	/**
	 * The ids of all rules.
	 * @return their ids, in the order in which they were declared
	 */
	Collection<String> ids() {
		return this.ids.values();
	}

	/**
	 * The plans of a rule.
	 * @param id the id of the rule
	 * @return their names, in the order in which they were declared
	 */
	Collection<String> plans(String id) {
		return plansOf(id).values();
	}

	private Map<String, String> plansOf(String id) {
		return this.plans.getOrDefault(PropertyNames.uniform(id), Map.of());
	}

	/**
	 * Declare the rules and plans of a source other than the environment.
	 * @param source its settings
	 * @param findings collects spellings that differ within the source
	 */
	void declare(List<WrittenSetting> source, Findings findings) {
		Map<String, Set<String>> spellings = new HashMap<>();
		source.stream()
			.filter(Predicate.not(WrittenSetting::isVariable))
			.filter((setting) -> setting.isBelow(RULES) && setting.elements().size() > 3)
			.forEach((setting) -> {
				requireOneSpelling(setting, 2, "rule id", spellings, findings);
				if (declare(setting.elements())) {
					requireOneSpelling(setting, 4, "plan", spellings, findings);
				}
			});
	}

	/** Returns whether it declares a plan. */
	private boolean declare(List<String> elements) {
		String id = PropertyNames.uniform(elements.get(2));
		this.ids.putIfAbsent(id, elements.get(2));
		boolean hasPlan = elements.size() > 4 && PropertyNames.uniform(elements.get(3)).equals(PLANS);
		if (hasPlan) {
			this.plans.computeIfAbsent(id, (rule) -> new LinkedHashMap<>())
				.putIfAbsent(PropertyNames.uniform(elements.get(4)), elements.get(4));
		}
		return hasPlan;
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
		source.stream()
			.filter((setting) -> setting.isVariable() && setting.isBelow(RULES))
			.forEach((setting) -> find(setting).map(PropertyNames::elements).ifPresent(this::declare));
	}

	/**
	 * Find the name of a setting. The names of rules and plans must have been declared.
	 * @param setting the setting
	 * @return its canonical name, if it is known
	 */
	Optional<String> find(WrittenSetting setting) {
		return meanings(setting).filter(setting::isSpellingOf).findFirst();
	}

	/**
	 * Find the name that is meant, whether or not Boot would find the setting by it.
	 * @param setting the setting
	 * @return the canonical name
	 */
	Optional<String> findMeant(WrittenSetting setting) {
		return meanings(setting).findFirst();
	}

	private Stream<String> meanings(WrittenSetting setting) {
		Stream<Stream<String>> places = Stream.of(
				below(RULES, setting,
						(name) -> KnownNames.findChosen(name, this.ids,
								(id, key) -> KnownNames.OF_RULES.find(key, plansOf(id)))),
				below(DEFAULTS, setting, KnownNames.OF_DEFAULTS::find),
				below(CLIENTS, setting, (name) -> findChosen(name, KnownNames.OF_CLIENTS)),
				below(PEERS, setting, (name) -> findChosen(name, KnownNames.OF_PEERS)),
				this.globals.find(setting.elements().subList(1, setting.elements().size())));
		return places.flatMap(Function.identity()).map(PREFIX::concat);
	}

	private static Stream<String> below(String place, WrittenSetting setting,
			Function<List<String>, Stream<String>> finder) {
		List<String> elements = setting.elements();
		return setting.isBelow(place) ? finder.apply(elements.subList(1 + place.split("\\.").length, elements.size()))
			.map(("." + place)::concat) : Stream.empty();
	}

	private static Stream<String> findChosen(List<String> name, KnownNames keys) {
		return KnownNames.findChosen(name, Map.of(), (chosen, key) -> keys.find(key));
	}

}
