package dev.ratelimit.rule;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The constraints on a rule as a whole.
 */
final class RuleConstraints {

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

	/** Path segments that the endpoint uses in place of a rule id. */
	private static final Set<String> RESERVED = Set.of("explain", "queue");

	/** A token of RFC 9110; an asterisk alone is reserved. */
	private static final Pattern METHOD = Pattern.compile("(?!\\*$)[!#$%&'*+.^_`|~0-9A-Za-z-]+");

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

	static void requireKey(List<KeySource> key, List<String> paths) {
		if (key.isEmpty() || key.size() > RLConfig.MAX_KEY_SOURCES) {
			throw invalid(key, "has " + key.size() + " sources",
					"Use 1 to " + RLConfig.MAX_KEY_SOURCES + " key sources");
		}
		if (new HashSet<>(key).size() < key.size()) {
			throw invalid(key, "names a source twice", "Name each source once");
		}
		for (KeySource source : key) {
			if (source.kind() == KeySource.Kind.GLOBAL && key.size() > 1) {
				throw invalid(key, "mixes global with other sources", "Use global alone: it is one bucket for all");
			}
			requireSource("key", source, paths);
		}
	}

	/**
	 * A path variable is available only if every path has it; without paths it depends on
	 * the handler that names the rule. A path has no arguments.
	 */
	static void requireSource(String property, KeySource source, List<String> paths) {
		if (source.kind() == KeySource.Kind.ARG && !paths.isEmpty()) {
			throw new InvalidRuleException(property, source.toString(),
					"is an argument of a method, which no request has",
					"Remove the paths and name the rule by @RateLimited on the method of a bean, or count by what a "
							+ "request contains");
		}
		if (source.kind() != KeySource.Kind.PATH) {
			return;
		}
		String variable = "{" + source.name() + "}";
		for (String path : paths) {
			if (!PathSyntax.variables(path).contains(source.name())) {
				throw new InvalidRuleException(property, source.toString(),
						"names a variable that the path " + path + " does not have",
						"Write " + variable + " in every path of the rule, or name a variable that they all have");
			}
		}
	}

	static void requireStage(Stage stage, String property, List<KeySource> key) {
		for (KeySource source : key) {
			boolean ofUser = source.kind() == KeySource.Kind.PRINCIPAL || source.kind() == KeySource.Kind.CLAIM;
			if (stage == Stage.BEFORE_SECURITY && ofUser) {
				throw new InvalidRuleException("stage", "before-security",
						"does not go with " + property + " " + source + ", which is known only behind Spring Security",
						"Use stage after-security, or leave it out");
			}
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
						"repeats the window " + threshold.windowText(), "Keep one threshold per window");
			}
		}
	}

	/** The keys that restrict each other. */
	static void requireChoices(Algorithm algorithm, Stage stage, boolean countRejected, CountOn countOn, Mode mode,
			RuleScope scope, OnLimit onLimit) {
		AllowanceConstraints.requireCountOn(countOn, countRejected);
		ModeConstraints.require(mode, algorithm, countRejected, countOn);
		ScopeConstraints.require(scope, algorithm, mode, countOn);
		OnLimitConstraints.require(onLimit, stage, algorithm, mode, countRejected, countOn);
	}

	private static InvalidRuleException invalid(List<KeySource> key, String reason, String cure) {
		return new InvalidRuleException("key", String.join(", ", key.stream().map(KeySource::toString).toList()),
				reason, cure);
	}

}
