package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A key of rules: its name, the form of its value, and how a value is read. The starter
 * has those of {@link RuleKey}. A value of {@code on-limit} or {@code scope} that a
 * module adds has keys of its own.
 */
public interface RuleOption {

	/**
	 * The key as it is written in a rule.
	 * @return for example {@code on-store-failure}; a dot stands between a group and its
	 * key
	 */
	String text();

	/**
	 * The form of its value, which defines the names allowed below the key.
	 * @return the form
	 */
	default ValueKind kind() {
		return ValueKind.TEXT;
	}

	/**
	 * What it does, for editors and the reference.
	 * @return a sentence or two
	 */
	String meaning();

	/**
	 * Read its value, or one element of it if it is a list.
	 * @param text the text
	 * @return the value, of the type of its default
	 * @throws InvalidRuleException if the text is wrong
	 */
	Object parse(String text);

	/**
	 * Whether it is allowed under {@code ratelimit.defaults}.
	 * @return whether rules may inherit it
	 */
	default boolean isDefault() {
		return true;
	}

	/**
	 * Its value in a rule.
	 * @param rule the rule
	 * @return the value; null if the rule has none
	 */
	default @Nullable Object value(RLConfig rule) {
		Object ofScope = rule.counting().scope().value(this);
		return (ofScope != null) ? ofScope : rule.enforcement().onLimit().value(this);
	}

	/**
	 * Its value in a rule, for people.
	 * @param rule the rule
	 * @return a boolean, a number, an object with a text, or a collection or map of such;
	 * empty if the rule has none
	 */
	default Optional<Object> shown(RLConfig rule) {
		return Optional.ofNullable(value(rule)).map(RuleOption::text);
	}

	private static Object text(Object value) {
		if (value instanceof RuleChoice choice) {
			return choice.text();
		}
		if (value instanceof Enum<?> constant) {
			return Values.text(constant);
		}
		return (value instanceof Duration duration) ? DurationText.of(duration) : value;
	}

}
