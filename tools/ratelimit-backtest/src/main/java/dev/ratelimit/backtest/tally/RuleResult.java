package dev.ratelimit.backtest.tally;

import java.util.List;

/**
 * The results of one rule.
 *
 * @param id its id
 * @param algorithm its algorithm, as it is written in a rule
 * @param shadow whether it only reports what it would refuse
 * @param admitted the number of requests that it and all other rules admitted
 * @param refused the number of requests that it refused
 * @param released the number of requests that it admitted and another rule refused
 * @param notAsked the number of matching requests that another rule refused before this
 * rule was evaluated
 * @param skipped the number of matching requests that it did not apply to
 * @param withoutKey the number of requests that it applied to and that lack its key
 * @param peakBytesPerKey the estimated size in Redis of its largest key
 * @param hardestHit the clients that it refused most often
 * @param admittedOverTime the number of requests admitted in each time slice
 * @param refusedOverTime the number of requests refused in each time slice
 */
public record RuleResult(String id, String algorithm, boolean shadow, long admitted, long refused, long released,
		long notAsked, long skipped, long withoutKey, long peakBytesPerKey, List<HeavyClient> hardestHit,
		List<Long> admittedOverTime, List<Long> refusedOverTime) {

	public RuleResult {
		hardestHit = List.copyOf(hardestHit);
		admittedOverTime = List.copyOf(admittedOverTime);
		refusedOverTime = List.copyOf(refusedOverTime);
	}

}
