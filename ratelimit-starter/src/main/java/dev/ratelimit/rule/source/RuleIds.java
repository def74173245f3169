package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the ids of the rules in all property sources. An id may be spelled differently in
 * each: the one that counts is that of the source with the lowest precedence, where a
 * rule is usually declared, and of an environment variable only where there is no other.
 */
final class RuleIds {

	/** The elements before the id: the prefix and {@code rules}. */
	private static final int ID = 2;

	private final Map<String, String> byUniform = new LinkedHashMap<>();

	private final Findings findings;

	private RuleIds(Findings findings) {
		this.findings = findings;
	}

	/**
	 * Find the ids.
	 * @param sources the settings of each source, the highest precedence first
	 * @param findings takes spellings that differ within one source
	 * @return the ids, in the order in which they were declared
	 */
	static Collection<String> of(List<List<WrittenSetting>> sources, Findings findings) {
		RuleIds ids = new RuleIds(findings);
		for (int i = sources.size() - 1; i >= 0; i--) {
			ids.collect(sources.get(i));
		}
		for (List<WrittenSetting> source : sources) {
			ids.collectVariables(source);
		}
		return List.copyOf(ids.byUniform.values());
	}

	private void collect(List<WrittenSetting> source) {
		Map<String, Set<String>> spellings = new LinkedHashMap<>();
		for (WrittenSetting setting : source) {
			WrittenName name = setting.name();
			if (name.environmentVariable() || !isOfSomeRule(name)) {
				continue;
			}
			String id = name.elements().get(ID);
			Set<String> others = spellings.computeIfAbsent(Names.uniform(id), (uniform) -> new LinkedHashSet<>());
			if (others.add(id) && others.size() > 1) {
				String first = others.iterator().next();
				this.findings.problem(new Problem(SettingNames.rule(id), id, Optional.of(setting.origin()),
						"is a second spelling of the rule id '" + first + "' in one source",
						"Write '" + first + "' everywhere, or choose ids that differ by more than dashes and case"));
			}
		}
		spellings.forEach((uniform, ids) -> this.byUniform.putIfAbsent(uniform, ids.iterator().next()));
	}

	private static boolean isOfSomeRule(WrittenName name) {
		return name.elements().size() > ID + 1 && name.after(1, SettingNames.RULES) == ID;
	}

	private void collectVariables(List<WrittenSetting> source) {
		List<String> declared = new ArrayList<>(this.byUniform.values());
		for (WrittenSetting setting : source) {
			WrittenName name = setting.name();
			if (name.environmentVariable() && isOfSomeRule(name) && declared.stream().noneMatch((id) -> isOf(id, name))
					&& SettingNames.key(name, ID + 1, SettingNames.RULE_KEYS).isPresent()) {
				String id = name.elements().get(ID);
				this.byUniform.putIfAbsent(Names.uniform(id), id);
			}
		}
	}

	private static boolean isOf(String id, WrittenName name) {
		return SettingNames.key(name, name.after(ID, id), SettingNames.RULE_KEYS).isPresent();
	}

}
