package dev.ratelimit.limiter.outage;

import dev.ratelimit.rule.RLConfig;

/**
 * Determines whether the methods and paths of two rules may cover the same request.
 * Compares segment by segment, and assumes that a segment that is not plain text matches
 * anything.
 */
final class PathOverlap {

	private PathOverlap() {
	}

	static boolean mayMeet(RLConfig one, RLConfig other) {
		return (isCoveredByMethods(one, other) || isCoveredByMethods(other, one)) && one.paths()
			.stream()
			.anyMatch((path) -> other.paths().stream().anyMatch((another) -> mayOverlap(path, another)));
	}

	private static boolean isCoveredByMethods(RLConfig one, RLConfig other) {
		return one.methods().isEmpty() || other.methods().stream().anyMatch(one::coversMethod);
	}

	private static boolean mayOverlap(String path, String another) {
		String[] one = segments(path);
		String[] other = segments(another);
		for (int i = 0; i < Math.max(one.length, other.length); i++) {
			if ((i < one.length && isOpen(one[i])) || (i < other.length && isOpen(other[i]))) {
				return true;
			}
			if (i >= one.length || i >= other.length) {
				return false;
			}
			// The path parser of the application may ignore case.
			if (isText(one[i]) && isText(other[i]) && !one[i].equalsIgnoreCase(other[i])) {
				return false;
			}
		}
		return true;
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

}
