package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Mode.Leased;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.Mode.Synced;
import dev.ratelimit.rule.OnLimit.Delay;
import dev.ratelimit.rule.OnLimit.Enqueue;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.RuleScope.Everywhere;
import dev.ratelimit.rule.RuleScope.ScopeKind;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a rule, in the order in which they are listed and shown: their names, the
 * form of their values, how a value is read and shown, and to which rules they apply.
 * What reads rules, checks their names and shows them loops over the keys.
 */
public enum RuleKey {

	/** Whether a rule is enforced. */
	ENABLED("enabled", "Whether rules are enforced."),

	/** The HTTP methods it covers. */
	METHODS("methods", ValueKind.LIST, "HTTP methods that the rule covers, with paths. GET covers HEAD."),

	/** The path patterns; a comma inside the braces of a pattern separates nothing. */
	PATHS("paths", ValueKind.LIST,
			"Path patterns that the rule covers. Without paths it acts only where code names it."),

	/** By which key clients are counted. */
	KEY("key", ValueKind.LIST, "Comma-separated list of key sources, which name the client that is counted."),

	/** What happens to a request without the key. */
	ON_MISSING_KEY("on-missing-key", "What happens to a request that does not carry the key a rule counts by."),

	/** The side of Spring Security on which a rule is decided. */
	STAGE("stage", "On which side of Spring Security rules are decided."),

	/** How a rule counts. */
	ALGORITHM("algorithm", "How rules count."),

	/** How the sliding-window counter rounds a fraction. */
	ROUNDING("rounding", "What becomes of a fraction of a request, in rules whose algorithm is sliding-window-counter.",
			Option.ROUNDING.algorithms()),

	/** How a token bucket is refilled. */
	REFILL("refill", "How tokens come back, in rules whose algorithm is token-bucket.", Option.REFILL.algorithms()),

	/** The windows, all of which must hold. */
	THRESHOLDS("thresholds", ValueKind.THRESHOLDS,
			"Number of permits and the window in which they may be used. All of them must hold."),

	/** Where permits come from. */
	MODE("mode", "Where the permits of rules come from."),

	/** How long leased permits may be used. */
	LEASE_TIME("lease-time",
			"How long reserved permits may be spent, 10ms to 1m, in rules whose mode is leased. With auto a tenth of the shortest window, at most one second.",
			ModeKind.LEASED),

	/** The number of permits leased at a time. */
	LEASE_SIZE("lease-size",
			"How many permits an instance reserves at a time, in rules whose mode is leased: a whole number, or auto for as many as are spent in the lease time.",
			ModeKind.LEASED),

	/** The time between two synchronizations. */
	SYNC_INTERVAL("sync-interval",
			"How often an instance reports to the store what it has admitted, 10ms to 1m, in rules whose mode is synced.",
			ModeKind.SYNCED),

	/** The share of a limit that may be admitted above it. */
	MAX_OVERSHOOT("max-overshoot",
			"Which part of a limit may be admitted above it, 1% to 100%, in rules whose mode is synced.",
			ModeKind.SYNCED),

	/** Where permits count. */
	SCOPE("scope", "Where the permits of rules count, if the application runs in several data centres."),

	/** The part of a limit that is divided between the data centres. */
	GUARANTEED_SHARE("guaranteed-share",
			"Which part of a limit is divided between the data centres in advance, 0% to 100%, in rules whose scope is everywhere.",
			ScopeKind.EVERYWHERE),

	/** The part of a limit of all data centres that may be admitted above it. */
	POOL_OVERSHOOT("pool-overshoot",
			"Which part of a limit may be admitted above it, 0% to 100%, in rules whose scope is everywhere.",
			ScopeKind.EVERYWHERE),

	/** The time between two exchanges of data centres. */
	EXCHANGE_INTERVAL("exchange-interval",
			"How often data centres exchange what they have taken, 10ms to 1m, in rules whose scope is everywhere.",
			ScopeKind.EVERYWHERE),

