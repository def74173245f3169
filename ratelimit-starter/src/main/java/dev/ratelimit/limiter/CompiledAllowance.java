package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;

/**
 * What a rule allows somebody, with everything that could be worked out before a request
 * came. A new rule set brings new ones.
 */
public sealed interface CompiledAllowance {

	/**
	 * Compile what a rule allows.
	 * @param rule the rule
	 * @param allowance what it allows
	 * @return the same, compiled
	 */
	static CompiledAllowance of(RLConfig rule, Allowance allowance) {
		if (allowance instanceof Allowance.Limited limited) {
			return Limited.of(rule, limited.thresholds());
		}
		return (allowance instanceof Allowance.Blocked) ? new Blocked() : new Unlimited();
	}

	/**
	 * So many in so long.
	 *
	 * @param limit what a store needs of it
	 * @param policies the names of its thresholds, in the order of
	 * {@link Limit#thresholds()}: the rule's id, with the window if there are several
	 */
	record Limited(Limit limit, List<String> policies) implements CompiledAllowance {

		static Limited of(RLConfig rule, List<RLThreshold> thresholds) {
			Limit limit = Limit.of(rule, thresholds);
			List<String> policies = limit.thresholds()
				.stream()
				.map((threshold) -> (limit.size() == 1) ? rule.id() : rule.id() + "-" + threshold.windowText())
				.toList();
			return new Limited(limit, policies);
		}

		/**
		 * The thresholds, in the order of {@link #policies()}: the shortest window first.
		 * @return the thresholds
		 */
		public List<RLThreshold> thresholds() {
			return this.limit.thresholds();
		}

	}

	/** Admitted always: no store is asked. */
	record Unlimited() implements CompiledAllowance {
	}

	/** Refused always: no store is asked. */
	record Blocked() implements CompiledAllowance {
	}

}
