package dev.ratelimit.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;

/**
 * The part of a rule that a store needs, compiled once when the rule set is built and
 * compared by identity: requests only carry a reference to it.
 */
public final class Limit {

	private final String rule;

	private final Algorithm algorithm;

	private final List<RLThreshold> thresholds;

	private final long[] counts;

	private final long[] windowsMicros;

	private final boolean countRejected;

	private Limit(RLConfig rule) {
		this.rule = rule.id();
		this.algorithm = rule.algorithm();
		this.thresholds = rule.thresholds().stream().sorted(Comparator.comparing(RLThreshold::window)).toList();
		this.counts = this.thresholds.stream().mapToLong(RLThreshold::threshold).toArray();
		this.windowsMicros = this.thresholds.stream()
			.mapToLong((threshold) -> threshold.window().toNanos() / 1000)
			.toArray();
		this.countRejected = rule.countRejected();
	}

	/**
	 * Compile the limit of a rule.
	 * @param rule the rule
	 * @return its limit
	 */
	public static Limit of(RLConfig rule) {
		return new Limit(rule);
	}

	/**
	 * The id of the rule.
	 * @return the id
	 */
	public String rule() {
		return this.rule;
	}

	/**
	 * How the rule counts.
	 * @return the algorithm
	 */
	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * The thresholds, the shortest window first: the order of every answer.
	 * @return the thresholds
	 */
	public List<RLThreshold> thresholds() {
		return this.thresholds;
	}

	/**
	 * How many windows there are.
	 * @return the number of thresholds
	 */
	public int size() {
		return this.counts.length;
	}

	/**
	 * How many a window holds.
	 * @param index the place of the threshold in {@link #thresholds()}
	 * @return its threshold
	 */
	public long count(int index) {
		return this.counts[index];
	}

	/**
	 * The length of a window.
	 * @param index the place of the threshold in {@link #thresholds()}
	 * @return its window in microseconds
	 */
	public long windowMicros(int index) {
		return this.windowsMicros[index];
	}

	/**
	 * The longest window: nothing is remembered for longer.
	 * @return the horizon
	 */
	public Duration horizon() {
		return this.thresholds.get(this.thresholds.size() - 1).window();
	}

	/**
	 * The largest threshold: nothing is remembered beyond so many.
	 * @return the largest threshold
	 */
	public long largestCount() {
		long largest = 0;
		for (long count : this.counts) {
			largest = Math.max(largest, count);
		}
		return largest;
	}

	/**
	 * Whether the rule's own refusals use up quota.
	 * @return whether refusals are counted
	 */
	public boolean countRejected() {
		return this.countRejected;
	}

	@Override
	public String toString() {
		return this.rule + this.thresholds;
	}

}
