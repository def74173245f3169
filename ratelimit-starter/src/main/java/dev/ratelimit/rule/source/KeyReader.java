package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.rule.RLThreshold;

/**
 * Reads the keys of one rule. What the rule does not say is taken from the defaults.
 */
final class KeyReader {

	private final Settings settings;

	private final List<String> prefixes;

	private final Findings findings;

	private boolean failed;

	/**
	 * Create a reader.
	 * @param settings all settings
	 * @param prefixes the names under which the keys may stand, the first wins
	 * @param findings takes what is wrong
	 */
	KeyReader(Settings settings, List<String> prefixes, Findings findings) {
		this.settings = settings;
		this.prefixes = prefixes;
		this.findings = findings;
	}

	/**
	 * Whether any value of the rule itself was wrong. A wrong default is told once; the
	 * rules are still checked as if it were absent.
	 * @return whether it was
	 */
	boolean hasFailed() {
		return this.failed;
	}

	/**
	 * Read a key that has one value.
	 * @param <T> the type of the value
	 * @param key the key
	 * @param converter reads the text
	 * @return the value; empty if the key is absent or wrong
	 */
	<T> Optional<T> one(String key, Function<String, T> converter) {
		return locate(key).flatMap((place) -> place.source().find(place.name()))
			.flatMap(this::resolve)
			.flatMap((setting) -> convert(setting, (text) -> converter.apply(text.strip())));
	}

	/**
	 * Read a key that has a list of values.
	 * @param <T> the type of a value
	 * @param key the key
	 * @param splitter splits a list that is written as one text
	 * @param converter reads the text of one value
	 * @return the values; empty if the key is absent or one of them is wrong
	 */
	<T> Optional<List<T>> many(String key, Function<String, List<String>> splitter, Function<String, T> converter) {
		return read(key, splitter, converter,
				(place) -> place.source()
					.find(place.name())
					.flatMap(this::resolve)
					.flatMap((setting) -> convert(setting, converter)));
	}

	/**
	 * Read the thresholds, in their short and long forms.
	 * @param burstCheck throws if a burst may not stand here
	 * @return the thresholds; empty if there are none or one of them is wrong
	 */
	Optional<List<RLThreshold>> thresholds(Consumer<String> burstCheck) {
		return read("thresholds", TextList::split, RLThreshold::valueOf, (place) -> threshold(place, burstCheck));
	}

	/**
	 * Whether the rule itself has a key, so that its default does not count.
	 * @param key the key
	 * @return whether it stands under the first prefix
	 */
	boolean isOwn(String key) {
		return this.settings.source(this.prefixes.get(0) + "." + key).isPresent();
	}

	private <T> Optional<List<T>> read(String key, Function<String, List<String>> splitter,
			Function<String, T> converter, Function<Place, Optional<T>> elementReader) {
		Optional<Place> place = locate(key);
		if (place.isEmpty()) {
			return Optional.empty();
		}
		SourceSettings source = place.get().source();
		List<Optional<T>> values = new ArrayList<>();
		Optional<Setting> list = source.find(place.get().name());
		if (list.isPresent()) {
			resolve(list.get()).ifPresent((setting) -> splitter.apply(setting.text())
				.forEach((element) -> values.add(convert(setting.withText(element), converter))));
		}
		else {
			source.elements(place.get().name())
				.forEach((element) -> values.add(elementReader.apply(new Place(source, element))));
		}
		List<T> present = values.stream().flatMap(Optional::stream).toList();
		// A list without any element was refused when its names were read.
		return (present.isEmpty() || present.size() < values.size()) ? Optional.empty() : Optional.of(present);
	}

	private Optional<RLThreshold> threshold(Place place, Consumer<String> burstCheck) {
		Optional<Setting> shortForm = place.source().find(place.name());
		if (shortForm.isPresent()) {
			return resolve(shortForm.get())
				.flatMap((setting) -> convert(setting, (text) -> RLThreshold.valueOf(text.strip())));
		}
		// Each part is checked beside harmless other ones, so that all mistakes are
		// found.
		Optional<String> threshold = part(place, "threshold", (text) -> RLThreshold.of(text, "s"));
		Optional<String> window = part(place, "window", (text) -> RLThreshold.of("1", text));
		Optional<String> burst = threshold;
		if (place.source().contains(place.name() + ".burst")) {
			burst = part(place, "burst", (text) -> {
				RLThreshold parsed = RLThreshold.of("1", "s", text);
				burstCheck.accept(text);
				return parsed;
			});
		}
		return (threshold.isEmpty() || window.isEmpty()) ? Optional.empty()
				: burst.map((capacity) -> RLThreshold.of(threshold.get(), window.get(), capacity));
	}

	private Optional<String> part(Place place, String key, Function<String, RLThreshold> check) {
		String name = place.name() + "." + key;
		Optional<Setting> setting = place.source().find(name);
		if (setting.isEmpty()) {
			this.failed = true;
			this.findings.problem(new Problem(name, "", place.source().first(place.name()).map(Setting::origin),
					"is missing",
					"Write both threshold and window; a list is taken whole from the first source that has any of it"));
			return Optional.empty();
		}
		return resolve(setting.get()).map((resolved) -> resolved.withText(resolved.text().strip()))
			.filter((resolved) -> convert(resolved, check).isPresent())
			.map(Setting::text);
	}

	/**
	 * Where the value of a key stands.
	 * @param key the key
	 * @return a setting that is the value or a part of it
	 */
	Optional<Setting> find(String key) {
		return locate(key).flatMap((place) -> place.source()
			.find(place.name())
			.or(() -> place.source().find(place.name() + "[0]"))
			.or(() -> place.source().first(place.name() + "[0]")));
	}

	private Optional<Place> locate(String key) {
		for (String prefix : this.prefixes) {
			String name = prefix + "." + key;
			Optional<Place> place = this.settings.source(name).map((source) -> new Place(source, name));
			if (place.isPresent()) {
				return place;
			}
		}
		return Optional.empty();
	}

	private Optional<Setting> resolve(Setting setting) {
		return convert(setting, (text) -> this.settings.resolve(setting)).map(setting::withText);
	}

	private <T> Optional<T> convert(Setting setting, Function<String, T> converter) {
		Optional<T> value = this.findings.convert(setting, converter);
		this.failed |= value.isEmpty() && setting.name().startsWith(this.prefixes.get(0) + ".");
		return value;
	}

	/**
	 * A value in a source.
	 *
	 * @param source the source
	 * @param name the canonical name of the value
	 */
	private record Place(SourceSettings source, String name) {
	}

}
