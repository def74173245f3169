package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;

/**
 * A rule with everything that could be worked out before a request came. Compared by
 * identity of its parts; a new rule set brings new ones.
 *
 * @param config the rule
 * @param limit what a store needs of it
 * @param policies the names of its thresholds, in the order of
 * {@link Limit#thresholds()}: the rule's id, with the window if there are several
 */
public record CompiledRule(RLConfig config, Limit limit, List<String> policies) {

	/**
	 * Compile a rule.
	 * @param config the rule
	 * @return the compiled rule
	 */
	public static CompiledRule of(RLConfig config) {
		Limit limit = Limit.of(config);
		List<String> policies = limit.thresholds()
			.stream()
			.map((threshold) -> (limit.size() == 1) ? config.id() : config.id() + "-" + threshold.windowText())
			.toList();
		return new CompiledRule(config, limit, policies);
	}

	/**
	 * The thresholds, in the order of {@link #policies()}: the shortest window first.
	 * @return the thresholds
	 */
	public List<RLThreshold> thresholds() {
		return this.limit.thresholds();
	}

	/**
	 * The id of the rule.
	 * @return its id
	 */
	public String id() {
		return this.config.id();
	}

}
