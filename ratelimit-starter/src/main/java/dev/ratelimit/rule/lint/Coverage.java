package dev.ratelimit.rule.lint;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.RLConfig;

/**
 * Whether one rule applies wherever another one does. Simple on purpose: what is not
 * certain is answered with no.
 */
final class Coverage {

	private static final Pattern REST = Pattern.compile("\\{\\*[^{}:]+}");

	private static final Pattern VARIABLE = Pattern.compile("\\{[^{}:*]+}");

	/** Of many rules each is compared with all others. */
	private final Map<String, String> anonymous = new HashMap<>();

	/** Whether a rule refuses whatever exceeds it, whoever asks. */
	static boolean isAlwaysEnforced(RLConfig rule) {
		return !rule.shadow() && rule.when() instanceof Condition.Always && rule.countOn().isAlways();
	}

	static boolean coversMethods(RLConfig outer, RLConfig rule) {
		return outer.methods().isEmpty()
				|| (!rule.methods().isEmpty() && rule.methods().stream().allMatch(outer::coversMethod));
	}

	boolean coversPath(RLConfig outer, String path) {
		return outer.paths().stream().anyMatch((pattern) -> covers(pattern, path));
	}

	/** The same pattern, or all paths below a common start. */
	private boolean covers(String pattern, String path) {
		String outer = anonymous(pattern);
		String inner = anonymous(path);
		return outer.equals(inner) || (outer.endsWith("/**") && inner.regionMatches(0, outer, 0, outer.length() - 2));
	}

	/** Variables without their names: {@code {id}} as {@code *}. */
	private String anonymous(String path) {
		return this.anonymous.computeIfAbsent(path,
				(pattern) -> VARIABLE.matcher(REST.matcher(pattern).replaceAll("**")).replaceAll("*"));
	}

}