	/** Whether refused requests use up quota. */
	COUNT_REJECTED("count-rejected",
			"Whether refused requests use up quota, in rules whose algorithm is sliding-window-log.",
			Option.COUNT_REJECTED.algorithms()),

	/** How many permits a request costs. */
	COST("cost", "Number of permits a request uses up, or bean:NAME for a CostResolver."),

	/** The outcomes that count. */
	COUNT_ON("count-on", ValueKind.LIST,
			"Comma-separated list of the outcomes that use up quota, such as failure, or 402,5xx."),

	/** Whether a rule applies to a request. */
	WHEN("when", "Condition under which rules apply: bean:NAME for a RequestCondition, or an expression in SpEL."),

	/** Where the plan of a request is found. */
	PLAN_KEY("plan-key", "Key source of the plan of a request, in rules that have plans."),

	/** What each plan is allowed. */
	PLANS("plans", ValueKind.PLANS, "What a request with this plan gets instead of the thresholds."),

	/** What single customers are allowed. */
	OVERRIDES("overrides", ValueKind.OVERRIDES,
			"What single customers get instead of the thresholds, whatever their plan."),

	/** What happens to a request that exceeds the limit. */
	ON_LIMIT("on-limit", "What happens to a request above the limit."),

	/** The longest wait of a delayed request. */
	MAX_WAIT("max-wait", "How long a request may wait for its turn, 1ms to 1d, in rules with on-limit delay.",
			OnLimitKind.DELAY),

	/** How many requests of one client may wait or be enqueued. */
	MAX_QUEUE("max-queue",
			"How many requests of one client may wait, 1 to 1000000, in rules with on-limit delay, or be enqueued, in rules with on-limit enqueue. A leaky bucket is bounded by its burst instead.",
			OnLimitKind.DELAY, OnLimitKind.ENQUEUE),

	/** The stored headers of an enqueued request. */
	ENQUEUE_HEADERS("enqueue.headers", ValueKind.LIST,
			"Comma-separated list of the headers that are stored, in rules with on-limit enqueue.",
			OnLimitKind.ENQUEUE),

	/** The largest body of an enqueued request. */
	ENQUEUE_MAX_BODY("enqueue.max-body",
			"Largest body of a request that is enqueued, up to 16MB, in rules with on-limit enqueue.",
			OnLimitKind.ENQUEUE),

	/** The largest number of enqueued requests. */
	ENQUEUE_MAX_TOTAL("enqueue.max-total",
			"How many requests of a rule may be enqueued, in rules with on-limit enqueue.", OnLimitKind.ENQUEUE),

	/** The most memory of enqueued requests. */
	ENQUEUE_MAX_BYTES("enqueue.max-bytes",
			"How much memory of Redis the requests of a rule may take, in rules with on-limit enqueue.",
			OnLimitKind.ENQUEUE),

	/** The longest time a request stays enqueued. */
	ENQUEUE_MAX_AGE("enqueue.max-age",
			"How long a request may stay enqueued, 1s to 400d, in rules with on-limit enqueue.", OnLimitKind.ENQUEUE),

	/** The status of the response to a request that exceeds the limit. */
	REFUSAL_STATUS("refusal.status", "Status of the response to a request above the limit, 400 to 599."),

	/** Its body. */
	REFUSAL_BODY("refusal.body",
			"Body of the response to a request above the limit, up to 64KB, instead of problem details."),

	/** Its content type, in rules with a body of their own. */
	REFUSAL_CONTENT_TYPE("refusal.content-type", "Content type of refusal.body, which is in UTF-8."),

	/** What a rule does during an outage of the store. */
	ON_STORE_FAILURE("on-store-failure", "What rules do while the store cannot answer."),

	/** Whether a rule only reports what it would refuse. */
	SHADOW("shadow", "Whether rules only report what they would refuse."),

	/** The warnings that are neither logged nor a detail of the health. */
	ACKNOWLEDGE("acknowledge", ValueKind.LIST,
			"Comma-separated list of the names of warnings that the owner of a rule has read. They are neither logged nor shown in the health.");

	private final String text;

	private final ValueKind kind;

	private final String meaning;

