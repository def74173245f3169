package dev.ratelimit.rule;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The constraints on the plans, overrides, costs and outcomes of a rule.
 */
final class AllowanceConstraints {

	private AllowanceConstraints() {
	}

	static void requirePlans(Plans plans, List<String> paths, Stage stage) {
		plans.key().ifPresent((source) -> {
			RuleConstraints.requireSource("plan-key", source, paths);
			RuleConstraints.requireStage(stage, "plan-key", List.of(source));
		});
	}

	static void requireOverrides(List<KeyOverride> overrides, List<KeySource> key) {
		Set<List<String>> seen = new HashSet<>();
		for (int i = 0; i < overrides.size(); i++) {
			String property = "overrides[" + i + "].key";
			List<String> values = overrides.get(i).key();
			String shown = overrides.get(i).shown(key);
			if (key.get(0).kind() == KeySource.Kind.GLOBAL) {
				throw new InvalidRuleException(property, shown, "names a client, but the rule counts all together",
						"Remove the override, or count by something that tells customers apart");
			}
			if (values.size() != key.size()) {
				throw new InvalidRuleException(property, shown,
						"has %d values, but the key of the rule has %d".formatted(values.size(), key.size()),
						"Give one value for each of "
								+ String.join(", ", key.stream().map(KeySource::toString).toList()));
			}
			if (!seen.add(values)) {
				throw new InvalidRuleException(property, shown, "has an override already",
						"Keep one override per customer");
			}
		}
	}

	/**
	 * All thresholds that a client may get, by the key of the rule that defines them.
	 */
	static Map<String, List<RLThreshold>> limits(List<RLThreshold> thresholds, Plans plans,
			List<KeyOverride> overrides) {
		Map<String, Allowance> allowances = new LinkedHashMap<>();
		plans.allowances().forEach((plan, allowance) -> allowances.put("plans." + plan, allowance));
		for (int i = 0; i < overrides.size(); i++) {
			allowances.put("overrides[" + i + "].thresholds", overrides.get(i).allowance());
		}
		Map<String, List<RLThreshold>> limits = new LinkedHashMap<>();
		limits.put("thresholds", thresholds);
		allowances.forEach((property, allowance) -> {
			if (allowance instanceof Allowance.Limited limited) {
				limits.put(property, limited.thresholds());
			}
		});
		return limits;
	}

	/**
	 * Thresholds must match the algorithm, and have room for the cost.
	 */
	static void requireLimit(String property, List<RLThreshold> thresholds, Algorithm algorithm, Refill refill,
			Cost cost) {
		try {
			AlgorithmConstraints.requireThresholds(algorithm, refill, thresholds);
		}
		catch (InvalidRuleException ex) {
			throw ex.at(property);
		}
		for (RLThreshold threshold : thresholds) {
			long capacity = algorithm.isBucket() ? threshold.burst() : threshold.threshold();
			if (cost instanceof Cost.Fixed fixed && fixed.permits() > capacity) {
				throw new InvalidRuleException("cost", fixed.toString(),
						"is above %s in %s, so that no request would ever be admitted".formatted(threshold, property),
						"Use a cost of at most " + capacity + ", or a larger threshold");
			}
			if (cost instanceof Cost.Fixed fixed && fixed.permits() > algorithm.maxCost()) {
				throw new InvalidRuleException("cost", fixed.toString(),
						"is above %d, the most that one request may take of a log, which stores each permit"
							.formatted(algorithm.maxCost()),
						"Use a cost of at most %d, or algorithm sliding-window-counter".formatted(algorithm.maxCost()));
			}
		}
	}

	static void requireCountOn(CountOn countOn, boolean countRejected) {
		if (countRejected && !countOn.isAlways()) {
			throw new InvalidRuleException("count-on", countOn.toString(),
					"does not go with count-rejected, which counts requests that have no outcome",
					"Remove one of the two");
		}
	}

}
