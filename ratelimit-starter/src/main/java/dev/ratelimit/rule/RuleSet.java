package dev.ratelimit.rule;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * All rules at one instant. Immutable; a change creates a new rule set. Of what was
 * compiled from the old one, unchanged rules stay.
 */
public final class RuleSet {

	private final Map<String, RLConfig> rules = new LinkedHashMap<>();

	/**
	 * Create a rule set.
	 * @param rules the rules; their order has no meaning
	 */
	public RuleSet(Collection<RLConfig> rules) {
		for (RLConfig rule : rules) {
			if (this.rules.put(rule.id(), rule) != null) {
				throw new InvalidRuleException("id", rule.id(), "is used by two rules", "Give each rule its own id");
			}
		}
	}

	/**
	 * All rules.
	 * @return the rules, including disabled ones
	 */
	public List<RLConfig> rules() {
		return List.copyOf(this.rules.values());
	}

	/**
	 * The rules that are enforced.
	 * @return the enabled rules
	 */
	public List<RLConfig> enabled() {
		return this.rules.values().stream().filter(RLConfig::enabled).toList();
	}

	/**
	 * Find a rule.
	 * @param id its id
	 * @return the rule, if there is one with that id
	 */
	public Optional<RLConfig> find(String id) {
		return Optional.ofNullable(this.rules.get(id));
	}

	/** Compares the rules only, because their order has no meaning. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RuleSet set && this.rules.equals(set.rules);
	}

	@Override
	public int hashCode() {
		return this.rules.hashCode();
	}

}
