package dev.ratelimit.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;

/**
 * The part of a rule that a store needs, compiled once when the rule set is built and
 * compared by identity: requests only carry a reference to it.
 */
public final class Limit {

	private final RLConfig rule;

	private final List<RLThreshold> thresholds;

	private final long[] counts;

	private final long[] windowsMicros;

	private final long[] capacities;

	private final List<byte[]> arguments;

	private Limit(RLConfig rule, List<RLThreshold> thresholds) {
		this.rule = rule;
		this.thresholds = thresholds.stream().sorted(Comparator.comparing(RLThreshold::window)).toList();
		this.counts = this.thresholds.stream().mapToLong(RLThreshold::threshold).toArray();
		this.windowsMicros = this.thresholds.stream()
			.mapToLong((threshold) -> threshold.window().toNanos() / 1000)
			.toArray();
		this.capacities = this.thresholds.stream().mapToLong(RLThreshold::burst).toArray();
		this.arguments = LimitArguments.of(this);
	}

	/**
	 * Compile the limit of a rule.
	 * @param rule the rule
	 * @return its limit
	 */
	public static Limit of(RLConfig rule) {
		return of(rule, rule.thresholds());
	}

	/**
	 * Compile a limit that a rule has for some of its clients.
	 * @param rule the rule
	 * @param thresholds what these get in the place of its thresholds
	 * @return the limit
	 */
	public static Limit of(RLConfig rule, List<RLThreshold> thresholds) {
		return new Limit(rule, thresholds);
	}

	/**
	 * The same with longer windows: what is taken counts for so much longer.
	 * @param time how much longer; in whole milliseconds
	 * @return the limit
	 */
	public Limit lengthenedBy(Duration time) {
		return new Limit(this.rule,
				this.thresholds.stream()
					.map((threshold) -> new RLThreshold(threshold.threshold(), threshold.window().plus(time),
							threshold.burst()))
					.toList());
	}

	/**
	 * The id of the rule.
	 * @return the id
	 */
	public String rule() {
		return this.rule.id();
	}

	/**
	 * How the rule counts.
	 * @return the algorithm
	 */
	public Algorithm algorithm() {
		return this.rule.algorithm();
	}

	/**
	 * Where permits come from.
	 * @return the mode
	 */
	public Mode mode() {
		return this.rule.mode();
	}

	/**
	 * Whether a request can be given a turn, and wait for it.
	 * @return whether this is a sliding-window log in strict mode that does not count its
	 * refusals, or a leaky bucket that {@linkplain #paces() paces}
	 */
	public boolean givesTurns() {
		return paces() || (algorithm() == Algorithm.SLIDING_WINDOW_LOG && mode().kind() == Mode.Kind.STRICT
				&& !countRejected());
	}

	/**
	 * Whether requests go on at an even pace, all of them: who asks without waiting is
	 * asking for a turn now.
	 * @return whether this is a leaky bucket that delays
	 */
	public boolean paces() {
		return algorithm() == Algorithm.LEAKY_BUCKET && this.rule.onLimit().kind() == OnLimit.Kind.DELAY;
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
	 * The most that can be admitted at once: the burst of a bucket, else the threshold.
	 * @param index the place of the threshold in {@link #thresholds()}
	 * @return its capacity
	 */
	public long capacity(int index) {
		return algorithm().isBucket() ? this.capacities[index] : this.counts[index];
	}

	/**
	 * In how many units a bucket counts a permit, so that whole units flow in a
	 * microsecond and none are lost to rounding.
	 * @param index the place of the threshold in {@link #thresholds()}
	 * @return the window, divided by what it has in common with the threshold
	 */
	public long permitUnits(int index) {
		return this.windowsMicros[index] / commonDivisor(index);
	}

	/**
	 * How many units flow into or out of a bucket in a microsecond.
	 * @param index the place of the threshold in {@link #thresholds()}
	 * @return the threshold, divided by what it has in common with the window
	 */
	public long unitsPerMicro(int index) {
		return this.counts[index] / commonDivisor(index);
	}

	private long commonDivisor(int index) {
		long divisor = this.counts[index];
		for (long other = this.windowsMicros[index]; other > 0;) {
			long rest = divisor % other;
			divisor = other;
			other = rest;
		}
		return divisor;
	}

	/**
	 * What the sliding-window counter makes of a fraction.
	 * @return the rounding
	 */
	public Rounding rounding() {
		return this.rule.rounding();
	}

	/**
	 * How a token bucket is refilled.
	 * @return the refill
	 */
	public Refill refill() {
		return this.rule.refill();
	}

	/**
	 * How long an admission matters at most: nothing is remembered for longer. That is
	 * the longest window; two of them for the sliding-window counter; for a bucket the
	 * time in which it fills up or runs dry.
	 * @return the horizon, rounded up to milliseconds
	 */
	public Duration horizon() {
		long longestMillis = 0;
		for (int i = 0; i < this.counts.length; i++) {
			longestMillis = Math.max(longestMillis, horizonMillis(i));
		}
		return Duration.ofMillis(longestMillis);
	}

	private long horizonMillis(int index) {
		long windowMillis = this.windowsMicros[index] / 1000;
		return switch (algorithm()) {
			case SLIDING_WINDOW_LOG, FIXED_WINDOW -> windowMillis;
			case SLIDING_WINDOW_COUNTER -> 2 * windowMillis;
			case TOKEN_BUCKET -> (refill() == Refill.INTERVAL) ? windowMillis : fillMillis(windowMillis, index);
			case LEAKY_BUCKET -> fillMillis(windowMillis, index);
		};
	}

	private long fillMillis(long windowMillis, int index) {
		return (long) Math.ceil((double) windowMillis * this.capacities[index] / this.counts[index]);
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
	 * The smallest capacity: no request above it is ever admitted.
	 * @return the smallest capacity
	 */
	public long smallestCapacity() {
		long smallest = Long.MAX_VALUE;
		for (int i = 0; i < this.counts.length; i++) {
			smallest = Math.min(smallest, capacity(i));
		}
		return smallest;
	}

	/**
	 * What a script must know of this limit, as ready text; the order is told at the head
	 * of the script.
	 * @return the arguments in ASCII, which nobody may change
	 */
	public List<byte[]> arguments() {
		return this.arguments;
	}

	/**
	 * Whether the rule's own refusals use up quota.
	 * @return whether refusals are counted
	 */
	public boolean countRejected() {
		return this.rule.countRejected();
	}

	@Override
	public String toString() {
		return rule() + this.thresholds;
	}

}
