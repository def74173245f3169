package dev.ratelimit.rule;

import java.util.Comparator;
import java.util.List;

/**
 * How many entries a sliding-window log keeps for one client, who may change between
 * plans.
 */
public final class LogEntries {

	/** Twice the largest threshold of any log. */
	private static final long MOST = 2 * RLConfig.MAX_LOG_THRESHOLD;

	private LogEntries() {
	}

	/**
	 * The most entries that are needed. If the plans have different longest windows, the
	 * log keeps entries of a longer one while permits of a shorter one are admitted and
	 * released. Those which are under way for milliseconds only, as when another rule
	 * refuses, are covered by twice the largest threshold. With an outcome that does not
	 * count they are under way as long as their requests, which a client can prolong:
	 * then everything is kept that all plans can admit in the longest window.
	 * @param plans the thresholds of each plan
	 * @param countOn the outcomes that count
	 * @return the number of entries, at most 2,000,000
	 */
	public static long most(List<List<RLThreshold>> plans, CountOn countOn) {
		long largest = plans.stream().flatMap(List::stream).mapToLong(RLThreshold::threshold).max().orElseThrow();
		if (plans.stream().map(LogEntries::longest).distinct().count() == 1) {
			return largest;
		}
		RLWindow longest = plans.stream().map(LogEntries::longest).max(Comparator.naturalOrder()).orElseThrow();
		long admitted = countOn.isAlways() ? 0 : plans.stream().mapToLong((plan) -> admitted(plan, longest)).sum();
		return Math.max(2 * largest, Math.min(MOST, admitted));
	}

	private static RLWindow longest(List<RLThreshold> plan) {
		return plan.stream().map(RLThreshold::window).max(Comparator.naturalOrder()).orElseThrow();
	}

	/** The most that a plan admits in a window, wherever that window begins. */
	private static long admitted(List<RLThreshold> plan, RLWindow in) {
		return plan.stream()
			.mapToLong((threshold) -> threshold.threshold() * (1 + in.length().dividedBy(threshold.window().length())))
			.min()
			.orElseThrow();
	}

}
