package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleKeys;

/**
 * Reads the allowances of a rule: its thresholds, plans and overrides.
 */
final class AllowanceReader {

	private final KeyReader keys;

	private final ThresholdReader thresholds;

	/**
	 * Create a reader.
	 * @param keys the keys of the rule
	 * @param algorithm its algorithm; empty if it is unknown, and every burst is read
	 */
	AllowanceReader(KeyReader keys, Optional<Algorithm> algorithm) {
		this.keys = keys;
		this.thresholds = new ThresholdReader(keys.values(),
				(burst) -> algorithm.ifPresent((known) -> known.require(Option.BURST, burst)));
	}

	/**
	 * Read the allowances.
	 * @param rule the builder that receives them
	 * @param planNames the plans of the rule
	 */
	void read(RLConfigBuilder rule, Collection<String> planNames) {
		this.keys.place("thresholds").flatMap(this.thresholds::thresholds).ifPresent(rule::thresholds);
		plans(planNames).ifPresent(rule::plans);
		this.keys.place("overrides").map((place) -> overrides(place, keySources())).ifPresent(rule::overrides);
	}

	/** The number of sources of the key; 1 if it is wrong. */
	private int keySources() {
		return this.keys.place(RuleKeys.KEY.name())
			.flatMap((place) -> this.keys.values().many(place, TextList::split, RuleKeys.KEY::parse))
			.map(List::size)
			.orElse(1);
	}

	/** A default plan-key does not apply to a rule without plans. */
	private Optional<Plans> plans(Collection<String> names) {
		Map<String, Allowance> allowances = new LinkedHashMap<>();
		for (String name : names) {
			this.keys.place("plans." + name)
				.filter((place) -> hasName(place, name))
				.flatMap(this.thresholds::allowance)
				.ifPresentOrElse((allowance) -> allowances.put(name, allowance), this.keys.values()::fail);
		}
		Optional<Place> keyPlace = this.keys.place("plan-key")
			.filter((place) -> !names.isEmpty() || this.keys.isOwn("plan-key"));
		Optional<KeySource> key = keyPlace.flatMap((place) -> this.keys.values().one(place, Plans::key));
		boolean complete = allowances.size() == names.size() && key.isPresent() == keyPlace.isPresent();
		return keyPlace.or(() -> this.keys.place("plans"))
			.filter((place) -> complete)
			.flatMap((place) -> this.keys.values().make(place, () -> new Plans(key, allowances)));
	}

	private boolean hasName(Place place, String name) {
		return this.keys.values().make(place, () -> {
			Plans.requireName(name);
			return name;
		}).isPresent();
	}

	private List<KeyOverride> overrides(Place list, int sources) {
		List<KeyOverride> overrides = new ArrayList<>();
		for (Place place : list.elements()) {
			Optional<List<String>> key = part(place, "key", (part) -> values(part, sources));
			Optional<Allowance> allowance = part(place, "thresholds", this.thresholds::allowance);
			if (key.isPresent() && allowance.isPresent()) {
				this.keys.values()
					.make(place, () -> new KeyOverride(key.get(), allowance.get()))
					.ifPresent(overrides::add);
			}
		}
		return overrides;
	}

	private <T> Optional<T> part(Place place, String key, Function<Place, Optional<T>> reader) {
		Place part = place.part(key);
		if (part.exists()) {
			return reader.apply(part);
		}
		this.keys.values()
			.missing(part, place,
					"Write both key and thresholds; a list is taken whole from the first source that has any of it");
		return Optional.empty();
	}

	/** A single value may contain commas; the values of a tuple are written as a list. */
	private Optional<List<String>> values(Place place, int sources) {
		return this.keys.values()
			.many(place, (text) -> (sources == 1) ? List.of(text.strip()) : TextList.split(text), String::strip);
	}

}
