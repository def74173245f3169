package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Mode.Leased;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.Mode.Synced;
import dev.ratelimit.rule.OnLimit.Delay;
import dev.ratelimit.rule.OnLimit.Enqueue;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.RuleKey.Group;
import dev.ratelimit.rule.RuleKey.Owner;
import dev.ratelimit.rule.RuleScope.Everywhere;
import dev.ratelimit.rule.RuleScope.ScopeKind;

/**
 * The catalogue of the keys of a rule. What reads rules, checks their names and shows
 * them loops over it.
 */
public final class RuleKeys {

	/** The path patterns; a comma inside the braces of a pattern separates nothing. */
	public static final RuleKey<String> PATHS = many("paths",
			"Path patterns that the rule covers. Without paths it acts only where code names it.", Values::path,
			(rule, paths) -> rule.paths(paths.toArray(String[]::new)), RLConfig::paths)
		.ofRulesOnly();

	/** By which key clients are counted. */
	public static final RuleKey<KeySource> KEY = many("key",
			"Comma-separated list of key sources, which name the client that is counted.",
			(text) -> KeySource.valueOf(text.strip()), RLConfigBuilder::key, RLConfig::key);

	/** The side of Spring Security on which a rule is decided. */
	public static final RuleKey<Stage> STAGE = one("stage", "On which side of Spring Security rules are decided.",
			Values.oneOf(Stage.class), RLConfigBuilder::stage, RLConfig::stage);

	/** How a rule counts. */
	public static final RuleKey<Algorithm> ALGORITHM = one("algorithm", "How rules count.",
			Values.oneOf(Algorithm.class), RLConfigBuilder::algorithm, RLConfig::algorithm);

	/** Where permits come from. */
	public static final RuleKey<ModeKind> MODE = one("mode", "Where the permits of rules come from.",
			Values.oneOf(ModeKind.class), (rule, kind) -> rule.mode(standard(kind)), (rule) -> rule.mode().kind())
		.in(Group.CHOICE);

	/** Where permits count. */
	public static final RuleKey<ScopeKind> SCOPE = one("scope",
			"Where the permits of rules count, if the application runs in several data centres.",
			Values.oneOf(ScopeKind.class), (rule, kind) -> rule.scope(standard(kind)), (rule) -> rule.scope().kind())
		.in(Group.CHOICE);

	/** Whether refused requests use up quota. */
	public static final RuleKey<Boolean> COUNT_REJECTED = ofAlgorithm(Option.COUNT_REJECTED,
			"Whether refused requests use up quota, in rules whose algorithm is sliding-window-log.", Values::bool,
			RLConfigBuilder::countRejected, RLConfig::countRejected)
		.in(Group.CHOICE);

	/** The outcomes that count. */
	public static final RuleKey<CountOn.Statuses> COUNT_ON = many("count-on",
			"Comma-separated list of the outcomes that use up quota, such as failure, or 402,5xx.",
			(text) -> CountOn.Statuses.valueOf(text.strip()), (rule, statuses) -> rule.countOn(new CountOn(statuses)),
			RLConfig::countOn)
		.in(Group.CHOICE);

	/** What happens to a request that exceeds the limit. */
	public static final RuleKey<OnLimitKind> ON_LIMIT = one("on-limit", "What happens to a request above the limit.",
			Values.oneOf(OnLimitKind.class), (rule, kind) -> rule.onLimit(standard(kind)),
			(rule) -> rule.onLimit().kind())
		.in(Group.CHOICE);

	/**
	 * The content type of a response, which applies to rules with a body of their own.
	 */
	public static final RuleKey<String> REFUSAL_CONTENT_TYPE = refusalBody("refusal.content-type",
			"Content type of refusal.body, which is in UTF-8.", Refusal::withContentType, Refusal.Body::contentType);

	/** How many requests of one client may wait or be enqueued. */
	public static final RuleKey<Integer> MAX_QUEUE = option("max-queue",
			"How many requests of one client may wait, 1 to 1000000, in rules with on-limit delay, or be enqueued, in rules with on-limit enqueue. A leaky bucket is bounded by its burst instead.",
			onLimit(OnLimitKind.DELAY, OnLimitKind.ENQUEUE), (text) -> OnLimit.parseCount("max-queue", text),
			(rule, count) -> rule.onLimit(withMaxQueue(rule.onLimit(), count)), RuleKeys::maxQueue);

	private static final RuleKey<String> ENQUEUE_HEADERS = new RuleKey<>("enqueue.headers",
			"Comma-separated list of the headers that are stored, in rules with on-limit enqueue.", ValueKind.LIST,
			Group.OPTION, true, Optional.of(onLimit(OnLimitKind.ENQUEUE)), (text) -> Enqueue.parseHeader(text.strip()),
			(rule, headers) -> rule.onLimit(((Enqueue) rule.onLimit()).withHeaders(headers)),
			(rule) -> cast(rule.onLimit(), Enqueue.class).map(Enqueue::headers));

