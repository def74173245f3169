package dev.ratelimit.backtest.tally;

import java.util.List;

/**
 * What came of one rule.
 *
 * @param id its id
 * @param algorithm its algorithm, as it is written in a rule
 * @param shadow whether it only reports what it would refuse
 * @param admitted how many requests it admitted that all other rules admitted as well
 * @param refused how many it refused
 * @param released how many it admitted, and another rule refused
 * @param notAsked how many it matched that another rule refused before it was asked
 * @param skipped how many it matched, but did not apply to
 * @param withoutKey how many it applied to that lack its key
 * @param peakBytesPerKey what the largest key would have taken in Redis, estimated
 * @param hardestHit the clients that it refused most often
 * @param admittedOverTime how many it admitted in each slice of the time
 * @param refusedOverTime how many it refused in each slice of the time
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
