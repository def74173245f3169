package dev.ratelimit.rule.lint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

	private final Map<String, List<RLConfig>> byPattern = new HashMap<>();

	Coverage(List<RLConfig> rules) {
		for (RLConfig rule : rules) {
			for (String path : rule.requests().paths()) {
				this.byPattern.computeIfAbsent(anonymous(path), (pattern) -> new ArrayList<>()).add(rule);
			}
		}
	}

	/** Whether a rule refuses all requests that exceed it, regardless of the client. */
	static boolean isAlwaysEnforced(RLConfig rule) {
		return !rule.enforcement().shadow() && rule.requests().when() instanceof Condition.Always
				&& rule.counting().countOn().isAlways();
	}

	static boolean coversMethods(RLConfig outer, RLConfig rule) {
		Set<String> methods = rule.requests().methods();
		return outer.requests().methods().isEmpty()
				|| (!methods.isEmpty() && methods.stream().allMatch(outer.requests()::coversMethod));
	}

	/** The rules with the same pattern, or with all paths below a common prefix. */
	Stream<RLConfig> covering(String path) {
		String inner = anonymous(path);
		Stream<String> prefixes = IntStream.range(0, inner.length())
			.filter((i) -> inner.charAt(i) == '/')
			.mapToObj((i) -> inner.substring(0, i + 1) + "**");
		return Stream.concat(Stream.of(inner), prefixes)
			.flatMap((pattern) -> this.byPattern.getOrDefault(pattern, List.of()).stream());
	}

	/** Replaces named variables: {@code {id}} becomes {@code *}. */
	private static String anonymous(String path) {
		return VARIABLE.matcher(REST.matcher(path).replaceAll("**")).replaceAll("*");
	}

}
