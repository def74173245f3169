package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A rule: which requests it covers, who is counted, and how many are admitted. Every
 * enabled rule that matches a request applies, and the request passes only if all of them
 * admit it.
 *
 * @param id names the rule everywhere: {@code [a-z0-9][a-z0-9-]{0,63}}
 * @param enabled whether the rule is enforced
 * @param methods the HTTP methods it covers, in upper case; none means every method
 * @param paths the path patterns it covers; none means that it acts only where it is
 * named
 * @param key who is counted: one source, or several that form a tuple
 * @param onMissingKey what happens to a request without that key
 * @param stage on which side of Spring Security it is decided
 * @param algorithm how it counts
 * @param rounding what the sliding-window counter makes of a fraction; down for every
 * other algorithm
 * @param refill how a token bucket is refilled; continuous for every other algorithm
 * @param thresholds the windows, all of which must hold
 * @param countRejected whether refused requests use up quota; false for every algorithm
 * but the log
 * @param onStoreFailure what it does while the store cannot answer
 */
public record RLConfig(String id, boolean enabled, Set<String> methods, List<String> paths, List<KeySource> key,
		OnMissingKey onMissingKey, Stage stage, Algorithm algorithm, Rounding rounding, Refill refill,
		List<RLThreshold> thresholds, boolean countRejected, OnStoreFailure onStoreFailure) {

	/** The largest number of windows of one rule. */
	public static final int MAX_THRESHOLDS = 10;

	/** The largest number of key sources of one rule. */
	public static final int MAX_KEY_SOURCES = 5;

	/** The largest threshold of a log: each admission is an entry. */
	public static final long MAX_LOG_THRESHOLD = 1_000_000;

	public RLConfig {
		methods = Collections.unmodifiableSet(new LinkedHashSet<>(methods));
		paths = List.copyOf(paths);
		key = List.copyOf(key);
		thresholds = List.copyOf(thresholds);
		requireId(id);
		methods.forEach(RLConfig::requireMethod);
		paths.forEach(RLConfig::requirePath);
		RuleConstraints.requireThresholds(thresholds);
		RuleConstraints.requireMethodsWithPaths(methods, paths);
		RuleConstraints.requireKey(key, paths);
		RuleConstraints.requireStage(stage, key);
		AlgorithmConstraints.requireOptions(algorithm, rounding, refill, countRejected);
		AlgorithmConstraints.requireThresholds(algorithm, refill, thresholds);
	}

	/**
	 * Check a rule id.
	 * @param id the id
	 * @throws InvalidRuleException if it is not of the allowed form
	 */
	public static void requireId(String id) {
		RuleConstraints.requireId(id);
	}

	/**
	 * Check an HTTP method.
	 * @param method the method, in upper case
	 * @throws InvalidRuleException if there is no such method
	 */
	public static void requireMethod(String method) {
		RuleConstraints.requireMethod(method);
	}

	/**
	 * Check a path pattern as far as its text goes; whether it can be parsed shows where
	 * it is compiled.
	 * @param path the pattern
	 * @throws InvalidRuleException if it would match nothing, or if a client could make
	 * matching expensive
	 */
	public static void requirePath(String path) {
		PathSyntax.require(path);
	}

	/**
	 * Whether a request method is covered. HEAD runs the GET handler, so a rule for GET
	 * covers it.
	 * @param method the method of the request
	 * @return whether the rule covers it
	 */
	public boolean coversMethod(String method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| ("HEAD".equals(method) && this.methods.contains("GET"));
	}

	/**
	 * Start a rule in code.
	 * @param id its id
	 * @return a builder that holds the defaults
	 */
	public static Builder builder(String id) {
		return new Builder(id);
	}

	/**
	 * Builds a rule in code, with the same defaults as in YAML.
	 */
	public static final class Builder {

		private final String id;

		private boolean enabled = true;

		private Set<String> methods = Set.of();

		private List<String> paths = List.of();

		private List<KeySource> key = List.of(KeySource.valueOf("ip"));

		private OnMissingKey onMissingKey = OnMissingKey.IP;

		private Stage stage = Stage.AUTO;

		private Algorithm algorithm = Algorithm.SLIDING_WINDOW_LOG;

		private Rounding rounding = Rounding.DOWN;

		private Refill refill = Refill.CONTINUOUS;

		private List<RLThreshold> thresholds = List.of();

		private boolean countRejected;

		private OnStoreFailure onStoreFailure = OnStoreFailure.LOCAL;

		private Builder(String id) {
			this.id = id;
		}

		/**
		 * Set whether the rule is enforced.
		 * @param enabled whether it is
		 * @return this
		 */
		public Builder enabled(boolean enabled) {
			this.enabled = enabled;
			return this;
		}

		/**
		 * Set the HTTP methods.
		 * @param methods in upper case
		 * @return this
		 */
		public Builder methods(String... methods) {
			this.methods = new LinkedHashSet<>(Arrays.asList(methods));
			return this;
		}

		/**
		 * Set the path patterns.
		 * @param paths the patterns
		 * @return this
		 */
		public Builder paths(String... paths) {
			this.paths = List.of(paths);
			return this;
		}

		/**
		 * Set who is counted.
		 * @param sources for example {@code header:X-Api-Key}
		 * @return this
		 */
		public Builder key(String... sources) {
			return key(Arrays.stream(sources).map(KeySource::valueOf).toList());
		}

		/**
		 * Set who is counted.
		 * @param sources one source, or several that form a tuple
		 * @return this
		 */
		public Builder key(Collection<KeySource> sources) {
			this.key = List.copyOf(sources);
			return this;
		}

		/**
		 * Set what happens to requests without the key.
		 * @param onMissingKey the policy
		 * @return this
		 */
		public Builder onMissingKey(OnMissingKey onMissingKey) {
			this.onMissingKey = onMissingKey;
			return this;
		}

		/**
		 * Set the side of Spring Security.
		 * @param stage the stage
		 * @return this
		 */
		public Builder stage(Stage stage) {
			this.stage = stage;
			return this;
		}

		/**
		 * Set how the rule counts.
		 * @param algorithm the algorithm
		 * @return this
		 */
		public Builder algorithm(Algorithm algorithm) {
			this.algorithm = algorithm;
			return this;
		}

		/**
		 * Set what the sliding-window counter makes of a fraction.
		 * @param rounding the rounding
		 * @return this
		 */
		public Builder rounding(Rounding rounding) {
			this.rounding = rounding;
			return this;
		}

		/**
		 * Set how a token bucket is refilled.
		 * @param refill the refill
		 * @return this
		 */
		public Builder refill(Refill refill) {
			this.refill = refill;
			return this;
		}

		/**
		 * Set the thresholds.
		 * @param thresholds in the short form, for example {@code 500/2s}
		 * @return this
		 */
		public Builder thresholds(String... thresholds) {
			return thresholds(Arrays.stream(thresholds).map(RLThreshold::valueOf).toList());
		}

		/**
		 * Set the thresholds.
		 * @param thresholds the windows, all of which must hold
		 * @return this
		 */
		public Builder thresholds(Collection<RLThreshold> thresholds) {
			this.thresholds = List.copyOf(thresholds);
			return this;
		}

		/**
		 * Set whether refused requests use up quota.
		 * @param countRejected whether they do
		 * @return this
		 */
		public Builder countRejected(boolean countRejected) {
			this.countRejected = countRejected;
			return this;
		}

		/**
		 * Set what happens while the store cannot answer.
		 * @param onStoreFailure the policy
		 * @return this
		 */
		public Builder onStoreFailure(OnStoreFailure onStoreFailure) {
			this.onStoreFailure = onStoreFailure;
			return this;
		}

		/**
		 * Build the rule.
		 * @return the rule
		 * @throws InvalidRuleException if it is not valid
		 */
		public RLConfig build() {
			return new RLConfig(this.id, this.enabled, this.methods, this.paths, this.key, this.onMissingKey,
					this.stage, this.algorithm, this.rounding, this.refill, this.thresholds, this.countRejected,
					this.onStoreFailure);
		}

	}

}
