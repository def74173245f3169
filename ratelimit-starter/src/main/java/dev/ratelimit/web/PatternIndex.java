package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Finds the patterns that may match a path by their first segment, at the cost of one map
 * look-up: those that begin with the segment of the path, and those that begin with a
 * wildcard. Tested by {@code RouteTableTests}.
 *
 * @param <T> what has a pattern
 */
final class PatternIndex<T> {

	private final boolean caseSensitive;

	/** By a literal first segment, each list with the wildcards. */
	private final Map<String, List<T>> bySegment = new HashMap<>();

	private final List<T> wildcards;

	/**
	 * Index patterns.
	 * @param all what has a pattern; results are in the same order
	 * @param pattern its pattern
	 * @param caseSensitive whether the patterns are case-sensitive
	 */
	PatternIndex(List<T> all, Function<T, PathPattern> pattern, boolean caseSensitive) {
		this.caseSensitive = caseSensitive;
		List<T> wildcards = new ArrayList<>();
		for (T one : all) {
			String segment = firstSegment(pattern.apply(one));
			if (segment.isEmpty()) {
				wildcards.add(one);
				this.bySegment.values().forEach((ones) -> ones.add(one));
			}
			else {
				this.bySegment.computeIfAbsent(segment, (first) -> new ArrayList<>(wildcards)).add(one);
			}
		}
		this.bySegment.replaceAll((segment, ones) -> List.copyOf(ones));
		this.wildcards = List.copyOf(wildcards);
	}

	/** The first segment of a pattern, or an empty text if it is not literal. */
	private String firstSegment(PathPattern pattern) {
		String[] segments = pattern.getPatternString().split("/", 3);
		boolean literal = segments.length > 1 && segments[1].chars().noneMatch((c) -> c == '*' || c == '{' || c == '?');
		return literal ? folded(segments[1]) : "";
	}

	/**
	 * Folds character by character, as {@code PathPattern} does: a string in lower case
	 * may have another length or another final letter.
	 */
	private String folded(String text) {
		if (this.caseSensitive) {
			return text;
		}
		char[] chars = text.toCharArray();
		for (int i = 0; i < chars.length; i++) {
			chars[i] = Character.toLowerCase(chars[i]);
		}
		return new String(chars);
	}

	/**
	 * Find the patterns that may match a path.
	 * @param path the path
	 * @return those that begin with its first segment or with a wildcard
	 */
	List<T> find(PathContainer path) {
		List<PathContainer.Element> elements = path.elements();
		if (elements.size() > 1 && elements.get(1) instanceof PathContainer.PathSegment segment) {
			return this.bySegment.getOrDefault(folded(segment.valueToMatch()), this.wildcards);
		}
		return this.wildcards;
	}

}
