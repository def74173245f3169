package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnMissingKey;

/**
 * How a rule applies to a request that it matches, or to a call of a method that it
 * guards.
 */
public sealed interface RuleApplication {

	/** The rule does not apply. */
	RuleApplication SKIPS = new Skips();

	/** The rule refuses. */
	RuleApplication DENIES = new Denies();

	/**
	 * Decide whether a rule applies, and which subject it counts. Nothing else decides
	 * that: neither for requests, nor for calls, nor for requests that are described.
	 * @param rule the rule
	 * @param facts the facts of the request or call
	 * @param subjects encodes keys
	 * @return how the rule applies
	 */
	static RuleApplication of(CompiledRule rule, RuleApplicationFacts facts, SubjectEncoder subjects) {
		if (!facts.meetsCondition()) {
			return SKIPS;
		}
		Optional<List<String>> key = facts.key();
		OnMissingKey onMissingKey = rule.config().key().onMissing();
		if (key.isEmpty() && onMissingKey == OnMissingKey.DENY) {
			return DENIES;
		}
		if (key.isEmpty() && onMissingKey == OnMissingKey.SKIP) {
			return SKIPS;
		}
		Optional<String> plan = facts.plan();
		long cost = facts.cost();
		if (key.isPresent()) {
			return new Counts(facts.withTurn(subjects.byKey(rule, key.get(), plan, cost)), key.get(), plan);
		}
		Optional<String> address = (onMissingKey == OnMissingKey.IP) ? facts.address() : Optional.empty();
		if (onMissingKey == OnMissingKey.IP && address.isEmpty() && countsMoreThanAddresses(rule)) {
			return DENIES;
		}
		RuleRequest keyless = address.isPresent() ? subjects.byAddress(rule, address.get(), plan, cost)
				: subjects.keyless(rule, plan, cost);
		return new Counts(facts.withTurn(keyless), List.of(), plan);
	}

	/** A call outside a request has no address. One bucket would be for all its users. */
	private static boolean countsMoreThanAddresses(CompiledRule rule) {
		return rule.config().key().sources().stream().anyMatch((source) -> source.kind() != KeySource.Kind.IP);
	}

	/**
	 * The rule counts the request.
	 *
	 * @param ruleRequest the subject and the permits to acquire
	 * @param key one value per key source; empty if the request lacks its key
	 * @param plan the plan of the request
	 */
	record Counts(RuleRequest ruleRequest, List<String> key, Optional<String> plan) implements RuleApplication {
	}

	/** The rule does not apply, for lack of a key or because of its condition. */
	record Skips() implements RuleApplication {
	}

	/** The rule refuses, because the request lacks its key, or the key and an address. */
	record Denies() implements RuleApplication {
	}

}