	/**
	 * Values of another key, without which this one does not apply; empty if it always
	 * does.
	 */
	@SuppressWarnings("ImmutableEnumChecker")
	private final List<? extends Enum<?>> owners;

	RuleKey(String text, String meaning, Enum<?>... owners) {
		this(text, ValueKind.TEXT, meaning, owners);
	}

	RuleKey(String text, String meaning, List<Algorithm> owners) {
		this(text, meaning, owners.toArray(Enum<?>[]::new));
	}

	RuleKey(String text, ValueKind kind, String meaning, Enum<?>... owners) {
		this.text = text;
		this.kind = kind;
		this.meaning = meaning;
		this.owners = List.of(owners);
	}

	/**
	 * The key as it is written in a rule.
	 * @return for example {@code on-store-failure}
	 */
	public String text() {
		return this.text;
	}

	/**
	 * The form of its value, which defines the names allowed below the key.
	 * @return the form
	 */
	public ValueKind kind() {
		return this.kind;
	}

	/**
	 * What it does, for editors and the reference.
	 * @return a sentence or two
	 */
	public String meaning() {
		return this.meaning;
	}

	/**
	 * Whether it is allowed under {@code ratelimit.defaults}.
	 * @return whether rules may inherit it
	 */
	public boolean isDefault() {
		return switch (this) {
			case METHODS, PATHS, THRESHOLDS, PLANS, OVERRIDES -> false;
			default -> true;
		};
	}

	/**
	 * The group in which it is read.
	 * @return the group
	 */
	public Group group() {
		return switch (this) {
			case COUNT_REJECTED, COUNT_ON, MODE, SCOPE, ON_LIMIT -> Group.CHOICE;
			case THRESHOLDS, PLAN_KEY, PLANS, OVERRIDES -> Group.ALLOWANCE;
			default -> this.owners.isEmpty() ? Group.PLAIN : Group.OPTION;
		};
	}

	/**
	 * Read its value, or one element of it if it is a list.
	 * @param text the text
	 * @return the value
	 * @throws InvalidRuleException if the text is wrong
	 */
	public Object parse(String text) {
		return switch (this) {
			case ENABLED, COUNT_REJECTED, SHADOW -> Values.bool(text);
			case METHODS -> Values.method(text);
			case PATHS -> Values.path(text);
			case KEY -> KeySource.valueOf(text.strip());
			case ON_MISSING_KEY -> Values.oneOf(OnMissingKey.class, text);
			case STAGE -> Values.oneOf(Stage.class, text);
			case ALGORITHM -> Values.oneOf(Algorithm.class, text);
			case ROUNDING -> Values.oneOf(Rounding.class, text);
			case REFILL -> Values.oneOf(Refill.class, text);
			case MODE -> Values.oneOf(ModeKind.class, text);
			case LEASE_TIME -> Values.unlessAuto(text).map(Leased.TIME::parseDuration);
			case LEASE_SIZE -> Values.unlessAuto(text).map(Leased.SIZE::parse);
			case SYNC_INTERVAL -> Synced.INTERVAL.parseDuration(text);
			case MAX_OVERSHOOT -> (int) Synced.MAX_OVERSHOOT.parse(text);
			case SCOPE -> Values.oneOf(ScopeKind.class, text);
			case GUARANTEED_SHARE -> (int) Everywhere.GUARANTEED_SHARE.parse(text);
			case POOL_OVERSHOOT -> (int) Everywhere.POOL_OVERSHOOT.parse(text);
			case EXCHANGE_INTERVAL -> Everywhere.EXCHANGE_INTERVAL.parseDuration(text);
			case COST -> Cost.valueOf(text);
			case COUNT_ON -> CountOn.Statuses.valueOf(text.strip());
			case WHEN -> Condition.valueOf(text);
			case ON_LIMIT -> Values.oneOf(OnLimitKind.class, text);
			case MAX_WAIT -> Delay.MAX_WAIT.parseDuration(text);
			case MAX_QUEUE -> (int) Delay.QUEUE.parse(text);
			case ENQUEUE_HEADERS -> Enqueue.parseHeader(text.strip());
			case ENQUEUE_MAX_BODY -> (int) Enqueue.MAX_BODY.parse(text);
			case ENQUEUE_MAX_TOTAL -> (int) Enqueue.MAX_TOTAL.parse(text);
			case ENQUEUE_MAX_BYTES -> Enqueue.MAX_BYTES.parse(text);
			case ENQUEUE_MAX_AGE -> Enqueue.MAX_AGE.parseDuration(text);
			case REFUSAL_STATUS -> (int) Refusal.STATUS.parse(text);
			case REFUSAL_BODY -> text;
			case REFUSAL_CONTENT_TYPE -> Refusal.Body.requireContentType(text);
			case ON_STORE_FAILURE -> Values.oneOf(OnStoreFailure.class, text);
			case ACKNOWLEDGE -> Values.oneOf(RuleWarning.class, text);
			case THRESHOLDS, PLAN_KEY, PLANS, OVERRIDES ->
				throw new UnsupportedOperationException(this.text + " is read together with other keys");
		};
	}

