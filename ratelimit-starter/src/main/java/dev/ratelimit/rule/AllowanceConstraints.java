package dev.ratelimit.rule;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What plans, overrides, costs and outcomes of a rule must satisfy.
 */
final class AllowanceConstraints {

	private AllowanceConstraints() {
	}

	static void requirePlans(Plans plans, List<String> paths, Stage stage) {
		plans.key().ifPresent((source) -> {
			if (source.kind() == KeySource.Kind.IP || source.kind() == KeySource.Kind.GLOBAL) {
				throw new InvalidRuleException("plan-key", source.toString(), "tells no plan",
						"Name where the plan stands, such as header:NAME or bean:NAME; single addresses go to overrides");
			}
			RuleConstraints.requireSource("plan-key", source, paths);
			RuleConstraints.requireStage(stage, List.of(source));
		});
	}

	static void requireOverrides(List<KeyOverride> overrides, List<KeySource> key) {
		Set<List<String>> seen = new HashSet<>();
		for (int i = 0; i < overrides.size(); i++) {
			String property = "overrides[" + i + "].key";
			List<String> values = overrides.get(i).key();
			if (key.get(0).kind() == KeySource.Kind.GLOBAL) {
				throw new InvalidRuleException(property, text(values),
						"names somebody, but the rule counts all together",
						"Remove the override, or count by something that tells customers apart");
			}
			if (values.size() != key.size()) {
				throw new InvalidRuleException(property, text(values),
						"has %d values, but the key of the rule has %d".formatted(values.size(), key.size()),
						"Give one value for each of " + key);
			}
			if (values.stream().anyMatch(String::isBlank)) {
				throw new InvalidRuleException(property, text(values), "is blank, which no request can be",
						"Write the value that the request has");
			}
			if (!seen.add(values)) {
				throw new InvalidRuleException(property, text(values), "has an override already",
						"Keep one override per customer");
			}
		}
	}

	/**
	 * Every allowance by itself must go with the algorithm, and have room for the cost.
	 */
	static void requireAll(List<RLThreshold> thresholds, Plans plans, List<KeyOverride> overrides, Algorithm algorithm,
			Refill refill, Cost cost) {
		requireCost(thresholds, algorithm, cost, "thresholds");
		for (Map.Entry<String, Allowance> plan : plans.allowances().entrySet()) {
			require("plans." + plan.getKey(), plan.getValue(), algorithm, refill, cost);
		}
		for (int i = 0; i < overrides.size(); i++) {
			require("overrides[" + i + "].thresholds", overrides.get(i).allowance(), algorithm, refill, cost);
		}
	}

	private static void require(String property, Allowance allowance, Algorithm algorithm, Refill refill, Cost cost) {
		if (allowance instanceof Allowance.Limited limited) {
			try {
				AlgorithmConstraints.requireThresholds(algorithm, refill, limited.thresholds());
			}
			catch (InvalidRuleException ex) {
				throw new InvalidRuleException(property, ex.value(), ex.reason(), ex.cure());
			}
			requireCost(limited.thresholds(), algorithm, cost, property);
		}
	}

	private static void requireCost(List<RLThreshold> thresholds, Algorithm algorithm, Cost cost, String property) {
		for (RLThreshold threshold : thresholds) {
			long capacity = algorithm.isBucket() ? threshold.burst() : threshold.threshold();
			if (cost instanceof Cost.Fixed fixed && fixed.permits() > capacity) {
				throw new InvalidRuleException("cost", fixed.toString(),
						"is above %s in %s, so that no request would ever be admitted".formatted(threshold, property),
						"Use a cost of at most " + capacity + ", or a larger threshold");
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

	private static String text(List<String> values) {
		return String.join(", ", values);
	}

}
