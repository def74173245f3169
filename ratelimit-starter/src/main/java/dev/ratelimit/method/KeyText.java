package dev.ratelimit.method;

import java.lang.reflect.Modifier;
import java.util.Optional;

import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The text of an argument as a part of a key. A type whose text differs from object to
 * object, such as an array, would give each call its own bucket, so that no call would
 * ever be limited.
 */
final class KeyText {

	private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return !type.isArray() && isOverridden(type);
		}

	};

	private KeyText() {
	}

	private static boolean isOverridden(Class<?> type) {
		try {
			return type.getMethod("toString").getDeclaringClass() != Object.class;
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Check the declared type of a parameter, as far as it allows a conclusion.
	 * @param name the name of the parameter
	 * @param type its type
	 * @throws InvalidRuleException if objects of that type have no text of their own
	 */
	static void requireText(String name, Class<?> type) {
		if (type.isArray() || !mayHaveText(type)) {
			throw new InvalidRuleException("key", name,
					"is of type " + type.getSimpleName() + ", which has no text of its own (toString)",
					"Write an expression for the part that tells callers apart, such as #" + name + ".id");
		}
	}

	/** The type of the argument may be more specific than the declared type. */
	private static boolean mayHaveText(Class<?> type) {
		return type == Object.class || Modifier.isAbstract(type.getModifiers()) || HAS_TEXT.get(type);
	}

	/**
	 * The text of an argument.
	 * @param argument the argument
	 * @return its text; empty if it is absent or blank
	 * @throws IllegalArgumentException if it has no text of its own
	 */
	static Optional<String> of(@Nullable Object argument) {
		Object value = ObjectUtils.unwrapOptional(argument);
		if (value == null) {
			return Optional.empty();
		}
		if (!HAS_TEXT.get(value.getClass())) {
			throw new IllegalArgumentException("A rate limit key cannot be made of " + value.getClass().getName()
					+ ", which has no text of its own");
		}
		String text = value.toString();
		return text.isBlank() ? Optional.empty() : Optional.of(text);
	}

}