	/**
	 * Its value in a rule.
	 * @param rule the rule
	 * @return the value; null if the rule has none
	 */
	public @Nullable Object value(RLConfig rule) {
		CoveredRequests requests = rule.requests();
		Allowances allowances = rule.allowances();
		Counting counting = rule.counting();
		Mode mode = counting.mode();
		RuleScope scope = counting.scope();
		OnLimit onLimit = rule.enforcement().onLimit();
		Refusal refusal = rule.enforcement().refusal();
		return switch (this) {
			case ENABLED -> rule.enabled();
			case METHODS -> requests.methods().stream().sorted().toList();
			case PATHS -> requests.paths();
			case KEY -> rule.key().sources();
			case ON_MISSING_KEY -> rule.key().onMissing();
			case STAGE -> requests.stage();
			case ALGORITHM -> counting.algorithm();
			case ROUNDING -> counting.algorithm().takes(Option.ROUNDING) ? counting.rounding() : null;
			case REFILL -> counting.algorithm().takes(Option.REFILL) ? counting.refill() : null;
			case THRESHOLDS -> allowances.thresholds();
			case MODE -> mode.kind();
			case LEASE_TIME -> (mode instanceof Leased leased) ? leased.timeText() : null;
			case LEASE_SIZE -> (mode instanceof Leased leased) ? leased.sizeText() : null;
			case SYNC_INTERVAL -> (mode instanceof Synced synced) ? synced.interval() : null;
			case MAX_OVERSHOOT -> (mode instanceof Synced synced) ? synced.maxOvershootPercent() + "%" : null;
			case SCOPE -> scope.kind();
			case GUARANTEED_SHARE ->
				(scope instanceof Everywhere everywhere) ? everywhere.guaranteedSharePercent() + "%" : null;
			case POOL_OVERSHOOT ->
				(scope instanceof Everywhere everywhere) ? everywhere.poolOvershootPercent() + "%" : null;
			case EXCHANGE_INTERVAL -> (scope instanceof Everywhere everywhere) ? everywhere.exchangeInterval() : null;
			case COUNT_REJECTED -> counting.countRejected();
			case COST -> counting.cost();
			case COUNT_ON -> counting.countOn();
			case WHEN -> (requests.when() instanceof Condition.Always) ? null : requests.when();
			case PLAN_KEY -> allowances.plans().key().orElse(null);
			case PLANS -> allowances.plans().allowances();
			case OVERRIDES -> allowances.overrides();
			case ON_LIMIT -> onLimit.kind();
			case MAX_WAIT -> (onLimit instanceof Delay delay) ? delay.maxWait() : null;
			case MAX_QUEUE -> maxQueue(onLimit, counting.algorithm());
			case ENQUEUE_HEADERS -> (onLimit instanceof Enqueue enqueue) ? enqueue.headers() : null;
			case ENQUEUE_MAX_BODY ->
				(onLimit instanceof Enqueue enqueue) ? ValueRange.sizeText(enqueue.maxBodyBytes()) : null;
			case ENQUEUE_MAX_TOTAL -> (onLimit instanceof Enqueue enqueue) ? enqueue.maxTotal() : null;
			case ENQUEUE_MAX_BYTES ->
				(onLimit instanceof Enqueue enqueue) ? ValueRange.sizeText(enqueue.maxBytes()) : null;
			case ENQUEUE_MAX_AGE -> (onLimit instanceof Enqueue enqueue) ? enqueue.maxAge() : null;
			case REFUSAL_STATUS -> refusal.status();
			case REFUSAL_BODY -> refusal.body().map(Refusal.Body::text).orElse(null);
			case REFUSAL_CONTENT_TYPE -> refusal.body().map(Refusal.Body::contentType).orElse(null);
			case ON_STORE_FAILURE -> rule.enforcement().onStoreFailure();
			case SHADOW -> rule.enforcement().shadow();
			case ACKNOWLEDGE ->
				rule.acknowledge().isEmpty() ? null : rule.acknowledge().stream().map(Values::text).toList();
		};
	}

