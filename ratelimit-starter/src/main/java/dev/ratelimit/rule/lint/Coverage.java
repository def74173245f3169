package dev.ratelimit.rule.lint;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.RLConfig;

/**
 * Decides whether one rule applies wherever another one does. Deliberately simple: an
 * uncertain case is a no. The rules are indexed by their patterns, so that a rule is not
 * compared with each other one.
 */
final class Coverage {

	private static final Pattern REST = Pattern.compile("\\{\\*[^{}:]+}");

	private static final Pattern VARIABLE = Pattern.compile("\\{[^{}:*]+}");

	/** Cached, because a rule may be compared with many others. */
	private final Map<String, String> anonymous = new HashMap<>();

	/** The rules by their patterns, each with its position. */
	private final Map<String, Map<Integer, RLConfig>> byPattern = new HashMap<>();

	Coverage(List<RLConfig> rules) {
		for (int i = 0; i < rules.size(); i++) {
			RLConfig rule = rules.get(i);
			for (String path : rule.paths()) {
				this.byPattern.computeIfAbsent(anonymous(path), (pattern) -> new HashMap<>()).put(i, rule);
			}
		}
	}

	/** Whether a rule refuses all requests that exceed it, regardless of the client. */
	static boolean isAlwaysEnforced(RLConfig rule) {
		return !rule.shadow() && rule.when() instanceof Condition.Always && rule.countOn().isAlways();
	}

	static boolean coversMethods(RLConfig outer, RLConfig rule) {
		return outer.methods().isEmpty()
				|| (!rule.methods().isEmpty() && rule.methods().stream().allMatch(outer::coversMethod));
	}

	/** The rules that cover a path, in their order: those that {@link #coversPath}. */
	Collection<RLConfig> covering(String path) {
		String inner = anonymous(path);
		Map<Integer, RLConfig> covering = new TreeMap<>(this.byPattern.getOrDefault(inner, Map.of()));
		for (int slash = inner.indexOf('/'); slash >= 0; slash = inner.indexOf('/', slash + 1)) {
			covering.putAll(this.byPattern.getOrDefault(inner.substring(0, slash + 1) + "**", Map.of()));
		}
		return covering.values();
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
