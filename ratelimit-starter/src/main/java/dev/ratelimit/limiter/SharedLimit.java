package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.outage.InstanceShare;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;

/**
 * The part of a limit that one instance admits alone: its share of each threshold and
 * each burst, in the same window.
 *
 * @param share the share of the instance
 * @param limit its limit; empty if its share of any threshold or burst is zero
 */
record SharedLimit(InstanceShare share, Optional<Limit> limit) {

	static SharedLimit of(InstanceShare share, RLConfig rule, List<RLThreshold> thresholds) {
		List<RLThreshold> parts = new ArrayList<>(thresholds.size());
		for (RLThreshold threshold : thresholds) {
			if (share.of(rule.scope(), threshold.threshold()) == 0 || share.of(rule.scope(), threshold.burst()) == 0) {
				return new SharedLimit(share, Optional.empty());
			}
			parts.add(part(rule.scope(), share, threshold));
		}
		return new SharedLimit(share,
				Optional.of(Limit.part(rule, parts, (threshold) -> part(rule.scope(), share, threshold))));
	}

	/** The share of another plan may be zero; no request is made for that plan then. */
	private static RLThreshold part(RuleScope scope, InstanceShare share, RLThreshold threshold) {
		return new RLThreshold(Math.max(1, share.of(scope, threshold.threshold())), threshold.window(),
				Math.max(1, share.of(scope, threshold.burst())));
	}

}
