package dev.ratelimit.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.rule.RuleScope;

/**
 * The part of a rule that a store needs. It is compiled once, when the rule set is built,
 * and requests only carry a reference to it. It has an identity: leases, synced counters
 * and scripts' arguments belong to this object, not to an equal one. Tested by
 * {@code NextPermitTests}.
 */
public final class Limit {

	private final RLConfig rule;

	private final List<RLThreshold> thresholds;

	private final List<String> policies;

	private final long[] counts;

	private final long[] windowsMicros;

	private final long[] capacities;

	private final long[] permitUnits;

	private final long[] unitsPerMicro;

	private final long[] highestRates;

	private final long[] ceilings;

	private final PlanWindows others;

	private final Optional<Limit> otherBuckets;

	private final Optional<LongerWindow> longerWindow;

	private Limit(RLConfig rule, List<RLThreshold> thresholds, PlanWindows others) {
		this(rule, thresholds, others, true);
	}

	private Limit(RLConfig rule, List<RLThreshold> thresholds, PlanWindows others, boolean isAsked) {
		this.rule = rule;
		this.thresholds = thresholds.stream().sorted(Comparator.comparing(RLThreshold::windowLength)).toList();
		this.policies = this.thresholds.stream()
			.map((threshold) -> (thresholds.size() == 1) ? rule.id() : rule.id() + "-" + threshold.window())
			.toList();
		this.counts = this.thresholds.stream().mapToLong(RLThreshold::threshold).toArray();
		this.windowsMicros = this.thresholds.stream()
			.mapToLong((threshold) -> threshold.windowLength().toNanos() / 1000)
			.toArray();
		this.capacities = this.thresholds.stream().mapToLong(RLThreshold::burst).toArray();
		this.permitUnits = new long[this.counts.length];
		this.unitsPerMicro = new long[this.counts.length];
		this.highestRates = new long[this.counts.length];
		for (int i = 0; i < this.counts.length; i++) {
			long divisor = others.shareUnits(this.thresholds.get(i)) ? 1
					: commonDivisor(this.counts[i], this.windowsMicros[i]);
			this.permitUnits[i] = this.windowsMicros[i] / divisor;
			this.unitsPerMicro[i] = this.counts[i] / divisor;
			this.highestRates[i] = others.highestRate(this.thresholds.get(i)) / divisor;
		}
		this.ceilings = this.thresholds.stream().mapToLong(others::ceiling).toArray();
		this.others = others;
		this.longerWindow = others.longerThan(this.thresholds.get(this.thresholds.size() - 1),
				rule.counting().countOn());
		List<RLThreshold> buckets = isAsked ? others.besides(this.thresholds) : List.of();
		this.otherBuckets = buckets.isEmpty() ? Optional.empty() : Optional.of(new Limit(rule, buckets, others, false));
	}

	/**
	 * Compile the limit of a rule.
	 * @param rule the rule
	 * @return its limit
	 */
	public static Limit of(RLConfig rule) {
		return of(rule, rule.allowances().thresholds());
	}

	/**
	 * Compile the limit of one of the plans of a rule.
	 * @param rule the rule
	 * @param thresholds the thresholds of the plan
	 * @return the limit
	 */
	public static Limit of(RLConfig rule, List<RLThreshold> thresholds) {
		return new Limit(rule, thresholds, PlanWindows.of(rule));
	}

	/**
	 * Compile the limit of an override, whose clients never use a plan.
	 * @param rule the rule
	 * @param thresholds the thresholds of the override
	 * @return the limit
	 */
	public static Limit ofOverride(RLConfig rule, List<RLThreshold> thresholds) {
		return new Limit(rule, thresholds, PlanWindows.ofOverride(thresholds));
	}

	/**
	 * The same limit with other thresholds, such as the part that one instance admits
	 * alone. Those of all plans change, as their clients share a key.
	 * @param change computes the other one of any threshold of the rule
	 * @return the limit
	 */
	public Limit map(UnaryOperator<RLThreshold> change) {
		return new Limit(this.rule, this.thresholds.stream().map(change).toList(), this.others.map(change));
	}

	/**
	 * The same limit with longer windows: permits count longer by the given time.
	 * @param time the additional length of each window, in whole milliseconds
	 * @return the limit
	 */
	public Limit lengthenedBy(Duration time) {
		UnaryOperator<RLThreshold> longer = (threshold) -> new RLThreshold(threshold.threshold(),
				threshold.windowLength().plus(time), threshold.burst());
		return map(longer);
	}

