package dev.ratelimit.limiter.refusal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.ratelimit.rule.RLConfig;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether the methods and paths of two rules may cover the same request.
 * Compares segment by segment, and assumes that a segment that is not plain text matches
 * anything. The rules are a tree of segments, so that a rule is compared only with those
 * whose paths begin as its own do.
 */
final class PathOverlap {

	private final PathNode root = new PathNode();

	/**
	 * Index rules by their paths.
	 * @param rules the rules; those without paths meet none
	 */
	PathOverlap(Collection<RLConfig> rules) {
		for (RLConfig rule : rules) {
			rule.requests().paths().forEach((path) -> add(rule, segments(path)));
		}
	}

	private void add(RLConfig rule, String[] segments) {
		PathNode node = this.root;
		for (String segment : segments) {
			if (isOpen(segment)) {
				node.open.add(rule);
				return;
			}
			node = node.next(segment);
		}
		node.ending.add(rule);
	}

	/**
	 * Whether another of the rules may cover the same request as a rule.
	 * @param rule the rule, which may be one of them
	 * @return whether there is another one
	 */
	boolean meetsAnother(RLConfig rule) {
		return rule.requests().paths().stream().anyMatch((path) -> meetsAnother(rule, this.root, segments(path), 0));
	}

	private static boolean meetsAnother(RLConfig rule, PathNode node, String[] segments, int index) {
		if (hasAnother(node.open, rule)) {
			return true;
		}
		if (index == segments.length) {
			return hasAnother(node.ending, rule);
		}
		String segment = segments[index];
		if (isOpen(segment)) {
			return hasAnotherBelow(node, rule);
		}
		return (isText(segment) ? node.matching(segment) : node.children())
			.anyMatch((child) -> meetsAnother(rule, child, segments, index + 1));
	}

	private static boolean hasAnotherBelow(PathNode node, RLConfig rule) {
		return hasAnother(node.open, rule) || hasAnother(node.ending, rule)
				|| node.children().anyMatch((child) -> hasAnotherBelow(child, rule));
	}

	private static boolean hasAnother(List<RLConfig> rules, RLConfig rule) {
		for (RLConfig other : rules) {
			if (!other.id().equals(rule.id()) && (isCoveredByMethods(rule, other) || isCoveredByMethods(other, rule))) {
				return true;
			}
		}
		return false;
	}

	private static boolean isCoveredByMethods(RLConfig one, RLConfig other) {
		return one.requests().methods().isEmpty()
				|| other.requests().methods().stream().anyMatch(one.requests()::coversMethod);
	}

	/** The path parser of the application may ignore a trailing slash. */
	private static String[] segments(String path) {
		return (path.endsWith("/") ? path.substring(0, path.length() - 1) : path).split("/", -1);
	}

	/**
	 * Whether any further segments may follow, also within a regular expression that
	 * contains a slash.
	 */
	private static boolean isOpen(String segment) {
		return segment.contains("**") || segment.contains("{*") || count(segment, '{') != count(segment, '}');
	}

	private static boolean isText(String segment) {
		return segment.indexOf('*') < 0 && segment.indexOf('{') < 0;
	}

	private static long count(String text, char wanted) {
		return text.chars().filter((c) -> c == wanted).count();
	}

	/** The paths that begin with the same segments. */
	private static final class PathNode {

		/** The path parser of the application may ignore case. */
		private final SortedMap<String, PathNode> byText = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

		private @Nullable PathNode byPattern;

		/** The rules with a path that has any further segments. */
		private final List<RLConfig> open = new ArrayList<>();

		/** The rules with a path that has no further segment. */
		private final List<RLConfig> ending = new ArrayList<>();

		PathNode next(String segment) {
			if (isText(segment)) {
				return this.byText.computeIfAbsent(segment, (text) -> new PathNode());
			}
			PathNode next = (this.byPattern != null) ? this.byPattern : new PathNode();
			this.byPattern = next;
			return next;
		}

		Stream<PathNode> matching(String text) {
			return Stream.concat(Stream.ofNullable(this.byText.get(text)), Stream.ofNullable(this.byPattern));
		}

		Stream<PathNode> children() {
			return Stream.concat(this.byText.values().stream(), Stream.ofNullable(this.byPattern));
		}

	}

}
