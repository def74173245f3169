package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;

/**
 * What a rule allows a client, with everything that can be computed before a request
 * arrives. A changed rule brings new instances. Tested by {@code CompiledRuleTests}.
 */
public sealed interface CompiledAllowance {

	/**
	 * Compile what a rule allows some of its clients.
	 * @param rule the rule
	 * @param allowance what it allows
	 * @param compiler makes the limit of thresholds
	 * @return the compiled allowance
	 */
	static CompiledAllowance of(RLConfig rule, Allowance allowance,
			BiFunction<RLConfig, List<RLThreshold>, Limit> compiler) {
		if (allowance instanceof Allowance.Limited limited) {
			return new CompiledLimited(compiler.apply(rule, limited.thresholds()));
		}
		return (allowance instanceof Allowance.Blocked) ? new CompiledBlocked() : new CompiledUnlimited();
	}

	/**
	 * The items in {@code RateLimit-Policy} for what a client is allowed. They come from
	 * the allowance itself, so one that belongs to no rule or plan has its own.
	 * @return the items, computed once; empty where nothing is counted
	 */
	default String policyField() {
		return "";
	}

	/**
	 * A number of permits per window.
	 */
	final class CompiledLimited implements CompiledAllowance {

		private final Limit limit;

		private final String policyField;

		private volatile ShareOfLimit part;

		CompiledLimited(Limit limit) {
			this.limit = limit;
			this.policyField = PolicyField.of(limit);
			this.part = new ShareOfLimit(InstanceShare.WHOLE, Optional.of(limit));
		}

		/**
		 * The part that a store needs.
		 * @return the limit
		 */
		public Limit limit() {
			return this.limit;
		}

		@Override
		public String policyField() {
			return this.policyField;
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
		 * The part of the limit that one instance admits alone: its share of each
		 * threshold and each burst, in the same window. Computed when the share has
		 * changed, and cached.
		 * @param share the share of the instance
		 * @return its limit; empty if its share of any threshold or burst is zero
		 */
		Optional<Limit> limit(InstanceShare share) {
			ShareOfLimit part = this.part;
			if (!part.share().equals(share)) {
				part = new ShareOfLimit(share, part(share));
				this.part = part;
			}
			return part.limit();
		}

		private Optional<Limit> part(InstanceShare share) {
			RuleScope scope = this.limit.scope();
			for (RLThreshold threshold : this.limit.thresholds()) {
				if (share.of(scope, threshold.threshold()) == 0 || share.of(scope, threshold.burst()) == 0) {
					return Optional.empty();
				}
			}
			return Optional.of(this.limit.map((threshold) -> part(scope, share, threshold)));
		}

		/**
		 * The share of another plan may be zero; no request is made for that plan then.
		 */
		private static RLThreshold part(RuleScope scope, InstanceShare share, RLThreshold threshold) {
			return new RLThreshold(Math.max(1, share.of(scope, threshold.threshold())), threshold.window(),
					Math.max(1, share.of(scope, threshold.burst())));
		}

		private record ShareOfLimit(InstanceShare share, Optional<Limit> limit) {
		}

	}

	/** Always admitted, without a call of the store. */
	record CompiledUnlimited() implements CompiledAllowance {
	}

	/** Always refused, without a call of the store. */
	record CompiledBlocked() implements CompiledAllowance {
	}

}
