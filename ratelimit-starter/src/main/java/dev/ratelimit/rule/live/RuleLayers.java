package dev.ratelimit.rule.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

/**
 * All sources of rules. A rule is taken as a whole from the first source that has one
 * with its id.
 */
public final class RuleLayers {

	private final List<RuleLayer> layers;

	/**
	 * Create the layers.
	 * @param layers the sources, the one with the highest precedence first
	 */
	public RuleLayers(List<RuleLayer> layers) {
		this.layers = List.copyOf(layers);
	}

	/**
	 * The sources.
	 * @return the sources, the one with the highest precedence first
	 */
	public List<RuleLayer> layers() {
		return this.layers;
	}

	/**
	 * The sources whose rules may change while the application runs.
	 * @return all but the configuration of the application
	 */
	public List<RuleLayer> live() {
		return this.layers.stream().filter((layer) -> layer.origin() != RuleOrigin.ENVIRONMENT).toList();
	}

	/**
	 * Read all sources for the first time.
	 * @return the rules
	 * @throws RuntimeException the exception of the first source that cannot be read
	 */
	public RuleSet load() {
		this.layers.forEach((layer) -> layer.accept(layer.read()));
		return rules();
	}

	/**
	 * The last valid rules of all sources.
	 * @return the rules
	 */
	public RuleSet rules() {
		return with(Map.of());
	}

	/** The combined rules if some sources had other rules. */
	RuleSet with(Map<RuleLayer, RuleSet> changed) {
		Map<String, RLConfig> rules = new LinkedHashMap<>();
		for (RuleLayer layer : this.layers) {
			changed.getOrDefault(layer, layer.rules()).rules().forEach((rule) -> rules.putIfAbsent(rule.id(), rule));
		}
		return new RuleSet(rules.values());
	}

}