	/** All keys, in the order in which they are listed and shown. */
	public static final List<RuleKey<?>> ALL = List.of(
			one("enabled", "Whether rules are enforced.", Values::bool, RLConfigBuilder::enabled, RLConfig::enabled),
			many("methods", "HTTP methods that the rule covers, with paths. GET covers HEAD.", Values::method,
					(rule, methods) -> rule.methods(methods.toArray(String[]::new)),
					(rule) -> rule.methods().stream().sorted().toList())
				.ofRulesOnly(),
			PATHS, KEY,
			one("on-missing-key", "What happens to a request that does not carry the key a rule counts by.",
					Values.oneOf(OnMissingKey.class), RLConfigBuilder::onMissingKey, RLConfig::onMissingKey),
			STAGE, ALGORITHM,
			ofAlgorithm(Option.ROUNDING,
					"What becomes of a fraction of a request, in rules whose algorithm is sliding-window-counter.",
					Values.oneOf(Rounding.class), RLConfigBuilder::rounding, RLConfig::rounding)
				.shownIf((rule) -> rule.algorithm().takes(Option.ROUNDING)),
			ofAlgorithm(Option.REFILL, "How tokens come back, in rules whose algorithm is token-bucket.",
					Values.oneOf(Refill.class), RLConfigBuilder::refill, RLConfig::refill)
				.shownIf((rule) -> rule.algorithm().takes(Option.REFILL)),
			allowance("thresholds",
					"Number of permits and the window in which they may be used. All of them must hold.",
					ValueKind.THRESHOLDS, RLConfig::thresholds)
				.ofRulesOnly(),
			MODE,
			ofMode("lease-time",
					"How long reserved permits may be spent, 10ms to 1m, in rules whose mode is leased. With auto a tenth of the shortest window, at most one second.",
					Leased.class, ModeKind.LEASED, Leased::parseTime, Leased::withTime, Leased::timeText),
			ofMode("lease-size",
					"How many permits an instance reserves at a time, in rules whose mode is leased: a whole number, or auto for as many as are spent in the lease time.",
					Leased.class, ModeKind.LEASED, Leased::parseSize, Leased::withSize, Leased::sizeText),
			ofMode("sync-interval",
					"How often an instance reports to the store what it has admitted, 10ms to 1m, in rules whose mode is synced.",
					Synced.class, ModeKind.SYNCED, Synced.INTERVAL::parse, Synced::withInterval, Synced::interval),
			ofMode("max-overshoot",
					"Which part of a limit may be admitted above it, 1% to 100%, in rules whose mode is synced.",
					Synced.class, ModeKind.SYNCED, Synced::parseMaxOvershoot, Synced::withMaxOvershoot,
					Synced::maxOvershootText),
			SCOPE,
			ofScope("guaranteed-share",
					"Which part of a limit is divided between the data centres in advance, 0% to 100%, in rules whose scope is everywhere.",
					Everywhere::parseGuaranteedShare, Everywhere::withGuaranteedShare, Everywhere::guaranteedShareText),
			ofScope("pool-overshoot",
					"Which part of a limit may be admitted above it, 0% to 100%, in rules whose scope is everywhere.",
					Everywhere::parsePoolOvershoot, Everywhere::withPoolOvershoot, Everywhere::poolOvershootText),
			ofScope("exchange-interval",
					"How often data centres exchange what they have taken, 10ms to 1m, in rules whose scope is everywhere.",
					Everywhere.EXCHANGE_INTERVAL::parse, Everywhere::withExchangeInterval,
					Everywhere::exchangeInterval),
			COUNT_REJECTED,
			one("cost", "Number of permits a request uses up, or bean:NAME for a CostResolver.", Cost::valueOf,
					RLConfigBuilder::cost, RLConfig::cost),
			COUNT_ON,
			one("when",
					"Condition under which rules apply: bean:NAME for a RequestCondition, or an expression in SpEL.",
					Condition::valueOf, RLConfigBuilder::when, RLConfig::when)
				.shownIf((rule) -> !(rule.when() instanceof Condition.Always)),
			allowance("plan-key", "Key source of the plan of a request, in rules that have plans.", ValueKind.TEXT,
					(rule) -> rule.plans().key().orElseThrow())
				.shownIf((rule) -> rule.plans().key().isPresent()),
			allowance("plans", "What a request with this plan gets instead of the thresholds.", ValueKind.PLANS,
					(rule) -> rule.plans().allowances())
				.ofRulesOnly(),
			allowance("overrides", "What single customers get instead of the thresholds, whatever their plan.",
					ValueKind.OVERRIDES, RLConfig::overrides)
				.ofRulesOnly(),
			ON_LIMIT,
			ofOnLimit("max-wait", "How long a request may wait for its turn, 1ms to 1d, in rules with on-limit delay.",
					Delay.class, OnLimitKind.DELAY, Delay.MAX_WAIT::parse, Delay::withMaxWait, Delay::maxWait),
			MAX_QUEUE, ENQUEUE_HEADERS,
			ofOnLimit("enqueue.max-body",
					"Largest body of a request that is enqueued, up to 16MB, in rules with on-limit enqueue.",
					Enqueue.class, OnLimitKind.ENQUEUE, (text) -> (int) Enqueue.MAX_BODY.parse(text),
					Enqueue::withMaxBody, (enqueue) -> SizeRange.text(enqueue.maxBodyBytes())),
			ofOnLimit("enqueue.max-total",
					"How many requests of a rule may be enqueued, in rules with on-limit enqueue.", Enqueue.class,
					OnLimitKind.ENQUEUE, (text) -> OnLimit.parseCount("enqueue.max-total", text), Enqueue::withMaxTotal,
					Enqueue::maxTotal),
			ofOnLimit("enqueue.max-bytes",
					"How much memory of Redis the requests of a rule may take, in rules with on-limit enqueue.",
					Enqueue.class, OnLimitKind.ENQUEUE, Enqueue.MAX_BYTES::parse, Enqueue::withMaxBytes,
					(enqueue) -> SizeRange.text(enqueue.maxBytes())),
			ofOnLimit("enqueue.max-age",
					"How long a request may stay enqueued, 1s to 400d, in rules with on-limit enqueue.", Enqueue.class,
					OnLimitKind.ENQUEUE, Enqueue.MAX_AGE::parse, Enqueue::withMaxAge, Enqueue::maxAge),
			one("refusal.status", "Status of the response to a request above the limit, 400 to 599.",
					Refusal::parseStatus, (rule, status) -> rule.refusal(rule.refusal().withStatus(status)),
					(rule) -> rule.refusal().status()),
			refusalBody("refusal.body",
					"Body of the response to a request above the limit, up to 64KB, instead of problem details.",
					Refusal::withBody, Refusal.Body::text),
			REFUSAL_CONTENT_TYPE,
			one("on-store-failure", "What rules do while the store cannot answer.", Values.oneOf(OnStoreFailure.class),
					RLConfigBuilder::onStoreFailure, RLConfig::onStoreFailure),
			one("shadow", "Whether rules only report what they would refuse.", Values::bool, RLConfigBuilder::shadow,
					RLConfig::shadow),
			many("acknowledge",
					"Comma-separated list of the names of warnings that the owner of a rule has read. They are neither logged nor shown in the health.",
					Values.oneOf(RuleWarning.class),
					(rule, warnings) -> rule.acknowledge(warnings.toArray(RuleWarning[]::new)),
					(rule) -> rule.acknowledge().stream().map(Values::text).toList())
				.shownIf((rule) -> !rule.acknowledge().isEmpty()));

