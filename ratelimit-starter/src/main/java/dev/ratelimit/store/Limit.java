package dev.ratelimit.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;

/**
 * The part of a rule that a store needs, compiled once when the rule set is built and
 * compared by identity: requests only carry a reference to it.
 */
public final class Limit {

	private static final long EXPIRY_SLACK_MILLIS = 100;

	private final String rule;

	private final Algorithm algorithm;

	private final List<RLThreshold> thresholds;

	private final long[] counts;

	private final long[] windowsMicros;

	private final boolean countRejected;

	private final List<byte[]> arguments;

	private Limit(RLConfig rule) {
		this.rule = rule.id();
		this.algorithm = rule.algorithm();
		this.thresholds = rule.thresholds().stream().sorted(Comparator.comparing(RLThreshold::window)).toList();
		this.counts = this.thresholds.stream().mapToLong(RLThreshold::threshold).toArray();
		this.windowsMicros = this.thresholds.stream()
			.mapToLong((threshold) -> threshold.window().toNanos() / 1000)
			.toArray();
		this.countRejected = rule.countRejected();
		this.arguments = readyArguments();
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
	 * The smallest threshold: no request above it is ever admitted.
	 * @return the smallest threshold
	 */
	public long smallestCount() {
		long smallest = Long.MAX_VALUE;
		for (long count : this.counts) {
			smallest = Math.min(smallest, count);
		}
		return smallest;
	}

	/**
	 * What a script must know of this limit, as ready text: {@code 0} or, where refusals
	 * are counted, the last rank beyond the largest threshold; the milliseconds after
	 * which an idle key is forgotten; then threshold and window in microseconds of every
	 * {@linkplain #thresholds() window}.
	 * @return the arguments in ASCII, which nobody may change
	 */
	public List<byte[]> arguments() {
		return this.arguments;
	}

	private List<byte[]> readyArguments() {
		Stream.Builder<Long> arguments = Stream.builder();
		arguments.add(this.countRejected ? -1 - largestCount() : 0L);
		// A key outlives its last entry, whatever the clock did between TIME and PEXPIRE.
		arguments.add(horizon().toMillis() + EXPIRY_SLACK_MILLIS);
		for (int i = 0; i < this.counts.length; i++) {
			arguments.add(this.counts[i]).add(this.windowsMicros[i]);
		}
		return arguments.build().map((value) -> value.toString().getBytes(StandardCharsets.US_ASCII)).toList();
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
