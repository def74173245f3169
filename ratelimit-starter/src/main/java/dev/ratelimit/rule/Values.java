package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Converts the values of keys that have no type of their own.
 */
final class Values {

	private static final Set<String> TRUE = Set.of("true", "on", "yes", "1");

	private static final Set<String> FALSE = Set.of("false", "off", "no", "0");

	private Values() {
	}

	static boolean bool(String text) {
		String lowerCase = text.toLowerCase(Locale.ROOT);
		if (TRUE.contains(lowerCase) || FALSE.contains(lowerCase)) {
			return TRUE.contains(lowerCase);
		}
		throw new InvalidRuleException("", text, "is neither true nor false", "Write true or false");
	}

	static String method(String text) {
		String method = HttpMethods.named(text);
		RuleConstraints.requireMethod(method);
		return method;
	}

	static String path(String text) {
		RLConfig.requirePath(text);
		return text;
	}

	/** A value that is not left to the limiter. */
	static Optional<String> unlessAuto(String text) {
		return text.equals("auto") ? Optional.empty() : Optional.of(text);
	}

	static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
		for (E constant : type.getEnumConstants()) {
			if (uniform(constant.name()).equals(uniform(text))) {
				return constant;
			}
		}
		String names = Arrays.stream(type.getEnumConstants()).map(Values::text).collect(Collectors.joining(", "));
		throw new InvalidRuleException("", text, "is not known", "Use " + names);
	}

	static String uniform(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * A constant as it is written in a rule.
	 * @param constant the constant
	 * @return for example {@code token-bucket}
	 */
	static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
