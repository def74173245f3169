package dev.ratelimit.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a rule allows its clients.
 *
 * @param thresholds the windows, all of which must hold
 * @param plans what each plan is allowed instead of the thresholds
 * @param overrides what single customers are allowed, regardless of their plan
 */
public record Allowances(List<RLThreshold> thresholds, Plans plans, List<KeyOverride> overrides) {

	public Allowances {
		thresholds = List.copyOf(thresholds);
		overrides = List.copyOf(overrides);
		RuleConstraints.requireThresholds(thresholds);
	}

	/**
	 * All thresholds that a client may get.
	 * @return the thresholds by the key of the rule that defines them:
	 * {@code thresholds}, {@code plans.free}, {@code overrides[0].thresholds}
	 */
	public Map<String, List<RLThreshold>> limits() {
		Map<String, List<RLThreshold>> limits = new LinkedHashMap<>();
		limits.put("thresholds", this.thresholds);
		this.plans.allowances().forEach((plan, allowance) -> {
			if (allowance instanceof Allowance.Limited limited) {
				limits.put("plans." + plan, limited.thresholds());
			}
		});
		for (int i = 0; i < this.overrides.size(); i++) {
			if (this.overrides.get(i).allowance() instanceof Allowance.Limited limited) {
				limits.put("overrides[" + i + "].thresholds", limited.thresholds());
			}
		}
		return limits;
	}

	/**
	 * The thresholds by plan. A client may change its plan.
	 * @return the thresholds of the rule, and of each plan that has any
	 */
	public List<List<RLThreshold>> thresholdsOfPlans() {
		Stream<List<RLThreshold>> plans = this.plans.allowances()
			.values()
			.stream()
			.filter(Allowance.Limited.class::isInstance)
			.map((allowance) -> ((Allowance.Limited) allowance).thresholds());
		return Stream.concat(Stream.of(this.thresholds), plans).toList();
	}

}
