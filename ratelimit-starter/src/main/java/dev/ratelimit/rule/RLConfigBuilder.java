package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Builds a rule in code, with the same defaults as in YAML.
 */
public final class RLConfigBuilder {

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

	private Mode mode = Mode.STRICT;

	private RuleScope scope = RuleScope.DATACENTER;

	private boolean countRejected;

	private Cost cost = Cost.ONE;

	private CountOn countOn = CountOn.ALWAYS;

	private Condition when = Condition.ALWAYS;

	private Plans plans = Plans.NONE;

	private List<KeyOverride> overrides = List.of();

	private OnLimit onLimit = OnLimit.REJECT;

	private Refusal refusal = Refusal.PROBLEM;

	private OnStoreFailure onStoreFailure = OnStoreFailure.LOCAL;

	private boolean shadow;

	private Set<RuleWarning> acknowledge = Set.of();

	RLConfigBuilder(String id) {
		this.id = id;
	}

	/**
	 * Set whether the rule is enforced.
	 * @param enabled whether it is
	 * @return this
	 */
	public RLConfigBuilder enabled(boolean enabled) {
		this.enabled = enabled;
		return this;
	}

	/**
	 * Set the HTTP methods.
	 * @param methods those of the registry in upper case
	 * @return this
	 */
	public RLConfigBuilder methods(String... methods) {
		this.methods = new LinkedHashSet<>(Arrays.asList(methods));
		return this;
	}

	/**
	 * Set the path patterns.
	 * @param paths the patterns
	 * @return this
	 */
	public RLConfigBuilder paths(String... paths) {
		this.paths = List.of(paths);
		return this;
	}

	/**
	 * Set the key by which clients are counted.
	 * @param sources for example {@code header:X-Api-Key}
	 * @return this
	 */
	public RLConfigBuilder key(String... sources) {
		return key(Arrays.stream(sources).map(KeySource::valueOf).toList());
	}

	/**
	 * Set the key by which clients are counted.
	 * @param sources one source, or several that form a tuple
	 * @return this
	 */
	public RLConfigBuilder key(Collection<KeySource> sources) {
		this.key = List.copyOf(sources);
		return this;
	}

	/**
	 * Set what happens to requests without the key.
	 * @param onMissingKey the policy
	 * @return this
	 */
	public RLConfigBuilder onMissingKey(OnMissingKey onMissingKey) {
		this.onMissingKey = onMissingKey;
		return this;
	}

	/**
	 * Set the side of Spring Security.
	 * @param stage the stage
	 * @return this
	 */
	public RLConfigBuilder stage(Stage stage) {
		this.stage = stage;
		return this;
	}

	/**
	 * Set how the rule counts.
	 * @param algorithm the algorithm
	 * @return this
	 */
	public RLConfigBuilder algorithm(Algorithm algorithm) {
		this.algorithm = algorithm;
		return this;
	}

	/**
	 * Set how the sliding-window counter rounds a fraction.
	 * @param rounding the rounding
	 * @return this
	 */
	public RLConfigBuilder rounding(Rounding rounding) {
		this.rounding = rounding;
		return this;
	}

	/**
	 * Set how a token bucket is refilled.
	 * @param refill the refill
	 * @return this
	 */
	public RLConfigBuilder refill(Refill refill) {
		this.refill = refill;
		return this;
	}

	/**
	 * Set the thresholds.
	 * @param thresholds in the short form, for example {@code 500/2s}
	 * @return this
	 */
	public RLConfigBuilder thresholds(String... thresholds) {
		return thresholds(Arrays.stream(thresholds).map(RLThreshold::valueOf).toList());
	}

	/**
	 * Set the thresholds.
	 * @param thresholds the windows, all of which must hold
	 * @return this
	 */
	public RLConfigBuilder thresholds(Collection<RLThreshold> thresholds) {
		this.thresholds = List.copyOf(thresholds);
		return this;
	}

	/**
	 * Set where permits come from.
	 * @param mode the mode
	 * @return this
	 */
	public RLConfigBuilder mode(Mode mode) {
		this.mode = mode;
		return this;
	}

	/**
	 * Set where permits count.
	 * @param scope the scope
	 * @return this
	 */
	public RLConfigBuilder scope(RuleScope scope) {
		this.scope = scope;
		return this;
	}

	/**
	 * Set whether refused requests use up quota.
	 * @param countRejected whether they do
	 * @return this
	 */
	public RLConfigBuilder countRejected(boolean countRejected) {
		this.countRejected = countRejected;
		return this;
	}

	/**
	 * Set how many permits one request costs.
	 * @param cost a whole number, or {@code bean:NAME}
	 * @return this
	 */
	public RLConfigBuilder cost(String cost) {
		this.cost = Cost.valueOf(cost);
		return this;
	}

	/**
	 * Set how many permits one request costs.
	 * @param permits at least 1
	 * @return this
	 */
	public RLConfigBuilder cost(long permits) {
		this.cost = new Cost.Fixed(permits);
		return this;
	}

