package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

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
 * @param thresholds the windows, all of which must hold
 * @param countRejected whether refused requests use up quota
 * @param onStoreFailure what it does while the store cannot answer
 */
public record RLConfig(String id, boolean enabled, Set<String> methods, List<String> paths, List<KeySource> key,
		OnMissingKey onMissingKey, Stage stage, Algorithm algorithm, List<RLThreshold> thresholds,
		boolean countRejected, OnStoreFailure onStoreFailure) {

	/** The largest number of windows of one rule. */
	public static final int MAX_THRESHOLDS = 10;

	/** The largest number of key sources of one rule. */
	public static final int MAX_KEY_SOURCES = 5;

	/** The largest threshold of a log: each admission is an entry. */
	public static final long MAX_LOG_THRESHOLD = 1_000_000;

	private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

	private static final List<String> HTTP_METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
			"TRACE");

	public RLConfig {
		requireId(id);
		methods = Set.copyOf(methods);
		paths = List.copyOf(paths);
		key = List.copyOf(key);
		thresholds = List.copyOf(thresholds);
		requireMethods(methods, paths);
		paths.forEach(PathSyntax::require);
		requireKey(key, paths, stage);
		requireThresholds(thresholds, algorithm);
	}

	/**
	 * Check a rule id.
	 * @param id the id
	 * @throws InvalidRuleException if it is not of the allowed form
	 */
	public static void requireId(String id) {
		if (!ID.matcher(id).matches()) {
			throw new InvalidRuleException("id", id, "is not a rule id",
					"Use 1 to 64 lower-case letters, digits and dashes, not starting with a dash");
		}
	}

	private static void requireMethods(Set<String> methods, List<String> paths) {
		for (String method : methods) {
			if (!HTTP_METHODS.contains(method)) {
				throw new InvalidRuleException("methods", method, "is not an HTTP method",
						"Use one or more of " + String.join(", ", HTTP_METHODS));
			}
		}
		if (!methods.isEmpty() && paths.isEmpty()) {
			throw new InvalidRuleException("methods", String.join(", ", new TreeSet<>(methods)),
					"has no effect without paths", "Add paths, for example /**");
		}
	}

	private static void requireKey(List<KeySource> key, List<String> paths, Stage stage) {
		if (key.isEmpty() || key.size() > MAX_KEY_SOURCES) {
			throw new InvalidRuleException("key", key.toString(), "has " + key.size() + " sources",
					"Use 1 to " + MAX_KEY_SOURCES + " key sources");
		}
		if (new HashSet<>(key).size() < key.size()) {
			throw new InvalidRuleException("key", key.toString(), "names a source twice", "Name each source once");
		}
		for (KeySource source : key) {
			if (source.kind() == KeySource.Kind.GLOBAL && key.size() > 1) {
				throw new InvalidRuleException("key", key.toString(), "mixes global with other sources",
						"Use global alone: it is one bucket for all");
			}
			if (source.kind() == KeySource.Kind.PATH) {
				requireVariable(source, paths);
			}
			if (stage == Stage.BEFORE_SECURITY && (source.kind() == KeySource.Kind.PRINCIPAL)) {
				throw new InvalidRuleException("stage", "before-security",
						"does not go with key " + source + ", which is known only behind Spring Security",
						"Use stage after-security, or leave it out");
			}
		}
	}

	private static void requireVariable(KeySource source, List<String> paths) {
		if (paths.isEmpty()) {
			throw new InvalidRuleException("key", source.toString(), "needs paths",
					"Add a path that has the variable {" + source.name() + "}");
		}
		for (String path : paths) {
			if (!PathSyntax.variables(path).contains(source.name())) {
				throw new InvalidRuleException("key", source.toString(),
						"names a variable that the path " + path + " does not have",
						"Use a variable of every path of the rule");
			}
		}
	}

	private static void requireThresholds(List<RLThreshold> thresholds, Algorithm algorithm) {
		if (thresholds.isEmpty() || thresholds.size() > MAX_THRESHOLDS) {
			throw new InvalidRuleException("thresholds", thresholds.toString(),
					"has " + thresholds.size() + " thresholds",
					"Use 1 to " + MAX_THRESHOLDS + " thresholds, for example 500/2s, 2000/10s");
		}
		Set<Duration> windows = new HashSet<>();
		for (RLThreshold threshold : thresholds) {
			if (!windows.add(threshold.window())) {
				throw new InvalidRuleException("thresholds", threshold.toString(),
						"repeats the window " + threshold.windowText(), "Keep one threshold per window");
			}
			if (algorithm == Algorithm.SLIDING_WINDOW_LOG && threshold.threshold() > MAX_LOG_THRESHOLD) {
				throw new InvalidRuleException("thresholds", threshold.toString(), "is too large for a log",
						"With sliding-window-log a threshold is at most " + MAX_LOG_THRESHOLD);
			}
		}
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
			this.methods = Set.of(methods);
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
			this.key = Arrays.stream(sources).map(KeySource::valueOf).toList();
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
		 * Set the thresholds.
		 * @param thresholds in the short form, for example {@code 500/2s}
		 * @return this
		 */
		public Builder thresholds(String... thresholds) {
			this.thresholds = Arrays.stream(thresholds).map(RLThreshold::valueOf).toList();
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
					this.stage, this.algorithm, this.thresholds, this.countRejected, this.onStoreFailure);
		}

	}

}
