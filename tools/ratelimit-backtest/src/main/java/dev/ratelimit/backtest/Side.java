package dev.ratelimit.backtest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.backtest.log.LogLine;
import dev.ratelimit.backtest.log.LogSummary;
import dev.ratelimit.backtest.replay.LogReplay;
import dev.ratelimit.backtest.replay.RuleFile;
import dev.ratelimit.backtest.tally.RuleSetResult;
import dev.ratelimit.backtest.tally.RuleSetTally;
import dev.ratelimit.backtest.tally.Timeline;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;

/**
 * The rules of one file, and their results.
 */
final class Side {

	/** For windows below this length, one second more or less matters. */
	private static final Duration COARSE = Duration.ofSeconds(10);

	private final RuleFile file;

	private final LogReplay replay;

	private final RuleSetTally tally;

	Side(RuleFile file, Timeline timeline) {
		this.file = file;
		this.replay = new LogReplay(file);
		this.tally = new RuleSetTally(file.rules(), timeline);
	}

	void replay(Instant now, LogLine line) {
		this.tally.add(this.replay.replay(now, line));
	}

	RuleSetResult result(LogSummary log) {
		List<String> warnings = new ArrayList<>(this.file.warnings());
		warnings.addAll(this.replay.untold());
		if (log.wholeSeconds() && log.replayed() > 0) {
			this.file.rules().enabled().stream().filter(Side::isFine).map(Side::coarse).forEach(warnings::add);
		}
		return this.tally.result(this.file.name(), warnings);
	}

	private static boolean isFine(RLConfig rule) {
		return rule.allowances()
			.limits()
			.values()
			.stream()
			.flatMap(List::stream)
			.map(RLThreshold::windowLength)
			.anyMatch((window) -> window.compareTo(COARSE) < 0);
	}

	private static String coarse(RLConfig rule) {
		return "The log has times in whole seconds only, and rule '%s' has a window below %d seconds: its refusals are an estimate."
			.formatted(rule.id(), COARSE.toSeconds());
	}

}
