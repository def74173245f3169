package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.spi.Problem;

/**
 * Reads the keys of one rule, or those besides the rules, and records errors. A key that
 * the rule does not define is taken from the defaults.
 */
final class KeyReader {

	private final Settings settings;

	private final String own;

	private final List<String> prefixes;

	private final Findings findings;

	private boolean failed;

	/**
	 * Create a reader.
	 * @param settings all settings
	 * @param own the prefix of the keys that the rule itself defines
	 * @param prefixes the possible prefixes of the keys; the first one that has a key
	 * wins
	 * @param findings collects errors
	 */
	KeyReader(Settings settings, String own, List<String> prefixes, Findings findings) {
		this.settings = settings;
		this.own = own + ".";
		this.prefixes = prefixes;
		this.findings = findings;
	}

	/**
	 * Find the value of a key.
	 * @param key the key
	 * @return the value in the first source that has any part of it
	 */
	Optional<Setting> find(String key) {
		Optional<Setting> found = Optional.empty();
		for (String prefix : this.prefixes) {
			found = found.or(() -> this.settings.find(prefix + "." + key));
		}
		return found;
	}

	/**
	 * Whether the rule itself has a key, so that its default does not apply.
	 * @param key the key
	 * @return whether its value is read from there
	 */
	boolean isOwn(String key) {
		return find(key).filter(this::isOwn).isPresent();
	}

	private boolean isOwn(Setting setting) {
		return setting.name().startsWith(this.own);
	}

	/**
	 * Whether any value of the rule itself was wrong. A wrong default is reported once;
	 * the rules are still checked as if it were absent.
	 * @return whether it was
	 */
	boolean hasFailed() {
		return this.failed;
	}

	/**
	 * Read a key that has one text.
	 * @param <T> the type of the value
	 * @param key the key
	 * @param converter converts the text
	 * @return the value; empty if the key is absent or wrong
	 */
	<T> Optional<T> one(String key, Function<String, T> converter) {
		return find(key).flatMap((setting) -> one(setting, converter));
	}

	/**
	 * Read one text.
	 * @param <T> the type of the value
	 * @param setting the setting
	 * @param converter converts the text
	 * @return the value; empty if it is absent or wrong
	 */
	<T> Optional<T> one(Setting setting, Function<String, T> converter) {
		return resolve(setting).flatMap((text) -> convert(setting, text.strip(), converter));
	}

	/**
	 * Read a list of texts.
	 * @param <T> the type of each value
	 * @param list the setting
	 * @param splitter splits a list that is written as one text
	 * @param converter converts one text
	 * @return the values; empty if there are none or one of them is wrong
	 */
	<T> Optional<List<T>> many(Setting list, Function<String, List<String>> splitter, Function<String, T> converter) {
		return many(list, splitter, converter,
				(element) -> resolve(element).flatMap((text) -> convert(element, text, converter)));
	}

	/**
	 * Read a list.
	 * @param <T> the type of each element
	 * @param list the setting
	 * @param splitter splits a list that is written as one text
	 * @param converter converts an element of such a text
	 * @param elementReader reads an element of an indexed list
	 * @return the values; empty if there are none or one of them is wrong
	 */
	<T> Optional<List<T>> many(Setting list, Function<String, List<String>> splitter, Function<String, T> converter,
			Function<Setting, Optional<T>> elementReader) {
		if (list.text().isEmpty()) {
			return all(list.elements().stream().map(elementReader).toList());
		}
		return resolve(list).flatMap((text) -> all(
				splitter.apply(text).stream().map((element) -> convert(list, element, converter)).toList()));
	}

	/** An empty list was already refused when its names were read. */
	private static <T> Optional<List<T>> all(List<Optional<T>> values) {
		List<T> present = new ArrayList<>();
		values.forEach((value) -> value.ifPresent(present::add));
		return (present.isEmpty() || present.size() < values.size()) ? Optional.empty() : Optional.of(present);
	}

	/**
	 * Create an object from values that are valid individually.
	 * @param <T> the type of the object
	 * @param setting the setting with the values
	 * @param maker creates it
	 * @return the object; empty if the values are not compatible
	 */
	<T> Optional<T> make(Setting setting, Supplier<T> maker) {
		return make(setting, maker, InvalidRuleException::value);
	}

	private <T> Optional<T> convert(Setting setting, String text, Function<String, T> converter) {
		return make(setting, () -> converter.apply(text), (ex) -> text);
	}

	private <T> Optional<T> make(Setting setting, Supplier<T> maker, Function<InvalidRuleException, String> value) {
		try {
			return Optional.of(maker.get());
		}
		catch (InvalidRuleException ex) {
			this.findings.problem(new Problem(setting.name(), value.apply(ex), Optional.of(setting.origin()),
					ex.reason(), ex.cure()));
			this.failed |= isOwn(setting);
			return Optional.empty();
		}
	}

	/**
	 * Find a part that a value must have.
	 * @param setting the value
	 * @param key the key of the part
	 * @param cure what to write if it is missing
	 * @return the part, if it is there
	 */
	Optional<Setting> part(Setting setting, String key, String cure) {
		Optional<Setting> part = setting.part(key);
		if (part.isEmpty()) {
			this.failed = true;
			this.findings.problem(
					new Problem(setting.name() + "." + key, "", Optional.of(setting.origin()), "is missing", cure));
		}
		return part;
	}

	/** Record that a reported problem keeps the rule from being read. */
	void fail() {
		this.failed = true;
	}

	private Optional<String> resolve(Setting setting) {
		return setting.text().flatMap((text) -> convert(setting, text, this.settings::resolve));
	}

}
