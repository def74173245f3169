package dev.ratelimit.integration.routes;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The ways to write a path that some parser between client and handler takes for the
 * plain one: generated at each of its separators, segments and ends.
 */
final class Spellings {

	/** Behind a separator. */
	private static final List<String> SEGMENTS = List.of("/", "//", "./", "%2e/", "%2E/", ";/", ";x/", ";x=1/", ".;/",
			"x/../", "x/%2e%2e/", "x/.%2e/", "x/..;/", "x/..;x/", "../", "..;/", "%20/", "%09/", "%00/", "%2f", "%5c",
			"\\", "%252e/", "%252e%252e/", "x%2f../", "x/..%2f", "x/..%5c");

	private static final List<String> SEPARATORS = List.of("%2f", "%2F", "%252f", "%5c", "\\", ";/", ";x/", ";x=1/",
			"%20/", "./", "%2e/", "%00/");

	private static final List<String> ENDS = List.of("/", "//", "/.", "/./", "/%2e", "/x/..", "/x/..;", ";", ";x",
			";x=1", "/;", "/;x", "%20", "%00", "%0a", ".", "%2e", "%2f", "%5c", "?", "?x=/", "#", "#x", "/..;/");

	/** In front, where {@code /public} is exempt. */
	private static final List<String> STARTS = List.of("/public/..", "/public/%2e%2e", "/public/..;", "/public;/..",
			"/public/..;x", "/public/x/../..", "/public/.//..", "/public//../..", "/public/..%2f", "/public%2f..",
			"http://localhost", "http://localhost/", "/.", "/..", "/%2e%2e", "/..;", "/;", "/;/..");

	private Spellings() {
	}

	/** All of them, the plain one first. */
	static List<String> of(String path) {
		Set<String> all = new LinkedHashSet<>(List.of(path));
		for (int i = 0; i < path.length(); i++) {
			String before = path.substring(0, i);
			String after = path.substring(i + 1);
			char c = path.charAt(i);
			if (c == '/') {
				SEGMENTS.forEach((segment) -> all.add(before + "/" + segment + after));
				SEPARATORS.forEach((separator) -> all.add(before + separator + after));
			}
			else {
				all.add(before + String.format(Locale.ROOT, "%%%02x", (int) c) + after);
				all.add(before + String.format(Locale.ROOT, "%%25%02x", (int) c) + after);
				all.add(before + swapped(c) + after);
			}
		}
		ENDS.forEach((end) -> all.add(path + end));
		STARTS.forEach((start) -> all.add(start + path));
		return List.copyOf(all);
	}

	private static char swapped(char c) {
		return Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c);
	}

}
