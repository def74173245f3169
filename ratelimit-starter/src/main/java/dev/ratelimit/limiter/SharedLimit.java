package dev.ratelimit.limiter;

import java.util.Optional;

import dev.ratelimit.limiter.outage.InstanceShare;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;

/**
 * The part of a limit that one instance admits alone: its share of each threshold and
 * each burst, in the same window. Tested by {@code FallbackTests}.
 *
 * @param share the share of the instance
 * @param limit its limit; empty if its share of any threshold or burst is zero
 */
record SharedLimit(InstanceShare share, Optional<Limit> limit) {

	static SharedLimit of(InstanceShare share, Limit limit) {
		RuleScope scope = limit.scope();
		for (RLThreshold threshold : limit.thresholds()) {
			if (share.of(scope, threshold.threshold()) == 0 || share.of(scope, threshold.burst()) == 0) {
				return new SharedLimit(share, Optional.empty());
			}
		}
		return new SharedLimit(share, Optional.of(limit.map((threshold) -> part(scope, share, threshold))));
	}

	/** The share of another plan may be zero; no request is made for that plan then. */
	private static RLThreshold part(RuleScope scope, InstanceShare share, RLThreshold threshold) {
		return new RLThreshold(Math.max(1, share.of(scope, threshold.threshold())), threshold.window(),
				Math.max(1, share.of(scope, threshold.burst())));
	}

}
