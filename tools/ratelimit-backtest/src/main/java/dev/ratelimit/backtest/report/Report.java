package dev.ratelimit.backtest.report;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.backtest.log.LogSummary;
import dev.ratelimit.backtest.tally.RuleSetResult;
import dev.ratelimit.backtest.tally.Slices;

/**
 * What came out.
 *
 * @param log what was read
 * @param time what its time was cut into; nothing if nothing was replayed
 * @param ruleSets what came of the rules of each file, the first one first
 */
public record Report(LogSummary log, Optional<Slices> time, List<RuleSetResult> ruleSets) {

	public Report {
		ruleSets = List.copyOf(ruleSets);
	}

}
