package dev.ratelimit.backtest.report;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.backtest.log.LogSummary;
import dev.ratelimit.backtest.tally.RuleSetResult;
import dev.ratelimit.backtest.tally.Slices;

/**
 * The result of a backtest.
 *
 * @param log the summary of the log
 * @param time the time slices; nothing if nothing was replayed
 * @param ruleSets the results of the rules of each file, the first one first
 */
public record Report(LogSummary log, Optional<Slices> time, List<RuleSetResult> ruleSets) {

	public Report {
		ruleSets = List.copyOf(ruleSets);
	}

}
