package dev.ratelimit.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A rule: which requests it covers, by which key clients are counted, and how many
 * requests are admitted. Every enabled rule that matches a request applies, and the
 * request passes only if all of them admit it.
 *
 * @param id the unique name of the rule: {@code [a-z0-9][a-z0-9-]{0,63}}
 * @param enabled whether the rule is enforced
 * @param methods the HTTP methods it covers, those of the registry in upper case; none
 * means every method
 * @param paths the path patterns it covers; without paths it acts only where it is named
 * @param key the key by which clients are counted: one source, or several that form a
 * tuple
 * @param onMissingKey what happens to a request without that key
 * @param stage the side of Spring Security on which it is decided
 * @param algorithm how it counts
 * @param rounding how the sliding-window counter rounds a fraction; down for every other
 * algorithm
 * @param refill how a token bucket is refilled; continuous for every other algorithm
 * @param thresholds the windows, all of which must hold
 * @param mode where its permits come from
 * @param scope where its permits count
 * @param countRejected whether refused requests use up quota; false for every algorithm
 * but the log
 * @param cost the number of permits one request costs
 * @param countOn the outcomes that count
 * @param when whether it applies to a request that it matches
 * @param plans what each plan is allowed instead of the thresholds
 * @param overrides what single customers are allowed, regardless of their plan
 * @param onLimit what happens to a request that exceeds the limit
 * @param refusal the response to an HTTP request that exceeds the limit
 * @param onStoreFailure what it does during an outage of the store
 * @param shadow whether it only reports what it would refuse
 * @param acknowledge the warnings of the rule that are neither logged nor a detail of the
 * health
 */