	/**
	 * Set which outcomes count.
	 * @param outcomes for example {@code failure}, or {@code 402,5xx}
	 * @return this
	 */
	public RLConfigBuilder countOn(String outcomes) {
		this.countOn = CountOn.valueOf(outcomes);
		return this;
	}

	/**
	 * Set which outcomes count.
	 * @param outcomes the outcomes
	 * @return this
	 */
	public RLConfigBuilder countOn(CountOn outcomes) {
		this.countOn = outcomes;
		return this;
	}

	/**
	 * Set when the rule applies.
	 * @param condition {@code bean:NAME}, or an expression
	 * @return this
	 */
	public RLConfigBuilder when(String condition) {
		this.when = Condition.valueOf(condition);
		return this;
	}

	/**
	 * Set what each plan is allowed.
	 * @param plans the plans, and how the plan of a request is found
	 * @return this
	 */
	public RLConfigBuilder plans(Plans plans) {
		this.plans = plans;
		return this;
	}

	/**
	 * Set what single customers are allowed.
	 * @param overrides the customers and their allowances
	 * @return this
	 */
	public RLConfigBuilder overrides(Collection<KeyOverride> overrides) {
		this.overrides = List.copyOf(overrides);
		return this;
	}

	/**
	 * Set what happens to requests that exceed the limit.
	 * @param onLimit what happens to them
	 * @return this
	 */
	public RLConfigBuilder onLimit(OnLimit onLimit) {
		this.onLimit = onLimit;
		return this;
	}

	/**
	 * Set the response to HTTP requests that exceed the limit.
	 * @param refusal the response
	 * @return this
	 */
	public RLConfigBuilder refusal(Refusal refusal) {
		this.refusal = refusal;
		return this;
	}

	/**
	 * Set what happens during an outage of the store.
	 * @param onStoreFailure the policy
	 * @return this
	 */
	public RLConfigBuilder onStoreFailure(OnStoreFailure onStoreFailure) {
		this.onStoreFailure = onStoreFailure;
		return this;
	}

	/**
	 * Set whether the rule only reports what it would refuse.
	 * @param shadow whether it does
	 * @return this
	 */
	public RLConfigBuilder shadow(boolean shadow) {
		this.shadow = shadow;
		return this;
	}

	/**
	 * Set the warnings of the rule that its owner has read, and that are neither logged
	 * nor a detail of the health.
	 * @param warnings the warnings
	 * @return this
	 */
	public RLConfigBuilder acknowledge(RuleWarning... warnings) {
		this.acknowledge = new LinkedHashSet<>(Arrays.asList(warnings));
		return this;
	}

	/** Set all that was read of the rule but its allowances. */
	RLConfigBuilder set(RuleValues values) {
		this.enabled = values.get(RuleKey.ENABLED, this.enabled);
		this.methods = new LinkedHashSet<>(values.get(RuleKey.METHODS, List.copyOf(this.methods)));
		this.paths = values.get(RuleKey.PATHS, this.paths);
		this.key = values.get(RuleKey.KEY, this.key);
		this.onMissingKey = values.get(RuleKey.ON_MISSING_KEY, this.onMissingKey);
		this.stage = values.get(RuleKey.STAGE, this.stage);
		this.algorithm = values.get(RuleKey.ALGORITHM, this.algorithm);
		this.rounding = values.get(RuleKey.ROUNDING, this.rounding);
		this.refill = values.get(RuleKey.REFILL, this.refill);
		this.mode = values.mode();
		this.scope = values.scope();
		this.countRejected = values.get(RuleKey.COUNT_REJECTED, this.countRejected);
		this.cost = values.get(RuleKey.COST, this.cost);
		this.countOn = values.get(RuleKey.COUNT_ON, this.countOn);
		this.when = values.get(RuleKey.WHEN, this.when);
		this.onLimit = values.onLimit();
		this.refusal = values.refusal();
		this.onStoreFailure = values.get(RuleKey.ON_STORE_FAILURE, this.onStoreFailure);
		this.shadow = values.get(RuleKey.SHADOW, this.shadow);
		this.acknowledge = new LinkedHashSet<>(values.get(RuleKey.ACKNOWLEDGE, List.copyOf(this.acknowledge)));
		return this;
	}

	/** Check the keys that restrict each other. */
	void requireChoices() {
		RuleConstraints.requireChoices(this.algorithm, this.stage, this.countRejected, this.countOn, this.mode,
				this.scope, this.onLimit);
	}

	/**
	 * Build the rule.
	 * @return the rule
	 * @throws InvalidRuleException if it is not valid
	 */
	public RLConfig build() {
		return new RLConfig(this.id, this.enabled, this.methods, this.paths, this.key, this.onMissingKey, this.stage,
				this.algorithm, this.rounding, this.refill, this.thresholds, this.mode, this.scope, this.countRejected,
				this.cost, this.countOn, this.when, this.plans, this.overrides, this.onLimit, this.refusal,
				this.onStoreFailure, this.shadow, this.acknowledge);
	}

}
