package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The names that the user chose: the ids of the rules, and the plans of each rule.
 */
final class RuleNames {

	private final Map<String, Collection<String>> plansById = new LinkedHashMap<>();

	private final ChosenNames ids;

	/**
	 * Find the names.
	 * @param sources the settings of each source, the highest precedence first
	 * @param findings collects spellings that differ within one source
	 */
	RuleNames(List<List<WrittenSetting>> sources, Findings findings) {
		MapKeyResolver rules = new MapKeyResolver(SettingNames.RULES, "rule id", 1,
				(name, from) -> KeyNames.find(name, from, KeyNames.OF_RULES, List.of()).isPresent(), findings);
		Collection<String> found = rules.in(sources);
		this.ids = new ChosenNames(found);
		List<Map<String, List<WrittenSetting>>> byRule = sources.stream().map(this::byRule).toList();
		for (String id : found) {
			MapKeyResolver plans = new MapKeyResolver(SettingNames.RULES + "." + id + ".plans", "plan", 0,
					KeyNames::isPlan, findings);
			this.plansById.put(id,
					plans.in(byRule.stream().map((source) -> source.getOrDefault(id, List.of())).toList()));
		}
	}

	/** The settings of one source that may belong to a rule, by its id. */
	private Map<String, List<WrittenSetting>> byRule(List<WrittenSetting> source) {
		Map<String, List<WrittenSetting>> byRule = new HashMap<>();
		for (WrittenSetting setting : source) {
			possible(setting.name())
				.forEach((id) -> byRule.computeIfAbsent(id, (rule) -> new ArrayList<>()).add(setting));
		}
		return byRule;
	}

	/**
	 * The rules that a setting may belong to.
	 * @param name the name of the setting
	 * @return their ids, in the order in which they were declared
	 */
	Collection<String> possible(WrittenName name) {
		return this.ids.at(name, name.after(1, SettingNames.RULES));
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
