package dev.ratelimit.client;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A host, or with {@code *.} before a domain all hosts below that. Costs a comparison.
 *
 * @param text the pattern in lower case
 */
record HostPattern(String text) {

	private static final String ANY_BELOW = "*.";

	private static final Pattern SYNTAX = Pattern
		.compile("(\\*\\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*|\\[[0-9a-f:.]+]");

	HostPattern {
		text = text.toLowerCase(Locale.ROOT);
		if (!SYNTAX.matcher(text).matches()) {
			throw new IllegalArgumentException("'" + text + "' is no host: write it without scheme, port and path, "
					+ "such as api.example.com, or *.example.com for all hosts below example.com");
		}
	}

	boolean matches(String host) {
		return this.text.startsWith(ANY_BELOW)
				? host.length() >= this.text.length() && host.regionMatches(true,
						host.length() - this.text.length() + 1, this.text, 1, this.text.length() - 1)
				: host.equalsIgnoreCase(this.text);
	}

}
