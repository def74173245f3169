package dev.ratelimit.web;

import java.util.ArrayDeque;
import java.util.Deque;

import org.springframework.http.server.PathContainer;

/**
 * The normal form of a path: no empty segment, no {@code .} and {@code ..}, and no
 * encoded separator. Parsers disagree on a path that is not in this form, so a rule may
 * match a different path than the one that is served. Tested by {@code RouteTableTests}.
 */
public final class NormalPath {

	private NormalPath() {
	}

	/** Whether a path is in this form; a trailing slash is allowed. */
	public static boolean is(PathContainer path) {
		boolean afterSeparator = false;
		for (PathContainer.Element element : path.elements()) {
			boolean isSeparator = element instanceof PathContainer.Separator;
			if (isSeparator ? afterSeparator : !isPlain(((PathContainer.PathSegment) element).valueToMatch())) {
				return false;
			}
			afterSeparator = isSeparator;
		}
		return true;
	}

	private static boolean isPlain(String segment) {
		return !segment.isEmpty() && !segment.equals(".") && !segment.equals("..") && segment.indexOf('/') < 0
				&& segment.indexOf('\\') < 0;
	}

	/** Whether a path other than {@code /} ends in a slash. */
	public static boolean endsInSlash(PathContainer path) {
		int last = path.elements().size() - 1;
		return last > 0 && path.elements().get(last) instanceof PathContainer.Separator;
	}

	/** The path as a parser reads it that cleans paths, without a trailing slash. */
	public static PathContainer of(PathContainer path) {
		Deque<String> segments = new ArrayDeque<>();
		for (PathContainer.Element element : path.elements()) {
			if (element instanceof PathContainer.PathSegment segment) {
				for (String part : segment.valueToMatch().split("[/\\\\]", -1)) {
					if (part.equals("..")) {
						segments.pollLast();
					}
					else if (!part.isEmpty() && !part.equals(".")) {
						segments.addLast(part);
					}
				}
			}
		}
		return PathForms.text("/" + String.join("/", segments));
	}

}
