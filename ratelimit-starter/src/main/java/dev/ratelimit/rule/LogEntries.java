package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * The size of a sliding-window log: the number of entries that it keeps for one client.
 */
public final class LogEntries {

	/** Twice the largest threshold of any log. */
	private static final long MOST = 2 * RLConfig.MAX_LOG_THRESHOLD;

	private LogEntries() {
	}

	/**
	 * Compute the largest size. If all plans have the same longest window, it is the
	 * largest threshold. Otherwise permits of one plan, released later, could have
	 * displaced entries that a longer window of another plan needs. Most releases come
	 * within milliseconds, and twice the largest threshold is enough for them. With
	 * {@code count-on} a client can delay the release, so the log keeps all that the
	 * plans can admit in the longest window.
	 * @param plans the thresholds of each plan
	 * @param countOn the outcomes that count
	 * @return the number of entries, at most 2,000,000
	 */
	public static long most(List<List<RLThreshold>> plans, CountOn countOn) {
		long largest = plans.stream().flatMap(List::stream).mapToLong(RLThreshold::threshold).max().orElseThrow();
		if (plans.stream().map(LogEntries::longest).distinct().count() == 1) {
			return largest;
		}
		Duration longest = plans.stream().map(LogEntries::longest).max(Comparator.naturalOrder()).orElseThrow();
		long admitted = countOn.isAlways() ? 0 : plans.stream().mapToLong((plan) -> admitted(plan, longest)).sum();
		return Math.max(2 * largest, Math.min(MOST, admitted));
	}

	private static Duration longest(List<RLThreshold> plan) {
		return plan.stream().map(RLThreshold::windowLength).max(Comparator.naturalOrder()).orElseThrow();
	}

	/** The most that a plan admits in a window, wherever that window begins. */
	private static long admitted(List<RLThreshold> plan, Duration in) {
		return plan.stream()
			.mapToLong((threshold) -> threshold.threshold() * (1 + in.dividedBy(threshold.windowLength())))
			.min()
			.orElseThrow();
	}

}
