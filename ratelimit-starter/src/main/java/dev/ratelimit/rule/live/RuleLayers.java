package dev.ratelimit.rule.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

/**
 * All places that rules come from. A rule is taken whole from the first place that has
 * one of its id.
 */
public final class RuleLayers {

	private final List<RuleLayer> layers;

	/**
	 * Create the layers.
	 * @param layers the places, the one whose rules count first
	 */
	public RuleLayers(List<RuleLayer> layers) {
		this.layers = List.copyOf(layers);
	}

	/**
	 * The places.
	 * @return the places, the one whose rules count first
	 */
	public List<RuleLayer> layers() {
		return this.layers;
	}

	/**
	 * The places whose rules may change while the application runs.
	 * @return all but the configuration of the application
	 */
	public List<RuleLayer> live() {
		return this.layers.stream().filter((layer) -> layer.origin() != RuleOrigin.ENVIRONMENT).toList();
	}

	/**
	 * Read all places for the first time.
	 * @return the rules
	 * @throws RuntimeException as the first source throws it that cannot be read
	 */
	public RuleSet load() {
		this.layers.forEach((layer) -> layer.accept(layer.read()));
		return rules();
	}

	/**
	 * All last good rules.
	 * @return the rules
	 */
	public RuleSet rules() {
		return with(Map.of());
	}

	/** What all rules would be if some places had others. */
	RuleSet with(Map<RuleLayer, RuleSet> changed) {
		Map<String, RLConfig> rules = new LinkedHashMap<>();
		for (RuleLayer layer : this.layers) {
			changed.getOrDefault(layer, layer.rules()).rules().forEach((rule) -> rules.putIfAbsent(rule.id(), rule));
		}
		return new RuleSet(rules.values());
	}

}
