package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.limiter.refusal.FinalRefusals;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

/**
 * The rules in force, compiled once. Tested by {@code ActiveRulesTests}.
 */
public final class CompiledRules {

	private final RuleSet ruleSet;

	private final int ipv6Prefix;

	private final NamedRules named;

	private final List<CompiledRule> enabled = new ArrayList<>();

	private final Map<String, Optional<CompiledRule>> byId = new HashMap<>();

	/**
	 * Compile a rule set.
	 * @param ruleSet the rules
	 * @param ipv6Prefix how many bits of an IPv6 address identify a client
	 * @param named the rules that application code names
	 * @throws InvalidRuleException if an override for {@code ip} is not an address or
	 * range, or names only a part of what is counted as one client; names the property
	 * without {@code ratelimit.}
	 */
	public CompiledRules(RuleSet ruleSet, int ipv6Prefix, NamedRules named) {
		this(ruleSet, ipv6Prefix, named, Map.of());
	}

	private CompiledRules(RuleSet ruleSet, int ipv6Prefix, NamedRules named,
			Map<String, Optional<CompiledRule>> before) {
		this.ruleSet = ruleSet;
		this.ipv6Prefix = ipv6Prefix;
		this.named = named;
		FinalRefusals refusals = new FinalRefusals(ruleSet, named);
		for (RLConfig rule : ruleSet.enabled()) {
			boolean repeats = refusals.areFinalFor(rule);
			CompiledRule compiled = before.getOrDefault(rule.id(), Optional.empty())
				.filter((same) -> same.config().equals(rule) && same.hasFinalRefusals() == repeats)
				.orElseGet(() -> CompiledRule.of(rule, ipv6Prefix, repeats));
			this.enabled.add(compiled);
			this.byId.put(rule.id(), Optional.of(compiled));
		}
	}

	/**
	 * Compile the rules that replace these. An unchanged rule stays the same object, with
	 * everything attached to it.
	 * @param next the rules
	 * @return the compiled rules
	 * @throws InvalidRuleException as the constructor does
	 */
	public CompiledRules followedBy(RuleSet next) {
		return new CompiledRules(next, this.ipv6Prefix, this.named, this.byId);
	}

	/**
	 * Check whether a rule can be compiled with these.
	 * @param rule the rule
	 * @throws InvalidRuleException as the constructor does
	 */
	public void check(RLConfig rule) {
		CompiledRule.of(rule, this.ipv6Prefix, false);
	}

	/**
	 * The rule set that was compiled.
	 * @return all rules, including disabled ones
	 */
	public RuleSet ruleSet() {
		return this.ruleSet;
	}

	/**
	 * The rules that are enforced.
	 * @return the enabled rules
	 */
	public Collection<CompiledRule> enabled() {
		return this.enabled;
	}

	/**
	 * Find a rule that is enforced. Allocates nothing.
	 * @param id its id
	 * @return the rule; empty if no enabled rule has that id
	 */
	public Optional<CompiledRule> find(String id) {
		return this.byId.getOrDefault(id, Optional.empty());
	}

}
