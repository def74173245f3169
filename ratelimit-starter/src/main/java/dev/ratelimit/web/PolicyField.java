package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.limiter.CompiledAllowance;
import dev.ratelimit.rule.RLThreshold;

/**
 * The items of {@code RateLimit-Policy}: a quota and, in whole seconds, its window.
 */
final class PolicyField {

	private PolicyField() {
	}

	static String of(CompiledAllowance.Limited limited) {
		StringBuilder field = new StringBuilder();
		List<String> policies = limited.policies();
		for (int i = 0; i < policies.size(); i++) {
			RLThreshold threshold = limited.thresholds().get(i);
			field.append(field.isEmpty() ? "\"" : ",\"").append(policies.get(i));
			field.append("\";q=").append(threshold.burst());
			if (threshold.window().toMillis() % 1000 == 0) {
				field.append(";w=").append(threshold.window().toSeconds());
			}
		}
		return field.toString();
	}

}
