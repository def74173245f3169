package dev.ratelimit.rule;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A rule: which requests it covers, by which key clients are counted, and how many
 * requests are admitted. Every enabled rule that matches a request applies, and the
 * request passes only if all of them admit it.
 *
 * @param id the unique name of the rule: {@code [a-z0-9][a-z0-9-]{0,63}}
 * @param enabled whether the rule is enforced
 * @param requests which requests it covers
 * @param key the key by which clients are counted
 * @param allowances what it allows each client
 * @param counting how it counts
 * @param enforcement what it does to a request that exceeds the limit, and during an
 * outage of the store
 * @param acknowledge the warnings of the rule that are neither logged nor a detail of the
 * health
 */
public record RLConfig(String id, boolean enabled, CoveredRequests requests, ClientKey key, Allowances allowances,
		Counting counting, Enforcement enforcement, Set<RuleWarning> acknowledge) {

	/** The largest number of windows of one rule. */
	public static final int MAX_THRESHOLDS = 10;

	/** The largest number of key sources of one rule. */
	public static final int MAX_KEY_SOURCES = 5;

	/** The largest threshold of a log, which stores one entry per admission. */
	public static final long MAX_LOG_THRESHOLD = 1_000_000;

	/**
	 * The most permits that one request can take of a log, which writes an entry for
	 * each.
	 */
	public static final long MAX_LOG_COST = 100;

	public RLConfig {
		acknowledge = Collections.unmodifiableSet(new LinkedHashSet<>(acknowledge));
		requireId(id);
		key.sources().forEach((source) -> RuleConstraints.requireSource("key", source, requests));
		allowances.plans().key().ifPresent((source) -> RuleConstraints.requireSource("plan-key", source, requests));
		RuleConstraints.requireOverrides(allowances.overrides(), key.sources());
		allowances.limits().forEach((property, limit) -> RuleConstraints.requireLimit(property, limit, counting));
		counting.scope().requireFit(counting, requests);
		RuleConstraints.requireOnLimit(enforcement.onLimit(), counting, requests);
	}

	/**
	 * Check a rule id.
	 * @param id the id
	 * @throws InvalidRuleException if it does not have the allowed form
	 */
	public static void requireId(String id) {
		RuleConstraints.requireId(id);
	}

	/**
	 * Check a path pattern as far as its text allows; the compiler checks whether it can
	 * be parsed.
	 * @param path the pattern
	 * @throws InvalidRuleException if it would match nothing, or if a client could make
	 * matching expensive
	 */
	public static void requirePath(String path) {
		PathSyntax.require(path);
	}

	/**
	 * The same rule for an annotated handler that names it.
	 * @param paths the paths of the handler
	 * @param cost the cost of a request there
	 * @param when whether it applies there
	 * @return the rule
	 * @throws InvalidRuleException if the rule is not compatible with these
	 */
	public RLConfig at(List<String> paths, Cost cost, Condition when) {
		return new RLConfig(this.id, this.enabled, new CoveredRequests(Set.of(), paths, this.requests.stage(), when),
				this.key, this.allowances, this.counting.withCost(cost), this.enforcement, this.acknowledge);
	}

	/**
	 * Start a rule in code.
	 * @param id its id
	 * @return a builder that holds the defaults
	 */
	public static RLConfigBuilder builder(String id) {
		return new RLConfigBuilder(id, new RuleValues(RuleCatalogue.STARTER));
	}

}
