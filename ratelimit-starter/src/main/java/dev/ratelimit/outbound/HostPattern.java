package dev.ratelimit.outbound;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A host, or with {@code *.} before a domain all hosts below it. A host is a name or an
 * IPv4 address, not an IPv6 address. Matching costs one comparison.
 *
 * @param text the pattern in lower case
 */
public record HostPattern(String text) {

	private static final String ANY_BELOW = "*.";

	private static final String LABEL = "[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?";

	private static final Pattern NAME = Pattern.compile("(?i)(\\*\\.)?%s(\\.%<s)*".formatted(LABEL));

	private static final Pattern PORT = Pattern.compile(":[0-9]*$");

	/**
	 * Create a pattern.
	 * @param text the pattern in upper, lower or mixed case
	 * @throws IllegalArgumentException if it is not a pattern
	 */
	public HostPattern {
		if (!isValid(text)) {
			throw new IllegalArgumentException("'" + text + "' is no host: write it without scheme, port and path, "
					+ "such as api.example.com, or *.example.com for all hosts below example.com");
		}
		text = text.toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether a text is a host, or a domain with {@code *.} before it.
	 * @param text the text
	 * @return whether it is a valid pattern
	 */
	public static boolean isValid(String text) {
		return NAME.matcher(text).matches();
	}

	/**
	 * The host of a URI. {@link URI} returns none with an underscore, but such hosts
	 * exist.
	 * @param uri the URI that is called
	 * @return its host in lower case; empty if it has none
	 */
	public static String hostOf(URI uri) {
		String host = uri.getHost();
		if (host == null) {
			String authority = Objects.requireNonNullElse(uri.getRawAuthority(), "");
			host = PORT.matcher(authority.substring(authority.lastIndexOf('@') + 1)).replaceFirst("");
		}
		return host.toLowerCase(Locale.ROOT);
	}

	boolean matches(String host) {
		return this.text.startsWith(ANY_BELOW)
				? host.length() >= this.text.length() && host.regionMatches(true,
						host.length() - this.text.length() + 1, this.text, 1, this.text.length() - 1)
				: host.equalsIgnoreCase(this.text);
	}

}
