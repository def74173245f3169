package dev.ratelimit.rule.lint;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.RLConfig;

/**
 * Whether one rule applies wherever another one does. Simple on purpose: what is not
 * certain is answered with no.
 */
final class Coverage {

	private Coverage() {
	}

	/** Whether a rule refuses whatever exceeds it, whoever asks. */
	static boolean isAlwaysEnforced(RLConfig rule) {
		return !rule.shadow() && rule.when() instanceof Condition.Always && rule.countOn().isAlways();
	}

	static boolean coversMethods(RLConfig outer, RLConfig rule) {
		return outer.methods().isEmpty()
				|| (!rule.methods().isEmpty() && rule.methods().stream().allMatch(outer::coversMethod));
	}

	static boolean coversPath(RLConfig outer, String path) {
		return outer.paths().stream().anyMatch((pattern) -> covers(pattern, path));
	}

	/** The same pattern, or all paths below a common start. */
	private static boolean covers(String pattern, String path) {
		String outer = anonymous(pattern);
		String inner = anonymous(path);
		return outer.equals(inner)
				|| (outer.endsWith("/**") && inner.startsWith(outer.substring(0, outer.length() - 2)));
	}

	/** Variables without their names: {@code {id}} as {@code *}. */
	private static String anonymous(String pattern) {
		return pattern.replaceAll("\\{\\*[^{}:]+}", "**").replaceAll("\\{[^{}:*]+}", "*");
	}

}
