package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * Reads values at their places, and records errors.
 */
final class ValueReader {

	private final Settings settings;

	private final String own;

	private final Findings findings;

	private boolean failed;

	/**
	 * Create a reader.
	 * @param settings all settings
	 * @param own the name of the rule being read
	 * @param findings collects errors
	 */
	ValueReader(Settings settings, String own, Findings findings) {
		this.settings = settings;
		this.own = own;
		this.findings = findings;
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
	 * Read one text.
	 * @param <T> the type of the value
	 * @param place its place
	 * @param converter converts the text
	 * @return the value; empty if it is absent or wrong
	 */
	<T> Optional<T> one(Place place, Function<String, T> converter) {
		return place.text().flatMap(this::resolve).flatMap((setting) -> convert(setting.stripped(), converter));
	}

	/**
	 * Read a list of texts.
	 * @param <T> the type of each value
	 * @param place its place
	 * @param splitter splits a list that is written as one text
	 * @param converter converts one text
	 * @return the values; empty if there are none or one of them is wrong
	 */
	<T> Optional<List<T>> many(Place place, Function<String, List<String>> splitter, Function<String, T> converter) {
		return many(place, splitter, converter,
				(element) -> element.text().flatMap(this::resolve).flatMap((setting) -> convert(setting, converter)));
	}

	/**
	 * Read a list.
	 * @param <T> the type of each element
	 * @param place its place
	 * @param splitter splits a list that is written as one text
	 * @param converter converts an element of such a text
	 * @param elementReader reads an element of an indexed list
	 * @return the values; empty if there are none or one of them is wrong
	 */
	<T> Optional<List<T>> many(Place place, Function<String, List<String>> splitter, Function<String, T> converter,
			Function<Place, Optional<T>> elementReader) {
		if (place.text().isEmpty()) {
			return all(place.elements().stream().map(elementReader).toList());
		}
		return place.text()
			.flatMap(this::resolve)
			.flatMap((setting) -> all(splitter.apply(setting.text())
				.stream()
				.map((element) -> convert(setting.withText(element), converter))
				.toList()));
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
	 * @param place the place of the values
	 * @param maker creates it
	 * @return the object; empty if the values are not compatible
	 */
	<T> Optional<T> make(Place place, Supplier<T> maker) {
		try {
			return Optional.of(maker.get());
		}
		catch (InvalidRuleException ex) {
			this.findings.problem(
					new Problem(place.name(), ex.value(), place.first().map(Setting::origin), ex.reason(), ex.cure()));
			this.failed |= isOwn(place.name());
			return Optional.empty();
		}
	}

	/**
	 * Record that a value is missing.
	 * @param place where it should be
	 * @param near the place of a value that it belongs to
	 * @param cure what to write
	 */
	void missing(Place place, Place near, String cure) {
		this.failed = true;
		this.findings.problem(new Problem(place.name(), "", near.first().map(Setting::origin), "is missing", cure));
	}

	/** Record that a reported problem keeps the rule from being read. */
	void fail() {
		this.failed = true;
	}

	private Optional<Setting> resolve(Setting setting) {
		return convert(setting, (text) -> this.settings.resolve(setting)).map(setting::withText);
	}

	private <T> Optional<T> convert(Setting setting, Function<String, T> converter) {
		Optional<T> value = this.findings.convert(setting, converter);
		this.failed |= value.isEmpty() && isOwn(setting.name());
		return value;
	}

	private boolean isOwn(String name) {
		return name.startsWith(this.own + ".");
	}

}