	private RuleKeys() {
	}

	private static <E> RuleKey<E> one(String name, String meaning, Function<String, E> parser,
			BiConsumer<RLConfigBuilder, E> setter, Function<RLConfig, ?> getter) {
		return new RuleKey<>(name, meaning, ValueKind.TEXT, Group.PLAIN, true, Optional.empty(), parser, only(setter),
				(rule) -> Optional.of(getter.apply(rule)));
	}

	private static <E> RuleKey<E> many(String name, String meaning, Function<String, E> parser,
			BiConsumer<RLConfigBuilder, List<E>> setter, Function<RLConfig, ?> getter) {
		return new RuleKey<>(name, meaning, ValueKind.LIST, Group.PLAIN, true, Optional.empty(), parser, setter,
				(rule) -> Optional.of(getter.apply(rule)));
	}

	private static RuleKey<String> refusalBody(String name, String meaning, BiFunction<Refusal, String, Refusal> with,
			Function<Refusal.Body, String> getter) {
		return new RuleKey<>(name, meaning, ValueKind.TEXT, Group.PLAIN, true, Optional.empty(), (text) -> text,
				only((rule, text) -> rule.refusal(with.apply(rule.refusal(), text))),
				(rule) -> rule.refusal().body().map(getter));
	}

	private static RuleKey<String> allowance(String name, String meaning, ValueKind kind,
			Function<RLConfig, ?> getter) {
		return new RuleKey<>(name, meaning, kind, Group.ALLOWANCE, true, Optional.empty(), (text) -> text,
				(rule, values) -> {
					throw new UnsupportedOperationException(name + " is read together with other keys");
				}, (rule) -> Optional.of(getter.apply(rule)));
	}