	/**
	 * The windows of the rule's other plans, which a key keeps beside these. Each has one
	 * bucket, which fills or leaks at the slowest rate of any plan. There are none if all
	 * plans have the same windows.
	 * @return a limit of these windows
	 */
	public Optional<Limit> otherBuckets() {
		return this.otherBuckets;
	}

	/**
	 * What a log keeps for plans with longer windows than these.
	 * @return what it keeps; empty if all plans of the rule have the same longest window
	 */
	public Optional<LongerWindow> longerWindow() {
		return this.longerWindow;
	}

	/**
	 * The largest debt of a bucket; debt beyond it is dropped. It is the largest capacity
	 * that any plan has for a bucket of this window, so that a client with a smaller plan
	 * does not pay the debt of a larger one.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return the debt
	 */
	public long ceiling(int index) {
		return this.ceilings[index];
	}

	/**
	 * The id of the rule.
	 * @return the id
	 */
	public String rule() {
		return this.rule.id();
	}

	/**
	 * The algorithm of the rule.
	 * @return the algorithm
	 */
	public Algorithm algorithm() {
		return this.rule.counting().algorithm();
	}

	/**
	 * The mode of the rule, which determines where permits come from.
	 * @return the mode
	 */
	public Mode mode() {
		return this.rule.counting().mode();
	}

	/**
	 * The scope of the rule, which determines where its permits count.
	 * @return the scope
	 */
	public RuleScope scope() {
		return this.rule.counting().scope();
	}

	/**
	 * Whether a request can be given a turn, and wait for it.
	 * @return whether this is a sliding-window log in strict mode that does not count its
	 * refusals, or a leaky bucket that {@linkplain #paces() paces}
	 */
	public boolean givesTurns() {
		return paces() || (algorithm() == Algorithm.SLIDING_WINDOW_LOG && mode().kind() == Mode.ModeKind.STRICT
				&& !countRejected());
	}

	/**
	 * Whether all requests are released at an even pace. A request that does not wait
	 * then asks for a turn now.
	 * @return whether this is a leaky bucket that delays
	 */
	public boolean paces() {
		return algorithm() == Algorithm.LEAKY_BUCKET
				&& this.rule.enforcement().onLimit().kind() == OnLimit.OnLimitKind.DELAY;
	}

	/**
	 * The thresholds, the shortest window first. All results use this order.
	 * @return the thresholds
	 */
	public List<RLThreshold> thresholds() {
		return this.thresholds;
	}

	/**
	 * The names of the thresholds in headers and problem details: the id of the rule,
	 * followed by the window if there are several. Decisions show those of a limit of the
	 * rule, not of one that was derived from it.
	 * @return the names, in the order of {@link #thresholds()}
	 */
	public List<String> policies() {
		return this.policies;
	}

	/**
	 * The thresholds between which the clients of this limit may change.
	 * @return those of the rule and all its plans; those of the override, if it is one
	 */
	public List<RLThreshold> thresholdsOfAllPlans() {
		return this.others.all().toList();
	}

	/**
	 * The number of windows.
	 * @return the number of thresholds
	 */
	public int size() {
		return this.counts.length;
	}

	/**
	 * The number of permits in a window.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return its threshold
	 */
	public long count(int index) {
		return this.counts[index];
	}

	/**
	 * The length of a window.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return its window in microseconds
	 */
	public long windowMicros(int index) {
		return this.windowsMicros[index];
	}

	/**
	 * The maximum number of permits that can be admitted at once: the burst of a bucket,
	 * otherwise the threshold.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return its capacity
	 */
	public long capacity(int index) {
		return algorithm().isBucket() ? this.capacities[index] : this.counts[index];
	}

	/**
	 * The number of units of one permit in a bucket. It is chosen so that whole units
	 * flow in a microsecond and none are lost to rounding.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return the window, divided by a common divisor of window and threshold
	 */
	public long permitUnits(int index) {
		return this.permitUnits[index];
	}

	/**
	 * The number of units that flow into or out of a bucket in a microsecond.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return the threshold, divided by a common divisor of window and threshold
	 */
	public long unitsPerMicro(int index) {
		return this.unitsPerMicro[index];
	}

	/**
	 * The highest rate at which this bucket flows, whichever plan a request uses. A
	 * release assumes it, because it cannot know which plans were used meanwhile.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @return the largest {@link #unitsPerMicro(int)} that any plan has for this window
	 */
	public long highestUnitsPerMicro(int index) {
		return this.highestRates[index];
	}

