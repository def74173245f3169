package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLThreshold;

/**
 * Reads thresholds in their short and long forms, for all keys of a rule that have some.
 */
final class ThresholdReader {

	private final ValueReader values;

	private final Consumer<String> burstCheck;

	/**
	 * Create a reader.
	 * @param values reads the values
	 * @param burstCheck throws if the rule may not have a burst
	 */
	ThresholdReader(ValueReader values, Consumer<String> burstCheck) {
		this.values = values;
		this.burstCheck = burstCheck;
	}

	/**
	 * Read thresholds.
	 * @param place their place
	 * @return the thresholds; empty if there are none or one of them is wrong
	 */
	Optional<List<RLThreshold>> thresholds(Place place) {
		return read(place, RLThreshold::valueOf);
	}

	/**
	 * Read thresholds, or the word that replaces them.
	 * @param place their place
	 * @return what they allow; empty if there are none or one of them is wrong
	 */
	Optional<Allowance> allowance(Place place) {
		Optional<Allowance> word = this.values.one(place, (text) -> text).flatMap(Allowance::ofWord);
		return word.or(() -> read(place, ThresholdReader::thresholdOfAllowance)
			.flatMap((thresholds) -> this.values.make(place, () -> new Allowance.Limited(thresholds))));
	}

	/**
	 * A word is allowed instead of thresholds, so a value that is neither may be a
	 * misspelt word.
	 */
	private static RLThreshold thresholdOfAllowance(String text) {
		if (text.indexOf('/') < 0) {
			throw new InvalidRuleException("thresholds", text, "is no threshold",
					"Write thresholds such as 500/2s, 2000/10s, or one word alone: unlimited or blocked");
		}
		return RLThreshold.valueOf(text);
	}

	private Optional<List<RLThreshold>> read(Place place, Function<String, RLThreshold> shortForm) {
		return this.values.many(place, TextList::split, shortForm,
				(element) -> element.text().isPresent() ? this.values.one(element, shortForm) : longForm(element));
	}

	/**
	 * Each part is checked together with valid other parts, so that all mistakes are
	 * found.
	 */
	private Optional<RLThreshold> longForm(Place place) {
		Optional<String> threshold = part(place, "threshold", (text) -> RLThreshold.of(text, "s"));
		Optional<String> window = part(place, "window", (text) -> RLThreshold.of("1", text));
		Optional<String> burst = threshold;
		if (place.part("burst").exists()) {
			burst = part(place, "burst", (text) -> {
				RLThreshold.of("1", "s", text);
				this.burstCheck.accept(text);
			});
		}
		return (threshold.isEmpty() || window.isEmpty()) ? Optional.empty()
				: burst.map((capacity) -> RLThreshold.of(threshold.get(), window.get(), capacity));
	}

	private Optional<String> part(Place place, String key, Consumer<String> check) {
		Place part = place.part(key);
		if (!part.exists()) {
			this.values.missing(part, place,
					"Write both threshold and window; a list is taken whole from the first source that has any of it");
			return Optional.empty();
		}
		return this.values.one(part, (text) -> {
			check.accept(text);
			return text;
		});
	}

}
