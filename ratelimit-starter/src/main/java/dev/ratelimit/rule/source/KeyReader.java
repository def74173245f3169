package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the keys of one rule. A key that the rule does not define is taken from the
 * defaults.
 */
final class KeyReader {

	private final Settings settings;

	private final String own;

	private final List<String> prefixes;

	private final ValueReader values;

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
		this.own = own;
		this.prefixes = prefixes;
		this.values = new ValueReader(settings, own, findings);
	}

	/**
	 * The reader of single values.
	 * @return the reader, which records whether a value of this rule was wrong
	 */
	ValueReader values() {
		return this.values;
	}

	/**
	 * Read a key that has one value.
	 * @param <T> the type of the value
	 * @param key the key
	 * @param converter converts the text
	 * @return the value; empty if the key is absent or wrong
	 */
	<T> Optional<T> one(String key, Function<String, T> converter) {
		return place(key).flatMap((place) -> this.values.one(place, converter));
	}

	/**
	 * Whether the rule itself has a key, so that its default does not apply.
	 * @param key the key
	 * @return whether its value is read from there
	 */
	boolean isOwn(String key) {
		String name = this.own + "." + key;
		return place(key).filter((place) -> place.name().equals(name)).isPresent();
	}

	/**
	 * The setting of a key.
	 * @param key the key
	 * @return a setting that is its value or a part of it
	 */
	Optional<Setting> find(String key) {
		return place(key).flatMap(Place::first);
	}

	/**
	 * The place of the value of a key.
	 * @param key the key
	 * @return the place in the first source that has any part of it
	 */
	Optional<Place> place(String key) {
		return this.prefixes.stream().flatMap((prefix) -> {
			String name = prefix + "." + key;
			return this.settings.source(name).map((source) -> new Place(source, name)).stream();
		}).findFirst();
	}

}
