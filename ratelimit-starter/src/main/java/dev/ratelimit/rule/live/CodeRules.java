package dev.ratelimit.rule.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

/**
 * The rules of limiters that were made in code. They belong to no source, so no refresh
 * drops them. Changed by one thread at a time, read by any.
 */
public final class CodeRules {

	private volatile Map<String, RLConfig> rules = Map.of();

	/**
	 * Add these rules to others.
	 * @param others the rules from all sources and annotations
	 * @return all rules
	 * @throws InvalidRuleException if another rule has the id of one of these and other
	 * settings
	 */
	public RuleSet join(RuleSet others) {
		List<RLConfig> all = new ArrayList<>(others.rules());
		for (RLConfig rule : this.rules.values()) {
			Optional<RLConfig> other = others.find(rule.id());
			if (other.isEmpty()) {
				all.add(rule);
			}
			else if (!other.get().equals(rule)) {
				throw new InvalidRuleException("rules", rule.id(),
						"is the id of a limiter that was made in code with other settings",
						"Give the rule an id of its own");
			}
		}
		return new RuleSet(all);
	}

	/**
	 * Find a rule.
	 * @param id its id
	 * @return the rule, if a limiter was made with that id
	 */
	public Optional<RLConfig> find(String id) {
		return Optional.ofNullable(this.rules.get(id));
	}

	/**
	 * The number of rules.
	 * @return how many limiters were made
	 */
	public int size() {
		return this.rules.size();
	}

	/**
	 * Add a rule; it comes into force when all rules are compiled next.
	 * @param rule the rule
	 */
	public void add(RLConfig rule) {
		Map<String, RLConfig> more = new LinkedHashMap<>(this.rules);
		more.put(rule.id(), rule);
		this.rules = more;
	}

	/**
	 * Remove a rule that could not be brought into force.
	 * @param rule the rule
	 */
	public void remove(RLConfig rule) {
		Map<String, RLConfig> fewer = new LinkedHashMap<>(this.rules);
		fewer.remove(rule.id());
		this.rules = fewer;
	}

}