	private static <E> RuleKey<E> ofAlgorithm(Option option, String meaning, Function<String, E> parser,
			BiConsumer<RLConfigBuilder, E> setter, Function<RLConfig, ?> getter) {
		Owner owner = new Owner("algorithm", RLConfigBuilder::algorithm, option.algorithms());
		return new RuleKey<>(option.text(), meaning, ValueKind.TEXT, Group.ALGORITHM_OPTION, true, Optional.of(owner),
				parser, only(setter), (rule) -> Optional.of(getter.apply(rule)));
	}

	private static <M extends Mode, E> RuleKey<E> ofMode(String name, String meaning, Class<M> type, ModeKind kind,
			Function<String, E> parser, BiFunction<M, E, Mode> with, Function<M, ?> getter) {
		return option(name, meaning, new Owner("mode", (rule) -> rule.mode().kind(), List.of(kind)), parser,
				(rule, value) -> rule.mode(with.apply(type.cast(rule.mode()), value)),
				(rule) -> cast(rule.mode(), type).map(getter));
	}

	private static <E> RuleKey<E> ofScope(String name, String meaning, Function<String, E> parser,
			BiFunction<Everywhere, E, RuleScope> with, Function<Everywhere, ?> getter) {
		return option(name, meaning, new Owner("scope", (rule) -> rule.scope().kind(), List.of(ScopeKind.EVERYWHERE)),
				parser, (rule, value) -> rule.scope(with.apply((Everywhere) rule.scope(), value)),
				(rule) -> cast(rule.scope(), Everywhere.class).map(getter));
	}

	private static <L extends OnLimit, E> RuleKey<E> ofOnLimit(String name, String meaning, Class<L> type,
			OnLimitKind kind, Function<String, E> parser, BiFunction<L, E, OnLimit> with, Function<L, ?> getter) {
		return option(name, meaning, onLimit(kind), parser,
				(rule, value) -> rule.onLimit(with.apply(type.cast(rule.onLimit()), value)),
				(rule) -> cast(rule.onLimit(), type).map(getter));
	}

	private static Owner onLimit(OnLimitKind... kinds) {
		return new Owner("on-limit", (rule) -> rule.onLimit().kind(), List.of(kinds));
	}

	private static <E> RuleKey<E> option(String name, String meaning, Owner owner, Function<String, E> parser,
			BiConsumer<RLConfigBuilder, E> setter, Function<RLConfig, Optional<?>> getter) {
		return new RuleKey<>(name, meaning, ValueKind.TEXT, Group.OPTION, true, Optional.of(owner), parser,
				only(setter), getter);
	}

	private static <E> BiConsumer<RLConfigBuilder, List<E>> only(BiConsumer<RLConfigBuilder, E> setter) {
		return (rule, values) -> setter.accept(rule, values.get(0));
	}

	private static <T> Optional<T> cast(Object value, Class<T> type) {
		return Optional.of(value).filter(type::isInstance).map(type::cast);
	}

	private static Mode standard(ModeKind kind) {
		return switch (kind) {
			case STRICT -> Mode.STRICT;
			case LEASED -> Mode.LEASED;
			case SYNCED -> Mode.SYNCED;
		};
	}

	private static RuleScope standard(ScopeKind kind) {
		return switch (kind) {
			case DATACENTER -> RuleScope.DATACENTER;
			case EVERYWHERE -> RuleScope.EVERYWHERE;
		};
	}

	private static OnLimit standard(OnLimitKind kind) {
		return switch (kind) {
			case REJECT -> OnLimit.REJECT;
			case DELAY -> OnLimit.DELAY;
			case ENQUEUE -> OnLimit.ENQUEUE;
		};
	}

	private static OnLimit withMaxQueue(OnLimit onLimit, int count) {
		return (onLimit instanceof Enqueue enqueue) ? enqueue.withMaxQueue(count)
				: ((Delay) onLimit).withMaxQueue(count);
	}

	/** The burst of a leaky bucket defines how many requests fit. */
	private static Optional<Integer> maxQueue(RLConfig rule) {
		return cast(rule.onLimit(), Enqueue.class).map(Enqueue::maxQueue)
			.or(() -> cast(rule.onLimit(), Delay.class).filter((delay) -> !rule.algorithm().isBucket())
				.map(Delay::maxQueue));
	}

	/**
	 * Find a contradiction between the keys of a rule that restrict each other.
	 * @param rule the rule
	 * @return the contradiction; empty if they go together
	 */
	public static Optional<InvalidRuleException> contradiction(RLConfigBuilder rule) {
		try {
			rule.requireChoices();
			return Optional.empty();
		}
		catch (InvalidRuleException ex) {
			return Optional.of(ex);
		}
	}

}
