package dev.ratelimit.web.key;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds a parameter in the query of a request. Tested by {@code KeysTests}.
 */
public final class QueryText {

	private QueryText() {
	}

	/**
	 * Find the first parameter of a name.
	 * @param query the text behind the question mark, as the client wrote it
	 * @param name the name
	 * @return its decoded value, or the undecoded one if it cannot be decoded; empty if
	 * it is absent or blank
	 */
	public static Optional<String> find(String query, String name) {
		for (String pair : query.split("&", -1)) {
			int equals = pair.indexOf('=');
			if (equals > 0 && decode(pair.substring(0, equals)).equals(name)) {
				return Optional.of(decode(pair.substring(equals + 1))).filter((value) -> !value.isBlank());
			}
		}
		return Optional.empty();
	}

	private static String decode(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return text;
		}
	}

}
