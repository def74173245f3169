package dev.ratelimit.rule;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.OnLimit.OnLimitKind;

/**
 * The constraints on a rule: the forms of its parts, and the values of keys that do not
 * go with each other.
 */
final class RuleConstraints {

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

	/** Path segments that the endpoint uses in place of a rule id. */
	private static final Set<String> RESERVED = Set.of("explain", "queue");

	/** A token of RFC 9110; an asterisk alone is reserved. */
	private static final Pattern METHOD = Pattern.compile("(?!\\*$)[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** In microseconds it is below 2^53. */
	private static final Duration LONGEST_FILL = RLWindow.MAX.multipliedBy(200);

	private RuleConstraints() {
	}

	static boolean isName(String text) {
		return NAME.matcher(text).matches();
	}

	static void requireId(String id) {
		if (!isName(id)) {
			throw new InvalidRuleException("id", id, "is not a rule id",
					"Use 1 to 64 lower-case letters, digits and dashes, not starting with a dash");
		}
		if (RESERVED.contains(id)) {
			throw new InvalidRuleException("id", id, "is a word of the endpoint /actuator/ratelimits/" + id,
					"Name the rule otherwise, for example " + id + "-1");
		}
	}

	static void requireMethod(String method) {
		if (!METHOD.matcher(method).matches()) {
			throw new InvalidRuleException("methods", method, "is not an HTTP method",
					"Write names such as GET, POST or QUERY, or leave methods out to cover all");
		}
		if (!HttpMethods.named(method).equals(method)) {
			throw new InvalidRuleException("methods", method, "is not in upper case",
					"Write " + HttpMethods.named(method));
		}
	}

	static void requireMethodsWithPaths(Set<String> methods, List<String> paths) {
		if (!methods.isEmpty() && paths.isEmpty()) {
			throw new InvalidRuleException("methods", String.join(", ", methods), "has no effect without paths",
					"Add paths, for example /**, or remove methods");
		}
	}

	static void requireSources(List<KeySource> key) {
		if (key.isEmpty() || key.size() > RLConfig.MAX_KEY_SOURCES) {
			throw invalid(key, "has " + key.size() + " sources",
					"Use 1 to " + RLConfig.MAX_KEY_SOURCES + " key sources");
		}
		if (new HashSet<>(key).size() < key.size()) {
			throw invalid(key, "names a source twice", "Name each source once");
		}
		if (key.size() > 1 && key.stream().anyMatch((source) -> source.kind() == KeySource.Kind.GLOBAL)) {
			throw invalid(key, "mixes global with other sources", "Use global alone: it is one bucket for all");
		}
	}

	/**
	 * A source must be known of each request that the rule covers: a path has no
	 * arguments, and no user is known before Spring Security.
	 */
	static void requireSource(String property, KeySource source, CoveredRequests requests) {
		KeySource.Kind kind = source.kind();
		if (kind == KeySource.Kind.ARG && !requests.paths().isEmpty()) {
			throw new InvalidRuleException(property, source.toString(),
					"is an argument of a method, which no request has",
					"Remove the paths and name the rule by @RateLimited on the method of a bean, or count by what a "
							+ "request contains");
		}
		if (kind == KeySource.Kind.PATH) {
			requests.paths().forEach((path) -> requireVariable(property, source, path));
		}
		boolean ofUser = kind == KeySource.Kind.PRINCIPAL || kind == KeySource.Kind.CLAIM;
		if (ofUser && requests.stage() == Stage.BEFORE_SECURITY) {
			throw new InvalidRuleException("stage", "before-security",
					"does not go with " + property + " " + source + ", which is known only behind Spring Security",
					"Use stage after-security, or leave it out");
		}
	}

	/** Without paths a variable depends on the handler that names the rule. */
	private static void requireVariable(String property, KeySource source, String path) {
		if (!PathSyntax.variables(path).contains(source.name())) {
			throw new InvalidRuleException(property, source.toString(),
					"names a variable that the path " + path + " does not have",
					"Write {" + source.name() + "} in every path of the rule, or name a variable that they all have");
		}
	}

	static void requireThresholds(List<RLThreshold> thresholds) {
		if (thresholds.isEmpty() || thresholds.size() > RLConfig.MAX_THRESHOLDS) {
			throw new InvalidRuleException("thresholds", thresholds.toString(), "has " + thresholds.size() + " windows",
					"Use 1 to " + RLConfig.MAX_THRESHOLDS + " windows, for example 500/2s, 2000/10s");
		}
		Set<RLWindow> windows = new HashSet<>();
		for (RLThreshold threshold : thresholds) {
			if (!windows.add(threshold.window())) {
				throw new InvalidRuleException("thresholds", threshold.toString(),
						"repeats the window " + threshold.window(), "Keep one threshold per window");
			}
		}
	}

	static void requireOverrides(List<KeyOverride> overrides, List<KeySource> key) {
		Set<List<String>> seen = new HashSet<>();
		for (int i = 0; i < overrides.size(); i++) {
			String property = "overrides[" + i + "].key";
			List<String> values = overrides.get(i).key();
			String shown = overrides.get(i).shown(key);
			if (key.get(0).kind() == KeySource.Kind.GLOBAL) {
				throw new InvalidRuleException(property, shown, "names a client, but the rule counts all together",
						"Remove the override, or count by something that tells customers apart");
			}
			if (values.size() != key.size()) {
				throw new InvalidRuleException(property, shown,
						"has %d values, but the key of the rule has %d".formatted(values.size(), key.size()),
						"Give one value for each of "
								+ String.join(", ", key.stream().map(KeySource::toString).toList()));
			}
			if (!seen.add(values)) {
				throw new InvalidRuleException(property, shown, "has an override already",
						"Keep one override per customer");
			}
		}
	}

	static void requireOptions(Algorithm algorithm, Rounding rounding, Refill refill, boolean countRejected) {
		if (rounding != Rounding.DOWN) {
			algorithm.require(Option.ROUNDING, "up");
		}
		if (refill != Refill.CONTINUOUS) {
			algorithm.require(Option.REFILL, "interval");
		}
		if (countRejected) {
			algorithm.require(Option.COUNT_REJECTED, "true");
		}
	}

	static void requireOutcomes(CountOn countOn, boolean countRejected) {
		refuse(!countOn.isAlways() && countRejected, "count-on", countOn,
				"count-rejected, which counts requests that have no outcome", "", "Remove one of the two");
	}

	static void requireMode(ModeKind mode, Algorithm algorithm, boolean countRejected, CountOn countOn) {
		requireAlgorithm(mode.algorithms(), algorithm, "mode", mode, "Use mode strict, or algorithm %s");
		if (mode != ModeKind.STRICT) {
			refuse(countRejected, "mode", mode, "count-rejected, as the store does not see every refusal", "",
					"Use mode strict, or remove count-rejected");
			refuse(!countOn.isAlways(), "mode", mode, "count-on %s, which releases single permits in the store",
					countOn, "Use mode strict, or remove count-on");
		}
	}

	static void requireOnLimit(OnLimit terms, Counting counting, CoveredRequests requests) {
		RuleChoice onLimit = terms.kind();
		if (onLimit != OnLimitKind.REJECT) {
			ModeKind mode = counting.mode().kind();
			CountOn countOn = counting.countOn();
			requireAlgorithm(terms.algorithms(), counting.algorithm(), "on-limit", onLimit,
					"Use algorithm %s, or on-limit reject");
			refuse(mode != ModeKind.STRICT, "on-limit", onLimit, "mode %s, as the store must see every request", mode,
					"Use mode strict, or on-limit reject");
			refuse(counting.countRejected(), "on-limit", onLimit,
					"count-rejected, as it refuses no request that may still come", "",
					"Remove count-rejected, or on-limit reject");
			refuse(!countOn.isAlways(), "on-limit", onLimit,
					"count-on %s, as a place that was taken keeps those behind it waiting", countOn,
					"Remove count-on, or on-limit reject");
		}
		terms.requireFit(counting, requests);
	}

	private static void requireAlgorithm(List<Algorithm> allowed, Algorithm algorithm, String key, RuleChoice value,
			String cure) {
		if (!allowed.contains(algorithm)) {
			String names = allowed.stream().map(Algorithm::text).collect(Collectors.joining(" or "));
			refuse(true, key, value, "algorithm %s", algorithm, cure.formatted(names));
		}
	}

	/**
	 * A key with one value does not go with another key.
	 * @param other the other key and the reason; %s stands for its value
	 */
	private static void refuse(boolean both, String key, Object value, String other, Object otherValue, String cure) {
		if (both) {
			throw new InvalidRuleException(key, text(value), "does not go with " + other.formatted(text(otherValue)),
					cure);
		}
	}

	private static String text(Object value) {
		return (value instanceof RuleChoice choice) ? choice.text() : value.toString();
	}

	/**
	 * Thresholds must match the algorithm and the mode, and have room for the cost.
	 */
	static void requireLimit(String property, List<RLThreshold> thresholds, Counting counting) {
		Algorithm algorithm = counting.algorithm();
		for (RLThreshold threshold : thresholds) {
			requireBurst(property, algorithm, counting.refill(), threshold);
			if (algorithm == Algorithm.SLIDING_WINDOW_LOG && threshold.threshold() > RLConfig.MAX_LOG_THRESHOLD) {
				throw invalid(property, threshold, "is too large for a log",
						"With sliding-window-log a threshold is at most " + RLConfig.MAX_LOG_THRESHOLD
								+ "; use another algorithm, such as sliding-window-counter");
			}
			if (algorithm.isBucket()) {
				requireRate(property, threshold);
			}
		}
		if (counting.cost() instanceof Cost.Fixed fixed) {
			requireCost(fixed, property, thresholds, algorithm);
		}
		requireWindows(counting.mode(), property, thresholds);
	}

	private static void requireBurst(String property, Algorithm algorithm, Refill refill, RLThreshold threshold) {
		if (threshold.burst() == threshold.threshold()) {
			return;
		}
		try {
			algorithm.require(Option.BURST, Long.toString(threshold.burst()));
		}
		catch (InvalidRuleException ex) {
			throw invalid(property, threshold, "has a burst that " + ex.reason(), ex.cure());
		}
		if (refill == Refill.INTERVAL) {
			throw invalid(property, threshold,
					"has a burst, which does not go with refill interval: that fills the bucket to its threshold",
					"Remove burst, or use refill continuous");
		}
	}

	/** Within these bounds a store counts every permit and microsecond in a double. */
	private static void requireRate(String property, RLThreshold threshold) {
		long windowMillis = threshold.windowLength().toMillis();
		if (threshold.threshold() > windowMillis * 1000) {
			throw invalid(property, threshold, "is more than one permit per microsecond",
					"With a bucket a threshold is at most %d/%s".formatted(windowMillis * 1000, threshold.window()));
		}
		long largestBurst = (long) ((double) LONGEST_FILL.toMillis() / windowMillis * threshold.threshold());
		if (threshold.burst() > largestBurst) {
			throw invalid(property, threshold,
					"has a burst that takes longer than %dd to come back".formatted(LONGEST_FILL.toDays()),
					"Use a burst of at most %d for %d/%s".formatted(largestBurst, threshold.threshold(),
							threshold.window()));
		}
	}

	private static void requireCost(Cost.Fixed cost, String property, List<RLThreshold> thresholds,
			Algorithm algorithm) {
		for (RLThreshold threshold : thresholds) {
			long capacity = algorithm.isBucket() ? threshold.burst() : threshold.threshold();
			if (cost.permits() > capacity) {
				throw new InvalidRuleException("cost", cost.toString(),
						"is above %s in %s, so that no request would ever be admitted".formatted(threshold, property),
						"Use a cost of at most " + capacity + ", or a larger threshold");
			}
		}
		if (cost.permits() > algorithm.maxCost()) {
			throw new InvalidRuleException("cost", cost.toString(),
					"is above %d, the most that one request may take of a log, which stores each permit"
						.formatted(algorithm.maxCost()),
					"Use a cost of at most %d, or algorithm sliding-window-counter".formatted(algorithm.maxCost()));
		}
	}

	/**
	 * The windows of a limit must not be shorter than the lease time or sync interval of
	 * its mode.
	 */
	private static void requireWindows(Mode mode, String property, List<RLThreshold> thresholds) {
		for (RLThreshold threshold : thresholds) {
			Duration window = threshold.windowLength();
			if (mode instanceof Mode.Leased leased) {
				Duration time = leased.time(thresholds);
				if (time.compareTo(window) > 0) {
					throw new InvalidRuleException("lease-time", leased.timeText(),
							"is longer than the window of %s in %s".formatted(threshold, property),
							"Use at most " + threshold.window() + ", better a tenth of it, or leave it out");
				}
				if (window.plus(time).compareTo(RLWindow.MAX) > 0) {
					throw invalid(property, threshold, "has a window that is too long for mode leased",
							"Use a window of at most 399d");
				}
				if (leased.size().orElse(1L) > threshold.threshold()) {
					throw new InvalidRuleException("lease-size", leased.sizeText(),
							"is above %s in %s".formatted(threshold, property),
							"Use at most " + threshold.threshold() + ", or auto");
				}
			}
			if (mode instanceof Mode.Synced synced && synced.interval().compareTo(window) > 0) {
				throw new InvalidRuleException("sync-interval", DurationText.of(synced.interval()),
						"is longer than the window of %s in %s".formatted(threshold, property),
						"Use at most " + threshold.window());
			}
		}
	}

	private static InvalidRuleException invalid(String property, RLThreshold threshold, String reason, String cure) {
		return new InvalidRuleException(property, threshold.toString(), reason, cure);
	}

	private static InvalidRuleException invalid(List<KeySource> key, String reason, String cure) {
		return new InvalidRuleException("key", String.join(", ", key.stream().map(KeySource::toString).toList()),
				reason, cure);
	}

}
