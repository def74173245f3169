package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.outage.InstanceShare;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
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
			if (share.of(threshold.threshold()) == 0 || share.of(threshold.burst()) == 0) {
				return new SharedLimit(share, Optional.empty());
			}
			parts.add(part(share, threshold));
		}
		return new SharedLimit(share, Optional.of(Limit.part(rule, parts, (threshold) -> part(share, threshold))));
	}

	/** The share of another plan may be zero; no request is made for that plan then. */
	private static RLThreshold part(InstanceShare share, RLThreshold threshold) {
		return new RLThreshold(Math.max(1, share.of(threshold.threshold())), threshold.window(),
				Math.max(1, share.of(threshold.burst())));
	}

}