	private static long commonDivisor(long one, long another) {
		long divisor = one;
		for (long other = another; other > 0;) {
			long rest = divisor % other;
			divisor = other;
			other = rest;
		}
		return divisor;
	}

	/**
	 * The time until a window that has admitted a request has more permits than now, if
	 * no further request arrives. It is exact for logs, fixed windows and buckets. For
	 * the sliding-window counter it is an upper bound, because a usage does not contain
	 * the age of its permits.
	 * @param index the index of the threshold in {@link #thresholds()}
	 * @param usage the usage of the window
	 * @return the time in microseconds; 0 if nothing is used, and for a log that has
	 * permits left
	 */
	public long nextPermitMicros(int index, Usage usage) {
		if (usage.resetMicros() == 0) {
			return 0;
		}
		return switch (algorithm()) {
			case SLIDING_WINDOW_LOG -> nextOfLog(usage);
			case SLIDING_WINDOW_COUNTER -> nextOfCounter(index, usage);
			case FIXED_WINDOW -> usage.resetMicros();
			case TOKEN_BUCKET -> (refill() == Refill.INTERVAL) ? usage.resetMicros() : nextOfBucket(index, usage);
			case LEAKY_BUCKET -> nextOfBucket(index, usage);
		};
	}

	private static long nextOfLog(Usage usage) {
		if (usage.remaining() > 0) {
			return 0;
		}
		return (usage.nextMicros() > 0) ? usage.nextMicros() : usage.resetMicros();
	}

	/**
	 * After the end of the current window its permits begin to weigh less: immediately
	 * when rounded down, and after a whole permit has left the window when rounded up.
	 */
	private long nextOfCounter(int index, Usage usage) {
		long window = this.windowsMicros[index];
		if (usage.resetMicros() <= window) {
			return usage.resetMicros();
		}
		long used = Math.max(1, this.counts[index] - usage.remaining());
		return usage.resetMicros() - window + ((rounding() == Rounding.UP) ? (window + used - 1) / used : 1);
	}

	/**
	 * The time until the reset, less the time in which the permits flow that may still be
	 * missing when one permit is free.
	 */
	private long nextOfBucket(int index, Usage usage) {
		long stillMissing = capacity(index) - usage.remaining() - 1;
		return Math.max(1, usage.resetMicros() - flowMicros(index, Math.max(0, stillMissing)));
	}

	/** The time that permits take to flow, rounded down. */
	private long flowMicros(int index, long permits) {
		long whole = permits / this.unitsPerMicro[index] * this.permitUnits[index];
		long rest = permits % this.unitsPerMicro[index];
		if (Math.multiplyHigh(rest, this.permitUnits[index]) == 0 && rest * this.permitUnits[index] >= 0) {
			return whole + rest * this.permitUnits[index] / this.unitsPerMicro[index];
		}
		return whole + (long) ((double) rest * this.permitUnits[index] / this.unitsPerMicro[index]) - 1;
	}

	/**
	 * How the sliding-window counter rounds fractions.
	 * @return the rounding
	 */
	public Rounding rounding() {
		return this.rule.counting().rounding();
	}

	/**
	 * How a token bucket is refilled.
	 * @return the refill
	 */
	public Refill refill() {
		return this.rule.counting().refill();
	}

	/**
	 * The maximum time for which an admission matters; nothing is stored for longer. It
	 * is the longest window. For the sliding-window counter it is two of them, and for a
	 * bucket the time in which it fills up or runs dry.
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
	 * The maximum number of entries that a log keeps if it counts refusals. It is enough
	 * for every plan.
	 * @return the number; see {@link dev.ratelimit.rule.LogEntries}
	 */
	public long mostKept() {
		return longerWindow().map(LongerWindow::most).orElseGet(this.others::largestCount);
	}

	/**
	 * The most permits that one request can acquire.
	 * @return the smallest capacity, and at most {@link Algorithm#maxCost()}
	 */
	public long largestCost() {
		long smallest = algorithm().maxCost();
		for (int i = 0; i < this.counts.length; i++) {
			smallest = Math.min(smallest, capacity(i));
		}
		return smallest;
	}

	/**
	 * Whether refused requests of this rule use up its quota.
	 * @return whether refusals are counted
	 */
	public boolean countRejected() {
		return this.rule.counting().countRejected();
	}

	@Override
	public String toString() {
		return rule() + this.thresholds;
	}

}
