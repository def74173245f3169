package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A key of a rule: its name, the form of its value, how the value is read, set and shown,
 * and to which rules it applies. {@link RuleKeys} lists all keys.
 *
 * @param <E> the type of its value, or of each element if the value is a list
 * @param name the key as it is written, such as {@code on-store-failure}
 * @param meaning what it does, for editors and the reference
 * @param kind the form of its value, which defines the names allowed below the key
 * @param group the keys it is read with
 * @param isDefault whether it is allowed under {@code ratelimit.defaults}
 * @param owner the key that decides whether it applies; empty if it applies to all rules
 * @param parser reads the value, or one element of it
 * @param setter sets the elements of the value in a rule; one element if it is no list
 * @param getter the value in a rule; empty if it is not shown for the rule
 */
public record RuleKey<E>(String name, String meaning, ValueKind kind, Group group, boolean isDefault,
		Optional<Owner> owner, Function<String, E> parser, BiConsumer<RLConfigBuilder, List<E>> setter,
		Function<RLConfig, Optional<?>> getter) {

	/** The same key in another group. */
	RuleKey<E> in(Group other) {
		return new RuleKey<>(this.name, this.meaning, this.kind, other, this.isDefault, this.owner, this.parser,
				this.setter, this.getter);
	}

	/** The same key, not allowed under {@code ratelimit.defaults}. */
	RuleKey<E> ofRulesOnly() {
		return new RuleKey<>(this.name, this.meaning, this.kind, this.group, false, this.owner, this.parser,
				this.setter, this.getter);
	}

	/** The same key, shown for some rules only. */
	RuleKey<E> shownIf(Predicate<RLConfig> condition) {
		return new RuleKey<>(this.name, this.meaning, this.kind, this.group, this.isDefault, this.owner, this.parser,
				this.setter, (rule) -> condition.test(rule) ? this.getter.apply(rule) : Optional.empty());
	}

	/**
	 * Read its value, or one element of it.
	 * @param text the text
	 * @return the value
	 * @throws InvalidRuleException if the text is wrong
	 */
	public E parse(String text) {
		return this.parser.apply(text);
	}

	/**
	 * Set its value in a rule.
	 * @param rule the rule
	 * @param values the elements of the value; one if it is no list
	 * @return the rule
	 * @throws InvalidRuleException if the elements do not go together
	 */
	public RLConfigBuilder set(RLConfigBuilder rule, List<E> values) {
		this.setter.accept(rule, values);
		return rule;
	}

	/**
	 * Its value in a rule, for people.
	 * @param rule the rule
	 * @return a boolean, a number, an object with a text, or a collection or map of such;
	 * empty if it is not shown for the rule
	 */
	public Optional<?> shown(RLConfig rule) {
		return this.getter.apply(rule).map(RuleKey::text);
	}

	private static Object text(Object value) {
		if (value instanceof Enum<?> constant) {
			return Values.text(constant);
		}
		return (value instanceof Duration duration) ? DurationText.of(duration) : value;
	}

	/**
	 * Whether it applies to some algorithms only.
	 * @return whether the algorithm of a rule decides if the key has a meaning there
	 */
	public boolean isOfAlgorithm() {
		return this.owner.filter((choice) -> choice.key().equals("algorithm")).isPresent();
	}

	/**
	 * Whether it applies to a rule.
	 * @param rule the rule, with its algorithm, mode and what happens at its limit
	 * @return whether it has a meaning there
	 */
	public boolean appliesTo(RLConfigBuilder rule) {
		return this.owner.stream().allMatch((choice) -> choice.values().contains(choice.chosen().apply(rule)));
	}

	/**
	 * Explain that it does not apply to a rule.
	 * @param rule the rule
	 * @param value the value of the key as it was written
	 * @return an exception that names the rules to which it applies
	 */
	public InvalidRuleException misplaced(RLConfigBuilder rule, String value) {
		Owner choice = this.owner.orElseThrow();
		return new InvalidRuleException(this.name, value,
				"does not go with " + choice.key() + " " + Values.text(choice.chosen().apply(rule)),
				"Use " + choice.key() + " "
						+ choice.values().stream().map(Values::text).collect(Collectors.joining(" or "))
						+ ", or remove " + this.name);
	}

	/**
	 * The groups in which keys are read, one after the other.
	 */
	public enum Group {

		/** Each goes with every other key. */
		PLAIN,

		/** Each applies to some algorithms only. */
		ALGORITHM_OPTION,

		/**
		 * Those that restrict each other. {@code CatalogueReader} lists them, in the
		 * order in which defaults take precedence.
		 */
		CHOICE,

		/** Each applies to some modes, or to some values of {@code on-limit}, only. */
		OPTION,

		/** What clients are allowed, which needs a reader of its own. */
		ALLOWANCE

	}

	/**
	 * Another key, whose value decides whether a key applies.
	 *
	 * @param key the name of the other key
	 * @param chosen its value in a rule
	 * @param values the values with which the key applies
	 */
	public record Owner(String key, Function<RLConfigBuilder, Enum<?>> chosen, List<? extends Enum<?>> values) {

	}

}
