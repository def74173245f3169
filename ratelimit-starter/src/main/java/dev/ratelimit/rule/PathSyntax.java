package dev.ratelimit.rule;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The part of the {@code PathPattern} syntax that rules may use. Patterns that the parser
 * accepts but that never match are refused, and so are regular expressions that a client
 * could make expensive.
 */
final class PathSyntax {

	/** Outside variables, these have no meaning in a pattern. */
	private static final Pattern REGEX = Pattern.compile("[\\^$()|\\\\\\[\\]]|\\.[*+]");

	private static final Pattern VARIABLE = Pattern.compile("\\{(?:[^{}]++|\\{[^{}]*+})*+}");

	/** A character class, optionally repeated a bounded number of times. */
	private static final Pattern SAFE_REGEX = Pattern
		.compile("(\\[[^\\[\\]&]+]|\\\\[dwDW])(\\{([0-9]{1,4},)?[1-9][0-9]{0,3}})?");

	/** The upper bound of such an expression. */
	private static final Pattern BOUND = Pattern.compile("([0-9]{1,4})}$");

	/** As long as a path can be that servers accept by default. */
	private static final long LONGEST = 8192;

	/** They take a few milliseconds. */
	private static final long MOST_STEPS = 1_000_000;

	private PathSyntax() {
	}

	static void require(String path) {
		if (REGEX.matcher(VARIABLE.matcher(path).replaceAll("")).find()) {
			throw invalid(path, "looks like a regular expression, but is matched as a pattern",
					"Write one pattern per path, such as /login, /api/auth/login/**. A character of the path itself goes into a variable: /{dollar:[$]}batch");
		}
		if (!path.startsWith("/")) {
			throw invalid(path, "does not start with a slash and would match nothing", "Write /" + path.strip());
		}
		if (path.contains("//")) {
			throw invalid(path, "has an empty segment and would match nothing",
					"Remove a slash; where a placeholder ends with one, write none behind it");
		}
		variables(path);
		requireFewSteps(path);
		for (int i = 0; i < path.length(); i++) {
			char c = path.charAt(i);
			if (isBlank(c)) {
				throw invalid(path, "contains a blank and would match nothing", "Remove it");
			}
			if (c == '%') {
				throw invalid(path, "contains '%' and would match nothing",
						"Write the decoded character: paths are matched decoded");
			}
			if (c == ';') {
				throw invalid(path, "contains ';' and would match nothing",
						"Remove it and what follows: paths are matched without their parameters");
			}
			if (c == '?') {
				throw invalid(path, "contains '?'",
						"A rule matches paths without their query; use {name} or * for what varies");
			}
		}
	}

	/**
	 * A segment is matched by a regular expression, which tries all ways to divide a text
	 * among its wildcards and variables if none fits: with three wildcards for minutes. A
	 * wildcard at the end always takes what is left.
	 */
	private static void requireFewSteps(String path) {
		long steps = 1;
		for (int i = 0; i < path.length(); i++) {
			char c = path.charAt(i);
			int end = (c == '{') ? endOfVariable(path, i) : i;
			if (c == '/') {
				steps = 1;
			}
			else if (c == '*' || c == '{') {
				boolean last = end + 1 == path.length() || path.charAt(end + 1) == '/';
				boolean isUnbounded = c == '*' || path.substring(i, end).indexOf(':') < 0;
				steps *= isUnbounded ? (last ? 1 : LONGEST) : longest(path.substring(i, end));
			}
			if (steps > MOST_STEPS) {
				throw invalid(path, "has several wildcards in one segment, which a client could make slow to match",
						"Use one in a segment, or a second one at its end, or bounded ones such as {id:[0-9]{1,9}}");
			}
			i = end;
		}
	}

	/** The longest text of a variable with an expression, which is a safe one. */
	private static long longest(String variable) {
		Matcher bound = BOUND.matcher(variable);
		return bound.find() ? Long.parseLong(bound.group(1)) : 1;
	}

	private static int endOfVariable(String path, int start) {
		int depth = 0;
		for (int i = start; i < path.length(); i++) {
			depth += (path.charAt(i) == '{') ? 1 : (path.charAt(i) == '}') ? -1 : 0;
			if (depth == 0) {
				return i;
			}
		}
		return path.length() - 1;
	}

	/** Includes invisible characters: no-break and zero-width spaces. */
	private static boolean isBlank(char c) {
		return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c)
				|| Character.getType(c) == Character.FORMAT;
	}

	/**
	 * The names of the variables of a path pattern.
	 * @param path the pattern
	 * @return the names
	 * @throws InvalidRuleException if its braces are not balanced or a regular expression
	 * is refused
	 */
	static Set<String> variables(String path) {
		Set<String> variables = new LinkedHashSet<>();
		int depth = 0;
		int start = 0;
		for (int i = 0; i < path.length(); i++) {
			char c = path.charAt(i);
			if (c == '{' && depth++ == 0) {
				start = i + 1;
			}
			else if (c == '}' && --depth == 0) {
				variables.add(variable(path, path.substring(start, i)));
			}
			if (depth < 0) {
				break;
			}
		}
		if (depth != 0) {
			throw invalid(path, "has unbalanced braces", "Close every { with a }");
		}
		return variables;
	}

	private static String variable(String path, String text) {
		int colon = text.indexOf(':');
		String name = (colon < 0) ? text : text.substring(0, colon);
		if (colon >= 0 && !isSafe(text.substring(colon + 1))) {
			throw invalid(path, "has a regular expression that a client could make slow or that can never match",
					"Use a character class with at most one bounded quantifier, such as {id:[0-9]{1,9}}, or none");
		}
		return name.startsWith("*") ? name.substring(1) : name;
	}

	private static boolean isSafe(String regex) {
		try {
			return SAFE_REGEX.matcher(regex).matches() && !Pattern.compile(regex).pattern().isEmpty();
		}
		catch (PatternSyntaxException ex) {
			return false;
		}
	}

	private static InvalidRuleException invalid(String path, String reason, String cure) {
		return new InvalidRuleException("paths", path, reason, cure);
	}

}
