package dev.ratelimit.limiter;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.store.Limit;

/**
 * Writes the items of {@code RateLimit-Policy}: a quota and its window in whole seconds.
 * For a bucket whose burst differs from its quota, the burst is added. Tested by
 * {@code RateLimitHeadersTests}.
 */
public final class PolicyField {

	private PolicyField() {
	}

	static String of(Limit limit) {
		StringBuilder field = new StringBuilder();
		for (int i = 0; i < limit.size(); i++) {
			RLThreshold threshold = limit.thresholds().get(i);
			append(field, limit.policies().get(i), threshold.threshold(), threshold.window(), threshold.burst());
		}
		return field.toString();
	}

	/**
	 * Write the items for a decision of which no allowance is known.
	 * @param decision the decision
	 * @return one item per window that was counted
	 */
	public static String of(RateLimitDecision decision) {
		StringBuilder field = new StringBuilder();
		for (Quota quota : decision.quotas()) {
			append(field, quota.policy(), quota.threshold(), quota.window(), quota.limit());
		}
		return field.toString();
	}

	private static void append(StringBuilder field, String policy, long quota, RLWindow window, long burst) {
		field.append(field.isEmpty() ? "\"" : ",\"").append(policy).append("\";q=").append(quota);
		window.length()
			.filter((length) -> length.toNanosPart() == 0)
			.ifPresent((length) -> field.append(";w=").append(length.toSeconds()));
		if (burst != quota) {
			field.append(";ratelimit-burst=").append(burst);
		}
	}

}
