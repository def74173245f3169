package dev.ratelimit.rule.lint;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.RLConfig;

/**
 * Decides whether one rule applies wherever another one does. Deliberately simple: an
 * uncertain case is a no.
 */
final class Coverage {

	private static final Pattern REST = Pattern.compile("\\{\\*[^{}:]+}");

	private static final Pattern VARIABLE = Pattern.compile("\\{[^{}:*]+}");

	/** Cached, because each rule is compared with all others. */
	private final Map<String, String> anonymous = new HashMap<>();

	/** Whether a rule refuses all requests that exceed it, regardless of the client. */
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

	/** The same pattern, or all paths below a common prefix. */
	private boolean covers(String pattern, String path) {
		String outer = anonymous(pattern);
		String inner = anonymous(path);
		return outer.equals(inner) || (outer.endsWith("/**") && inner.regionMatches(0, outer, 0, outer.length() - 2));
	}

	/** Replaces named variables: {@code {id}} becomes {@code *}. */
	private String anonymous(String path) {
		return this.anonymous.computeIfAbsent(path,
				(pattern) -> VARIABLE.matcher(REST.matcher(pattern).replaceAll("**")).replaceAll("*"));
	}

}
