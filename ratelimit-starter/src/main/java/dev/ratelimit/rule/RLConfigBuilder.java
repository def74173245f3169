package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Builds a rule in code, with the same defaults as in YAML.
 */
public final class RLConfigBuilder {

	private final String id;

	/** The values of the keys; one that has none has its default. */
	private final RuleValues values;

	private List<RLThreshold> thresholds = List.of();

	private Plans plans = Plans.NONE;

	private List<KeyOverride> overrides = List.of();

	private Mode mode;

	private RuleScope scope;

	private OnLimit onLimit;

	private Refusal refusal;

	RLConfigBuilder(String id, RuleValues values) {
		this.id = id;
		this.values = values;
		this.mode = values.mode();
		this.scope = values.scope();
		this.onLimit = values.onLimit();
		this.refusal = values.refusal();
	}

	/**
	 * Set whether the rule is enforced.
	 * @param enabled whether it is
	 * @return this
	 */
	public RLConfigBuilder enabled(boolean enabled) {
		return set(RuleKey.ENABLED, enabled);
	}

	/**
	 * Set the HTTP methods.
	 * @param methods those of the registry in upper case
	 * @return this
	 */
	public RLConfigBuilder methods(String... methods) {
		return set(RuleKey.METHODS, List.of(methods));
	}

	/**
	 * Set the path patterns.
	 * @param paths the patterns
	 * @return this
	 */
	public RLConfigBuilder paths(String... paths) {
		return set(RuleKey.PATHS, List.of(paths));
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
		return set(RuleKey.KEY, List.copyOf(sources));
	}

	/**
	 * Set what happens to requests without the key.
	 * @param onMissingKey the policy
	 * @return this
	 */
	public RLConfigBuilder onMissingKey(OnMissingKey onMissingKey) {
		return set(RuleKey.ON_MISSING_KEY, onMissingKey);
	}

	/**
	 * Set the side of Spring Security.
	 * @param stage the stage
	 * @return this
	 */
	public RLConfigBuilder stage(Stage stage) {
		return set(RuleKey.STAGE, stage);
	}

	/**
	 * Set how the rule counts.
	 * @param algorithm the algorithm
	 * @return this
	 */
	public RLConfigBuilder algorithm(Algorithm algorithm) {
		return set(RuleKey.ALGORITHM, algorithm);
	}

	/**
	 * Set how the sliding-window counter rounds a fraction.
	 * @param rounding the rounding
	 * @return this
	 */
	public RLConfigBuilder rounding(Rounding rounding) {
		return set(RuleKey.ROUNDING, rounding);
	}

	/**
	 * Set how a token bucket is refilled.
	 * @param refill the refill
	 * @return this
	 */
	public RLConfigBuilder refill(Refill refill) {
		return set(RuleKey.REFILL, refill);
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
		return set(RuleKey.COUNT_REJECTED, countRejected);
	}

	/**
	 * Set how many permits one request costs.
	 * @param cost a whole number, or {@code bean:NAME}
	 * @return this
	 */
	public RLConfigBuilder cost(String cost) {
		return set(RuleKey.COST, Cost.valueOf(cost));
	}

	/**
	 * Set how many permits one request costs.
	 * @param permits at least 1
	 * @return this
	 */
	public RLConfigBuilder cost(long permits) {
		return set(RuleKey.COST, new Cost.Fixed(permits));
	}

	/**
	 * Set which outcomes count.
	 * @param outcomes for example {@code failure}, or {@code 402,5xx}
	 * @return this
	 */
	public RLConfigBuilder countOn(String outcomes) {
		return set(RuleKey.COUNT_ON, CountOn.valueOf(outcomes));
	}

	/**
	 * Set which outcomes count.
	 * @param outcomes the outcomes
	 * @return this
	 */
	public RLConfigBuilder countOn(CountOn outcomes) {
		return set(RuleKey.COUNT_ON, outcomes);
	}

	/**
	 * Set when the rule applies.
	 * @param condition {@code bean:NAME}, or an expression
	 * @return this
	 */
	public RLConfigBuilder when(String condition) {
		return set(RuleKey.WHEN, Condition.valueOf(condition));
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
		return set(RuleKey.ON_STORE_FAILURE, onStoreFailure);
	}

	/**
	 * Set whether the rule only reports what it would refuse.
	 * @param shadow whether it does
	 * @return this
	 */
	public RLConfigBuilder shadow(boolean shadow) {
		return set(RuleKey.SHADOW, shadow);
	}

	/**
	 * Set the warnings of the rule that its owner has read, and that are neither logged
	 * nor a detail of the health.
	 * @param warnings the warnings
	 * @return this
	 */
	public RLConfigBuilder acknowledge(RuleWarning... warnings) {
		return set(RuleKey.ACKNOWLEDGE, List.of(warnings));
	}

	private RLConfigBuilder set(RuleKey key, Object value) {
		this.values.set(key, value);
		return this;
	}

	/** Check the keys that restrict each other. */
	void requireChoices() {
		Counting counting = counting();
		this.scope.requireFit(counting, requests());
		RuleConstraints.requireOnLimit(this.onLimit, counting, requests());
	}

	/**
	 * Build the rule.
	 * @return the rule
	 * @throws InvalidRuleException if it is not valid
	 */
	public RLConfig build() {
		return new RLConfig(this.id, this.values.get(RuleKey.ENABLED, true), requests(), key(),
				new Allowances(this.thresholds, this.plans, this.overrides), counting(), enforcement(),
				new LinkedHashSet<>(this.values.get(RuleKey.ACKNOWLEDGE, List.of())));
	}

	private CoveredRequests requests() {
		return new CoveredRequests(new LinkedHashSet<>(this.values.get(RuleKey.METHODS, List.of())),
				this.values.get(RuleKey.PATHS, List.of()), this.values.get(RuleKey.STAGE, Stage.AUTO),
				this.values.get(RuleKey.WHEN, Condition.ALWAYS));
	}

	private ClientKey key() {
		return new ClientKey(this.values.get(RuleKey.KEY, List.of(KeySource.valueOf("ip"))),
				this.values.get(RuleKey.ON_MISSING_KEY, OnMissingKey.IP));
	}

	private Counting counting() {
		return new Counting(this.values.get(RuleKey.ALGORITHM, Algorithm.SLIDING_WINDOW_LOG),
				this.values.get(RuleKey.ROUNDING, Rounding.DOWN), this.values.get(RuleKey.REFILL, Refill.CONTINUOUS),
				this.mode, this.scope, this.values.get(RuleKey.COUNT_REJECTED, false),
				this.values.get(RuleKey.COST, Cost.ONE), this.values.get(RuleKey.COUNT_ON, CountOn.ALWAYS));
	}

	private Enforcement enforcement() {
		return new Enforcement(this.onLimit, this.refusal,
				this.values.get(RuleKey.ON_STORE_FAILURE, OnStoreFailure.LOCAL),
				this.values.get(RuleKey.SHADOW, false));
	}

}
