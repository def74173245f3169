package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.share.Share;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;

/**
 * The part of a limit that one instance admits alone: of each threshold and each burst
 * its share, in the same window.
 *
 * @param share the share of the instance
 * @param limit its limit; nothing where its share of any threshold or burst is zero
 */
record SharedLimit(Share share, Optional<Limit> limit) {

	static SharedLimit of(Share share, RLConfig rule, List<RLThreshold> thresholds) {
		List<RLThreshold> parts = new ArrayList<>(thresholds.size());
		for (RLThreshold threshold : thresholds) {
			long part = share.of(threshold.threshold());
			long burst = share.of(threshold.burst());
			if (part == 0 || burst == 0) {
				return new SharedLimit(share, Optional.empty());
			}
			parts.add(new RLThreshold(part, threshold.window(), burst));
		}
		return new SharedLimit(share, Optional.of(Limit.of(rule, parts)));
	}

}