	/** The burst of a leaky bucket defines how many requests fit. */
	private static @Nullable Integer maxQueue(OnLimit onLimit, Algorithm algorithm) {
		if (onLimit instanceof Enqueue enqueue) {
			return enqueue.maxQueue();
		}
		return (onLimit instanceof Delay delay && !algorithm.isBucket()) ? delay.maxQueue() : null;
	}

	/**
	 * Its value in a rule, for people.
	 * @param rule the rule
	 * @return a boolean, a number, an object with a text, or a collection or map of such;
	 * empty if the rule has none
	 */
	public Optional<Object> shown(RLConfig rule) {
		return Optional.ofNullable(value(rule)).map(RuleKey::text);
	}

	private static Object text(Object value) {
		if (value instanceof Enum<?> constant) {
			return Values.text(constant);
		}
		return (value instanceof Duration duration) ? DurationText.of(duration) : value;
	}

	/**
	 * Whether it applies to a rule.
	 * @param rule the values of the rule
	 * @return whether it has a meaning there
	 */
	public boolean appliesTo(RuleValues rule) {
		if (this == REFUSAL_CONTENT_TYPE) {
			return rule.has(REFUSAL_BODY);
		}
		return this.owners.isEmpty() || rule.hasAny(this.owners);
	}

	/**
	 * Require that it applies to a rule which has it.
	 * @param rule the values of the rule
	 * @param value the value of the key as it was written
	 * @throws InvalidRuleException if it does not; it names the rules to which it applies
	 */
	public void requireApplicable(RuleValues rule, String value) {
		if (this == MAX_QUEUE && rule.isDelayingBucket()) {
			throw new InvalidRuleException(this.text, value,
					"does not go with algorithm leaky-bucket, whose burst is the size of its queue",
					"Remove max-queue, and write the burst: thresholds: [{threshold: 1, window: 1s, burst: 3}]");
		}
		if (appliesTo(rule)) {
			return;
		}
		if (this == REFUSAL_CONTENT_TYPE) {
			throw new InvalidRuleException(this.text, value, "has no effect without refusal.body",
					"Add refusal.body, or remove refusal.content-type");
		}
		RuleKey owner = RuleValues.keyOf(this.owners.get(0));
		throw new InvalidRuleException(this.text, value,
				"does not go with " + owner.text + " " + Values.text(rule.choice(owner)),
				"Use " + owner.text + " " + this.owners.stream().map(Values::text).collect(Collectors.joining(" or "))
						+ ", or remove " + this.text);
	}

	/**
	 * The groups in which keys are read, one after the other.
	 */
	public enum Group {

		/** Each goes with every other key. */
		PLAIN,

		/**
		 * Those that restrict each other. {@code CatalogueReader} lists them, in the
		 * order in which defaults take precedence.
		 */
		CHOICE,

		/**
		 * Each applies to some algorithms, modes, scopes or values of {@code on-limit}
		 * only.
		 */
		OPTION,

		/** What clients are allowed, which needs a reader of its own. */
		ALLOWANCE

	}

}
