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

import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.ValueKind;
import dev.ratelimit.spi.Problem;

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

	private static final String PLANS = "plans";

	private static final String CHOSEN = ".*.";

	private final Modules modules;

	private final KnownNames ofRules;

	private final KnownNames ofDefaults;

	private final KnownNames globals;

	/** The settings below names that the user chooses, by the place of these names. */
	private final Map<String, KnownNames> chosen = new LinkedHashMap<>();

	/** The ids of the rules, by their uniform spelling. */
	private final Map<String, String> ids = new LinkedHashMap<>();

	/** The names of the plans of each rule, by their uniform spelling. */
	private final Map<String, Map<String, String>> plans = new HashMap<>();

	/**
	 * Create the names. None is declared yet.
	 * @param modules the modules on the class path
	 * @param globals the settings besides the rules, by their names after the prefix in
	 * canonical form, with their types; an asterisk stands for a name that the user
	 * chooses
	 */
	SettingNames(Modules modules, Map<String, Class<?>> globals) {
		this.modules = modules;
		List<RuleOption> keys = modules.catalogue().options();
		this.ofRules = KnownNames.ofKeys(keys.stream());
		this.ofDefaults = KnownNames.ofKeys(keys.stream().filter(RuleOption::isDefault));
		this.globals = ofTypes(globals, (name) -> Optional.of(name).filter(Predicate.not(SettingNames::isChosen)));
		globals.keySet()
			.stream()
			.filter(SettingNames::isChosen)
			.map((name) -> name.substring(0, name.indexOf(CHOSEN)))
			.distinct()
			.forEach((place) -> this.chosen.put(place,
					ofTypes(globals,
							(name) -> Optional.of(name)
								.filter((full) -> full.startsWith(place + CHOSEN))
								.map((full) -> full.substring((place + CHOSEN).length())))));
	}

	private static boolean isChosen(String name) {
		return name.contains(CHOSEN);
	}

	private static KnownNames ofTypes(Map<String, Class<?>> types, Function<String, Optional<String>> part) {
		return new KnownNames(types.entrySet()
			.stream()
			.flatMap((type) -> part.apply(type.getKey())
				.map((name) -> Map.entry(name, ValueKind.of(type.getValue())))
				.stream()));
	}

	/** The modules on the class path. */
	Modules modules() {
		return this.modules;
	}

	/** The keys of a rule. */
	KnownNames ofRules() {
		return this.ofRules;
	}

	/** The keys allowed under {@code ratelimit.defaults}. */
	KnownNames ofDefaults() {
		return this.ofDefaults;
	}

	/** The settings below names that the user chooses, by the place of these names. */
	Map<String, KnownNames> chosen() {
		return this.chosen;
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
		Stream<String> ofRules = below(RULES, setting,
				(name) -> KnownNames.findChosen(name, this.ids, (id, key) -> this.ofRules.find(key, plansOf(id))));
		Stream<String> ofDefaults = below(DEFAULTS, setting, this.ofDefaults::find);
		Stream<String> belowChosen = this.chosen.entrySet()
			.stream()
			.flatMap((place) -> below(place.getKey(), setting, (name) -> findChosen(name, place.getValue())));
		Stream<String> others = this.globals.find(setting.elements().subList(1, setting.elements().size()));
		return Stream.of(ofRules, ofDefaults, belowChosen, others).flatMap(Function.identity()).map(PREFIX::concat);
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
