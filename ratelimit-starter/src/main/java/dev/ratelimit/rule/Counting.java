package dev.ratelimit.rule;

/**
 * How a rule counts.
 *
 * @param algorithm the algorithm
 * @param rounding how the sliding-window counter rounds a fraction; down for every other
 * algorithm
 * @param refill how a token bucket is refilled; continuous for every other algorithm
 * @param mode where permits come from
 * @param scope where permits count
 * @param countRejected whether refused requests use up quota; false for every algorithm
 * but the log
 * @param cost the number of permits one request costs
 * @param countOn the outcomes that count
 */
public record Counting(Algorithm algorithm, Rounding rounding, Refill refill, Mode mode, RuleScope scope,
		boolean countRejected, Cost cost, CountOn countOn) {

	public Counting {
		RuleConstraints.requireOptions(algorithm, rounding, refill, countRejected);
		RuleConstraints.requireOutcomes(countOn, countRejected);
		RuleConstraints.requireMode(mode.kind(), algorithm, countRejected, countOn);
	}

	Counting withCost(Cost cost) {
		return new Counting(this.algorithm, this.rounding, this.refill, this.mode, this.scope, this.countRejected, cost,
				this.countOn);
	}

}
