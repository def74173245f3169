package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;

/**
 * Makes limits for tests, and stores them by the id of their rule.
 */
public final class Limits {

	private static final Map<String, Limit> KNOWN = new ConcurrentHashMap<>();

	private Limits() {
	}

	/**
	 * Make a limit.
	 * @param rule the id of its rule
	 * @param thresholds in short form
	 * @return the limit, which does not count refusals
	 */
	public static Limit of(String rule, String... thresholds) {
		return of(rule, false, thresholds);
	}

	public static Limit countingRefusals(String rule, String... thresholds) {
		return of(rule, true, thresholds);
	}

	public static Limit of(Algorithm algorithm, String rule, String... thresholds) {
		return of(RLConfig.builder(rule).algorithm(algorithm).thresholds(thresholds).build());
	}

	private static Limit of(String rule, boolean countRejected, String... thresholds) {
		return of(RLConfig.builder(rule).thresholds(thresholds).countRejected(countRejected).build());
	}

	/**
	 * Make the limit of a bucket. One that is refilled by interval has no burst beside
	 * its threshold: there the burst is the threshold.
	 */
	static Limit bucket(String rule, Algorithm algorithm, Refill refill, List<RLThreshold> thresholds) {
		List<RLThreshold> fitting = (refill != Refill.INTERVAL) ? thresholds
				: thresholds.stream()
					.map((threshold) -> new RLThreshold(threshold.burst(), threshold.windowLength()))
					.toList();
		return of(RLConfig.builder(rule).algorithm(algorithm).refill(refill).thresholds(fitting));
	}

	/**
	 * Make limits of 3/10s and 7/60s, one for each way to count.
	 * @return the limits, each of a rule of its own
	 */
	public static Stream<Limit> ofEveryKind() {
		return Stream.of(rule("log", Algorithm.SLIDING_WINDOW_LOG),
				rule("counting-log", Algorithm.SLIDING_WINDOW_LOG).countRejected(true),
				rule("counter", Algorithm.SLIDING_WINDOW_COUNTER),
				rule("counter-up", Algorithm.SLIDING_WINDOW_COUNTER).rounding(Rounding.UP),
				rule("fixed", Algorithm.FIXED_WINDOW), rule("tokens", Algorithm.TOKEN_BUCKET),
				rule("intervals", Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL), rule("leak", Algorithm.LEAKY_BUCKET))
			.map(Limits::of);
	}

	private static RLConfigBuilder rule(String id, Algorithm algorithm) {
		return RLConfig.builder(id).algorithm(algorithm).thresholds("3/10s", "7/60s");
	}

	public static Limit of(RLConfigBuilder rule) {
		return of(rule.build());
	}

	/**
	 * Make a limit of any kind.
	 * @param rule the rule
	 * @return the limit
	 */
	public static Limit of(RLConfig rule) {
		return known(Limit.of(rule));
	}

	/**
	 * Make the limits of all plans of a rule.
	 * @param rule the rule
	 * @return the limit of clients without a plan, and those of the plans that have any
	 */
	public static List<Limit> ofPlans(RLConfig rule) {
		List<Limit> limits = new ArrayList<>();
		limits.add(of(rule));
		for (Allowance allowance : rule.allowances().plans().allowances().values()) {
			if (allowance instanceof Allowance.Limited limited) {
				limits.add(known(Limit.of(rule, limited.thresholds())));
			}
		}
		return limits;
	}

	static Limit known(Limit limit) {
		KNOWN.merge(limit.rule(), limit, (one, other) -> (one.horizon().compareTo(other.horizon()) > 0) ? one : other);
		return limit;
	}

	/**
	 * Find the limit of the longest horizon that was made for a rule.
	 * @param rule the id of the rule
	 * @return the limit
	 */
	public static Optional<Limit> known(String rule) {
		return Optional.ofNullable(KNOWN.get(rule));
	}

}
