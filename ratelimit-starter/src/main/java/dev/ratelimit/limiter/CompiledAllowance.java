package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

import dev.ratelimit.limiter.outage.InstanceShare;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;

/**
 * What a rule allows a client, with everything that can be computed before a request
 * arrives. A changed rule brings new instances. Tested by {@code CompiledRuleTests}.
 */
public sealed interface CompiledAllowance {

	/**
	 * Compile what a rule allows one of its plans.
	 * @param rule the rule
	 * @param allowance what it allows
	 * @return the compiled allowance
	 */
	static CompiledAllowance ofPlan(RLConfig rule, Allowance allowance) {
		return of(rule, allowance, Limit::of);
	}

	/**
	 * Compile what a rule allows the clients that an override names.
	 * @param rule the rule
	 * @param allowance what it allows
	 * @return the compiled allowance
	 */
	static CompiledAllowance ofOverride(RLConfig rule, Allowance allowance) {
		return of(rule, allowance, Limit::ofOverride);
	}

	private static CompiledAllowance of(RLConfig rule, Allowance allowance,
			BiFunction<RLConfig, List<RLThreshold>, Limit> compiler) {
		if (allowance instanceof Allowance.Limited limited) {
			return new CompiledLimited(compiler.apply(rule, limited.thresholds()));
		}
		return (allowance instanceof Allowance.Blocked) ? new CompiledBlocked() : new CompiledUnlimited();
	}

	/**
	 * A number of permits per window.
	 */
	final class CompiledLimited implements CompiledAllowance {

		private final Limit limit;

		private volatile SharedLimit shared;

		CompiledLimited(Limit limit) {
			this.limit = limit;
			this.shared = new SharedLimit(InstanceShare.WHOLE, Optional.of(limit));
		}

		/**
		 * The part that a store needs.
		 * @return the limit
		 */
		public Limit limit() {
			return this.limit;
		}

		/**
		 * The names of the thresholds in headers and problem details.
		 * @return the names, in the order of {@link #thresholds()}
		 */
		public List<String> policies() {
			return this.limit.policies();
		}

		/**
		 * The thresholds, the shortest window first.
		 * @return the thresholds
		 */
		public List<RLThreshold> thresholds() {
			return this.limit.thresholds();
		}

		/**
		 * The part of the limit that one instance admits alone. Computed when the share
		 * has changed, and cached.
		 * @param share the share of the instance
		 * @return its limit; empty if it must not admit anything
		 */
		Optional<Limit> limit(InstanceShare share) {
			SharedLimit shared = this.shared;
			if (!shared.share().equals(share)) {
				shared = SharedLimit.of(share, this.limit);
				this.shared = shared;
			}
			return shared.limit();
		}

	}

	/** Always admitted, without a call of the store. */
	record CompiledUnlimited() implements CompiledAllowance {
	}

	/** Always refused, without a call of the store. */
	record CompiledBlocked() implements CompiledAllowance {
	}

}
