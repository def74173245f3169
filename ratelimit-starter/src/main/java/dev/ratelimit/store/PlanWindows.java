package dev.ratelimit.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.LogEntries;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;

/**
 * All windows that one key counts: those of a rule and its plans, because one client may
 * use several plans, or those of one override, whose clients use nothing else. Tested by
 * {@code PlansTests}.
 *
 * @param allowances the thresholds of the rule, and of each plan that has any
 */
record PlanWindows(List<List<RLThreshold>> allowances) {

	/** The maximum number of windows that a key keeps beside the requested ones. */
	static final int MOST = 8;

	static PlanWindows of(RLConfig rule) {
		return new PlanWindows(rule.allowances().thresholdsOfPlans());
	}

	static PlanWindows ofOverride(List<RLThreshold> thresholds) {
		return new PlanWindows(List.of(thresholds));
	}

	PlanWindows map(UnaryOperator<RLThreshold> change) {
		return new PlanWindows(this.allowances.stream().map((each) -> each.stream().map(change).toList()).toList());
	}

	/**
	 * Whether plans have different rates for this window; then their units must agree.
	 */
	boolean shareUnits(RLThreshold bucket) {
		return ofWindow(bucket.window()).anyMatch((other) -> other.threshold() != bucket.threshold());
	}

	long ceiling(RLThreshold bucket) {
		return ofWindow(bucket.window()).mapToLong(RLThreshold::burst).reduce(bucket.burst(), Math::max);
	}

	long highestRate(RLThreshold bucket) {
		return ofWindow(bucket.window()).mapToLong(RLThreshold::threshold).reduce(bucket.threshold(), Math::max);
	}

	List<RLThreshold> besides(List<RLThreshold> asked) {
		return all().map(RLThreshold::window)
			.distinct()
			.filter((window) -> asked.stream().noneMatch((one) -> one.window().equals(window)))
			.limit(MOST)
			.map(this::slowest)
			.toList();
	}

	private RLThreshold slowest(RLWindow window) {
		RLThreshold slowest = ofWindow(window).min(Comparator.comparing(RLThreshold::threshold)).orElseThrow();
		return slowest.withBurst(ceiling(slowest));
	}

	Optional<LongerWindow> longerThan(RLThreshold longest, CountOn countOn) {
		List<Duration> longestOfEach = this.allowances.stream()
			.map((each) -> each.stream().map(RLThreshold::windowLength).max(Comparator.naturalOrder()).orElseThrow())
			.sorted()
			.toList();
		Duration shortest = longestOfEach.get(0);
		Duration longestOfAll = longestOfEach.get(longestOfEach.size() - 1);
		if (shortest.equals(longestOfAll)) {
			return Optional.empty();
		}
		return Optional.of(new LongerWindow(longestOfAll.toNanos() / 1000, LogEntries.most(this.allowances, countOn),
				longest.windowLength().compareTo(shortest) > 0));
	}

	long largestCount() {
		return all().mapToLong(RLThreshold::threshold).max().orElseThrow();
	}

	private Stream<RLThreshold> ofWindow(RLWindow window) {
		return all().filter((threshold) -> threshold.window().equals(window));
	}

	Stream<RLThreshold> all() {
		return this.allowances.stream().flatMap(List::stream);
	}

}