public record RLConfig(String id, boolean enabled, Set<String> methods, List<String> paths, List<KeySource> key,
		OnMissingKey onMissingKey, Stage stage, Algorithm algorithm, Rounding rounding, Refill refill,
		List<RLThreshold> thresholds, Mode mode, RuleScope scope, boolean countRejected, Cost cost, CountOn countOn,
		Condition when, Plans plans, List<KeyOverride> overrides, OnLimit onLimit, Refusal refusal,
		OnStoreFailure onStoreFailure, boolean shadow, Set<RuleWarning> acknowledge) {

	/** The largest number of windows of one rule. */
	public static final int MAX_THRESHOLDS = 10;

	/** The largest number of key sources of one rule. */
	public static final int MAX_KEY_SOURCES = 5;

	/** The largest threshold of a log, which stores one entry per admission. */
	public static final long MAX_LOG_THRESHOLD = 1_000_000;

	/**
	 * The most permits that one request can take of a log, which writes an entry for
	 * each.
	 */
	public static final long MAX_LOG_COST = 100;

	public RLConfig {
		methods = Collections.unmodifiableSet(new LinkedHashSet<>(methods));
		paths = List.copyOf(paths);
		key = List.copyOf(key);
		thresholds = List.copyOf(thresholds);
		overrides = List.copyOf(overrides);
		acknowledge = Collections.unmodifiableSet(new LinkedHashSet<>(acknowledge));
		requireId(id);
		methods.forEach(RuleConstraints::requireMethod);
		paths.forEach(RLConfig::requirePath);
		RuleConstraints.requireThresholds(thresholds);
		RuleConstraints.requireMethodsWithPaths(methods, paths);
		RuleConstraints.requireKey(key, paths);
		RuleConstraints.requireStage(stage, "key", key);
		RuleConstraints.requireOptions(algorithm, rounding, refill, countRejected);
		RuleConstraints.requirePlans(plans, paths, stage);
		RuleConstraints.requireOverrides(overrides, key);
		Map<String, List<RLThreshold>> limits = limits(thresholds, plans, overrides);
		limits.forEach((property, limit) -> RuleConstraints.requireLimit(property, limit, algorithm, refill, cost));
		RuleConstraints.requireChoices(algorithm, stage, countRejected, countOn, mode, scope, onLimit);
		RuleConstraints.requireRoom(onLimit);
		RuleConstraints.requireEnqueuedMethod(onLimit, methods);
		limits.forEach((property, limit) -> RuleConstraints.requireWindows(mode, property, limit));
	}

	/**
	 * Check a rule id.
	 * @param id the id
	 * @throws InvalidRuleException if it does not have the allowed form
	 */
	public static void requireId(String id) {
		RuleConstraints.requireId(id);
	}

	/**
	 * Check a path pattern as far as its text allows; the compiler checks whether it can
	 * be parsed.
	 * @param path the pattern
	 * @throws InvalidRuleException if it would match nothing, or if a client could make
	 * matching expensive
	 */
	public static void requirePath(String path) {
		PathSyntax.require(path);
	}

	/**
	 * All thresholds that a client may get.
	 * @return the thresholds by the key of the rule that defines them:
	 * {@code thresholds}, {@code plans.free}, {@code overrides[0].thresholds}
	 */
	public Map<String, List<RLThreshold>> limits() {
		return limits(this.thresholds, this.plans, this.overrides);
	}

	private static Map<String, List<RLThreshold>> limits(List<RLThreshold> thresholds, Plans plans,
			List<KeyOverride> overrides) {
		Map<String, List<RLThreshold>> limits = new LinkedHashMap<>();
		limits.put("thresholds", thresholds);
		plans.allowances().forEach((plan, allowance) -> {
			if (allowance instanceof Allowance.Limited limited) {
				limits.put("plans." + plan, limited.thresholds());
			}
		});
		for (int i = 0; i < overrides.size(); i++) {
			if (overrides.get(i).allowance() instanceof Allowance.Limited limited) {
				limits.put("overrides[" + i + "].thresholds", limited.thresholds());
			}
		}
		return limits;
	}

	/**
	 * The thresholds by plan. A client may change its plan.
	 * @return the thresholds of the rule, and of each plan that has any
	 */
	public List<List<RLThreshold>> thresholdsOfPlans() {
		Stream<List<RLThreshold>> plans = this.plans.allowances()
			.values()
			.stream()
			.filter(Allowance.Limited.class::isInstance)
			.map((allowance) -> ((Allowance.Limited) allowance).thresholds());
		return Stream.concat(Stream.of(this.thresholds), plans).toList();
	}

	/**
	 * Whether a request method is among those of the rule. HEAD runs the GET handler, so
	 * a rule for GET covers it.
	 * @param method the method of the request
	 * @return whether the rule covers it
	 */
	public boolean coversMethod(String method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| ("HEAD".equals(method) && this.methods.contains("GET"));
	}

	/**
	 * Whether a path of this rule has a variable.
	 * @param name the name of the variable
	 * @return whether some request that the rule covers can have it
	 */
	public boolean hasPathVariable(String name) {
		return this.paths.stream().anyMatch((path) -> PathSyntax.variables(path).contains(name));
	}

	/**
	 * The same rule for an annotated handler that names it.
	 * @param paths the paths of the handler
	 * @param cost the cost of a request there
	 * @param when whether it applies there
	 * @return the rule
	 * @throws InvalidRuleException if the rule is not compatible with these
	 */
	public RLConfig at(List<String> paths, Cost cost, Condition when) {
		return new RLConfig(this.id, this.enabled, Set.of(), paths, this.key, this.onMissingKey, this.stage,
				this.algorithm, this.rounding, this.refill, this.thresholds, this.mode, this.scope, this.countRejected,
				cost, this.countOn, when, this.plans, this.overrides, this.onLimit, this.refusal, this.onStoreFailure,
				this.shadow, this.acknowledge);
	}

	/**
	 * Start a rule in code.
	 * @param id its id
	 * @return a builder that holds the defaults
	 */
	public static RLConfigBuilder builder(String id) {
		return new RLConfigBuilder(id);
	}

}
