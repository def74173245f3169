package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.limiter.CompiledAllowance;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;

/**
 * Writes the items of {@code RateLimit-Policy}: a quota and its window in whole seconds.
 * For a bucket whose burst differs from its quota, the burst is added. Tested by
 * {@code RateLimitHeadersTests}.
 */
final class PolicyField {

	private PolicyField() {
	}

	static String of(CompiledAllowance.CompiledLimited limited) {
		StringBuilder field = new StringBuilder();
		List<String> policies = limited.policies();
		for (int i = 0; i < policies.size(); i++) {
			RLThreshold threshold = limited.thresholds().get(i);
			append(field, policies.get(i), threshold.threshold(), threshold.window(), threshold.burst());
		}
		return field.toString();
	}

	static String of(RateLimitDecision decision) {
		StringBuilder field = new StringBuilder();
		for (Quota quota : decision.quotas()) {
			append(field, quota.policy(), quota.threshold(), quota.window(), quota.limit());
		}
		return field.toString();
	}

	private static void append(StringBuilder field, String policy, long quota, RLWindow window, long burst) {
		field.append(field.isEmpty() ? "\"" : ",\"").append(policy).append("\";q=").append(quota);
		window.length()
			.filter((length) -> length.getNano() == 0)
			.ifPresent((length) -> field.append(";w=").append(length.toSeconds()));
		if (burst != quota) {
			field.append(";ratelimit-burst=").append(burst);
		}
	}

}
