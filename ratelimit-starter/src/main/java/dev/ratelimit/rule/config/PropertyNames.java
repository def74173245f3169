package dev.ratelimit.rule.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares and splits the names of properties.
 */
final class PropertyNames {

	private static final Pattern ELEMENT = Pattern.compile("(?:^|\\.)([^.\\[]*)|\\[([^]]*)]?|[^.\\[]+");

	private PropertyNames() {
	}

	/**
	 * The form in which spellings of one name are equal. It compares names as Boot does,
	 * but keeps other characters, so that a name with a stray character is found to be
	 * unknown.
	 */
	static String uniform(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * The elements of a name: {@code a.b[0]} has a, b and 0; {@code a[x.y].b} has a, x.y
	 * and b.
	 */
	static List<String> elements(String name) {
		return ELEMENT.matcher(name)
			.results()
			.map((element) -> Stream.of(element.group(1), element.group(2), element.group())
				.filter(Objects::nonNull)
				.findFirst()
				.orElseThrow())
			.toList();
	}

	/** The environment variable that Boot documents for a name. */
	static String variable(String name) {
		return name.replace("-", "").replaceAll("[.\\[]", "_").replace("]", "").toUpperCase(Locale.ROOT);
	}

	/**
	 * The name that was probably intended: at most two letters differ.
	 */
	static Optional<String> nearest(String name, Collection<String> candidates) {
		int limit = Math.min(3, name.length() / 2);
		ToIntFunction<String> distance = (candidate) -> distance(uniform(name), uniform(candidate));
		return candidates.stream()
			.filter((candidate) -> distance.applyAsInt(candidate) < limit)
			.min(Comparator.comparingInt(distance));
	}

	private static int distance(String a, String b) {
		int[] previous = new int[b.length() + 1];
		for (int j = 0; j <= b.length(); j++) {
			previous[j] = j;
		}
		for (int i = 1; i <= a.length(); i++) {
			int[] current = new int[b.length() + 1];
			current[0] = i;
			for (int j = 1; j <= b.length(); j++) {
				int substitution = previous[j - 1] + ((a.charAt(i - 1) == b.charAt(j - 1)) ? 0 : 1);
				current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
			}
			previous = current;
		}
		return previous[b.length()];
	}

}
