package dev.ratelimit.rule;

import java.util.List;

import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Mode.Leased;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.Mode.Synced;
import dev.ratelimit.rule.OnLimit.Delay;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a rule, in the order in which they are listed and shown: their names, the
 * form of their values, how a value is read and shown, and to which rules they apply.
 * What reads rules, checks their names and shows them loops over the keys.
 */
public enum RuleKey implements RuleOption {

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
	MAX_WAIT("max-wait", "How long a request may wait for its turn, 1ms to 1d, in rules with on-limit delay."),

	/** How many requests of one client may wait or be enqueued. */
	MAX_QUEUE("max-queue",
			"How many requests of one client may wait, 1 to 1000000, in rules with on-limit delay, or be enqueued, in rules with on-limit enqueue. A leaky bucket is bounded by its burst instead."),

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

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<? extends RuleChoice> owners;

	RuleKey(String text, String meaning) {
		this(text, ValueKind.TEXT, meaning, List.of());
	}

	RuleKey(String text, String meaning, ModeKind owner) {
		this(text, ValueKind.TEXT, meaning, List.of(owner));
	}

	RuleKey(String text, String meaning, List<Algorithm> owners) {
		this(text, ValueKind.TEXT, meaning, owners);
	}

	RuleKey(String text, ValueKind kind, String meaning) {
		this(text, kind, meaning, List.of());
	}

	RuleKey(String text, ValueKind kind, String meaning, List<? extends RuleChoice> owners) {
		this.text = text;
		this.kind = kind;
		this.meaning = meaning;
		this.owners = owners;
	}

	@Override
	public String text() {
		return this.text;
	}

	@Override
	public ValueKind kind() {
		return this.kind;
	}

	@Override
	public String meaning() {
		return this.meaning;
	}

	/**
	 * The algorithms or modes without which it does not apply; empty if it does not
	 * depend on them.
	 */
	List<? extends RuleChoice> owners() {
		return this.owners;
	}

	@Override
	public boolean isDefault() {
		return switch (this) {
			case METHODS, PATHS, THRESHOLDS, PLANS, OVERRIDES -> false;
			default -> true;
		};
	}

	/** A scope or an action may be a module's: {@link RuleCatalogue#parse}. */
	@Override
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
			case COST -> Cost.valueOf(text);
			case COUNT_ON -> CountOn.Statuses.valueOf(text.strip());
			case WHEN -> Condition.valueOf(text);
			case MAX_WAIT -> Delay.MAX_WAIT.parseDuration(text);
			case MAX_QUEUE -> (int) Delay.QUEUE.parse(text);
			case REFUSAL_STATUS -> (int) Refusal.STATUS.parse(text);
			case REFUSAL_BODY -> text;
			case REFUSAL_CONTENT_TYPE -> Refusal.Body.requireContentType(text);
			case ON_STORE_FAILURE -> Values.oneOf(OnStoreFailure.class, text);
			case ACKNOWLEDGE -> Values.oneOf(RuleWarning.class, text);
			case SCOPE, ON_LIMIT, THRESHOLDS, PLAN_KEY, PLANS, OVERRIDES ->
				throw new UnsupportedOperationException(this.text + " is read together with other keys");
		};
	}

	@Override
	public @Nullable Object value(RLConfig rule) {
		CoveredRequests requests = rule.requests();
		Allowances allowances = rule.allowances();
		Counting counting = rule.counting();
		Mode mode = counting.mode();
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
			case SCOPE -> counting.scope().kind();
			case COUNT_REJECTED -> counting.countRejected();
			case COST -> counting.cost();
			case COUNT_ON -> counting.countOn();
			case WHEN -> (requests.when() instanceof Condition.Always) ? null : requests.when();
			case PLAN_KEY -> allowances.plans().key().orElse(null);
			case PLANS -> allowances.plans().allowances();
			case OVERRIDES -> allowances.overrides();
			case ON_LIMIT -> onLimit.kind();
			case MAX_WAIT -> onLimit.value(this);
			// The burst of a leaky bucket defines how many requests fit.
			case MAX_QUEUE ->
				(onLimit instanceof Delay && counting.algorithm().isBucket()) ? null : onLimit.value(this);
			case REFUSAL_STATUS -> refusal.status();
			case REFUSAL_BODY -> refusal.body().map(Refusal.Body::text).orElse(null);
			case REFUSAL_CONTENT_TYPE -> refusal.body().map(Refusal.Body::contentType).orElse(null);
			case ON_STORE_FAILURE -> rule.enforcement().onStoreFailure();
			case SHADOW -> rule.enforcement().shadow();
			case ACKNOWLEDGE ->
				rule.acknowledge().isEmpty() ? null : rule.acknowledge().stream().map(Values::text).toList();
		};
	}

}
