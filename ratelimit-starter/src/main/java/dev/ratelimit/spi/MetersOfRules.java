package dev.ratelimit.spi;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/**
 * The meters of each rule of the active rule set. When another rule set becomes active, a
 * rule that stays keeps its meters, a changed one finds those again that are registered
 * already, and the others are removed.
 *
 * @param <M> the meters of one rule
 */
public final class MetersOfRules<M> {

	private final MeterRegistry registry;

	private final Predicate<RLConfig> measured;

	private final Function<RLConfig, M> registered;

	private final Function<M, Stream<? extends Meter>> all;

	private volatile Map<String, Entry<M>> entries = Map.of();

	/**
	 * Register no meters yet.
	 * @param registry the registry of the meters
	 * @param measured whether a rule has meters
	 * @param registered registers the meters of a rule
	 * @param all the meters of a rule
	 */
	public MetersOfRules(MeterRegistry registry, Predicate<RLConfig> measured, Function<RLConfig, M> registered,
			Function<M, Stream<? extends Meter>> all) {
		this.registry = registry;
		this.measured = measured;
		this.registered = registered;
		this.all = all;
	}

	/**
	 * Find the meters of a rule, on any thread. Allocates nothing.
	 * @param rule the id of the rule
	 * @return its meters; {@code null} if it is not active or has none
	 */
	public @Nullable M find(String rule) {
		Entry<M> entry = this.entries.get(rule);
		return (entry != null) ? entry.meters() : null;
	}

	/**
	 * Measure the rules of a rule set. Called on one thread at a time.
	 * @param rules the rules in force
	 */
	public void follow(RuleSet rules) {
		Map<String, Entry<M>> before = this.entries;
		Map<String, Entry<M>> after = new HashMap<>();
		for (RLConfig rule : rules.enabled()) {
			if (this.measured.test(rule)) {
				Entry<M> known = before.get(rule.id());
				after.put(rule.id(), (known != null && known.rule().equals(rule)) ? known
						: new Entry<>(rule, this.registered.apply(rule)));
			}
		}
		this.entries = after;
		Set<Meter> gone = metersOf(before, after);
		gone.removeAll(metersOf(after, before));
		gone.forEach(this.registry::remove);
	}

	/** The meters of rules that others do not have, or have with other settings. */
	private Set<Meter> metersOf(Map<String, Entry<M>> rules, Map<String, Entry<M>> others) {
		return rules.values()
			.stream()
			.filter((entry) -> !entry.equals(others.get(entry.rule().id())))
			.flatMap((entry) -> this.all.apply(entry.meters()).filter((meter) -> isOf(entry.rule(), meter)))
			.collect(Collectors.toCollection(HashSet::new));
	}

	/**
	 * Whether a meter belongs to a rule alone: a filter of the application may have
	 * joined those of several.
	 */
	private static boolean isOf(RLConfig rule, Meter meter) {
		return rule.id().equals(meter.getId().getTag("rule"));
	}

	/**
	 * Find or register a gauge: Micrometer warns when one is registered twice.
	 * @param registry the registry
	 * @param name its name
	 * @param tags its tags
	 * @param description its description
	 * @param value its value
	 * @return the gauge
	 */
	public static Gauge gauge(MeterRegistry registry, String name, Tags tags, String description,
			Supplier<Number> value) {
		Gauge known = registry.find(name).tags(tags).gauge();
		return (known != null) ? known
				: Gauge.builder(name, value).tags(tags).description(description).register(registry);
	}

	private record Entry<M>(RLConfig rule, M meters) {
	}

}
