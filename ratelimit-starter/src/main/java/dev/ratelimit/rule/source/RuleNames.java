package dev.ratelimit.rule.source;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The names that the user chose: the ids of the rules, and the plans of each rule.
 */
final class RuleNames {

	private final Map<String, Collection<String>> plansById = new LinkedHashMap<>();

	/**
	 * Find the names.
	 * @param sources the settings of each source, the highest precedence first
	 * @param findings collects spellings that differ within one source
	 */
	RuleNames(List<List<WrittenSetting>> sources, Findings findings) {
		MapKeyResolver rules = new MapKeyResolver(SettingNames.RULES, "rule id", 1,
				(name, from) -> KeyNames.find(name, from, KeyNames.OF_RULES, List.of()).isPresent(), findings);
		for (String id : rules.in(sources)) {
			MapKeyResolver plans = new MapKeyResolver(SettingNames.RULES + "." + id + ".plans", "plan", 0,
					KeyNames::isPlan, findings);
			this.plansById.put(id, plans.in(sources));
		}
	}

	/**
	 * The ids of all rules.
	 * @return their ids, in the order in which they were declared
	 */
	Collection<String> ids() {
		return this.plansById.keySet();
	}

	/**
	 * The plans of a rule.
	 * @param id the id of the rule
	 * @return their names, in the order in which they were declared
	 */
	Collection<String> plans(String id) {
		return this.plansById.getOrDefault(id, List.of());
	}

}
