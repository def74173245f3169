package dev.ratelimit.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.limiter.sync.SyncListener;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.MetersOfRules;
import dev.ratelimit.support.LogFields;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Counts decisions. All meters are registered when a rule set comes into force. Their
 * number is therefore fixed by the rules, and tags contain only rule ids and enum names.
 * A decision costs a few map look-ups and three recordings.
 * <ul>
 * <li>{@code ratelimit.requests} {rule, outcome, source, shadow}: with shadow, the
 * outcome that the request would have had if the rule were in force</li>
 * <li>{@code ratelimit.decision} {rule, mode}: the duration of the decision, for all
 * rules of the request together</li>
 * <li>{@code ratelimit.usage} {rule}: the share of its tightest threshold that a client
 * had used when a request was decided, 0 to 1</li>
 * <li>{@code ratelimit.late.decisions} {rule}: requests that were decided at their
 * handler, because the rule covers them only as the handler receives them</li>
 * <li>{@code ratelimit.unreached} {rule}: requests that the rule covers and that were
 * answered before they reached it</li>
 * <li>{@code ratelimit.queue.size} {rule}, {@code ratelimit.queue.wait} {rule}: requests
 * that wait for their turns on this instance, and the time that they waited, for rules
 * that delay</li>
 * <li>{@code ratelimit.bean.failures} {rule, property}: how often a bean that the rule
 * names threw an exception or returned null</li>
 * <li>{@code ratelimit.releases} {outcome}: permits released because another rule refused
 * or because their outcome does not count</li>
 * <li>{@code ratelimit.sync.lost} {rule}: permits of a synced rule that an instance
 * admitted locally and that the store may never receive, because it did not respond to
 * the synchronization</li>
 * <li>{@code ratelimit.rules}: the number of rules in force</li>
 * </ul>
 */
public final class MicrometerDecisionListener implements DecisionListener, SyncListener, RuleSetListener {

	/**
	 * The lower end of the histogram, if it is switched on. Micrometer's is a
	 * millisecond, which most decisions do not take.
	 */
	private static final Duration SHORTEST = Duration.ofNanos(10_000);

	/**
	 * Waiting requests by rule. Kept across rule changes, because the requests keep
	 * waiting.
	 */
	private final Map<String, LongAdder> waiting = new ConcurrentHashMap<>();

	private final MetersOfRules<RuleMeters> meters;

	private final Counter released;

	private final Counter lost;

	private volatile int rules;

	/**
	 * Register the meters of no rule yet.
	 * @param registry the registry of the meters
	 */
	public MicrometerDecisionListener(MeterRegistry registry) {
		this.meters = new MetersOfRules<>(registry, (rule) -> true,
				(rule) -> new RuleMeters(rule, registry, this.waiting), RuleMeters::all);
		this.released = releaser(registry, "acknowledged");
		this.lost = releaser(registry, "lost");
		Gauge.builder("ratelimit.rules", () -> this.rules).description("Rules in force").register(registry);
	}

	/**
	 * Count the decisions of a rule set. Rules that stay continue their counts; the
	 * meters of removed rules are removed.
	 */
	@Override
	public Runnable prepare(CompiledRules rules) {
		return () -> follow(rules.ruleSet());
	}

	void follow(RuleSet rules) {
		this.meters.follow(rules);
		this.rules = rules.enabled().size();
	}

	private static Counter releaser(MeterRegistry registry, String outcome) {
		return Counter.builder("ratelimit.releases")
			.description("Permits released, because another rule refused or their outcome does not count")
			.tag("outcome", outcome)
			.register(registry);
	}

	@Override
	public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		RuleMeters rule = this.meters.find(decision.rule());
		if (rule != null) {
			rule.count(outcome, decision.source());
			rule.timer.record(nanos, TimeUnit.NANOSECONDS);
			// During an outage this instance has only its own usage.
			if (decision.source() != Source.LOCAL && !decision.quotas().isEmpty()) {
				rule.usage.record(decision.usedShare());
			}
		}
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
		RuleMeters meters = this.meters.find(rule);
		if (meters != null) {
			meters.count(outcome, Source.NONE);
		}
	}

	@Override
	public void late(String rule) {
		RuleMeters meters = this.meters.find(rule);
		if (meters != null) {
			meters.late.increment();
		}
	}

	@Override
	public void unreached(String rule) {
		RuleMeters meters = this.meters.find(rule);
		if (meters != null) {
			meters.unreached.increment();
		}
	}

	@Override
	public void waits(String rule) {
		LongAdder size = this.waiting.get(rule);
		if (size != null) {
			size.increment();
		}
	}

	@Override
	public void waited(String rule, long nanos) {
		LongAdder size = this.waiting.get(rule);
		if (size != null) {
			size.decrement();
		}
		RuleMeters meters = this.meters.find(rule);
		if (meters != null) {
			meters.wait.ifPresent((wait) -> wait.record(nanos, TimeUnit.NANOSECONDS));
		}
	}

	@Override
	public void beanFailed(String rule, String property) {
		RuleMeters meters = this.meters.find(rule);
		Counter failures = (meters != null) ? meters.beanFailures.get(property) : null;
		if (failures != null) {
			failures.increment();
		}
	}

	@Override
	public void released(String rule, boolean acknowledged) {
		(acknowledged ? this.released : this.lost).increment();
	}

	@Override
	public void lost(String rule, long permits) {
		RuleMeters meters = this.meters.find(rule);
		if (meters != null) {
			meters.lost.ifPresent((lost) -> lost.increment((double) permits));
		}
	}

	private static final class RuleMeters {

		private final Map<Outcome, Map<Source, Counter>> requests = new EnumMap<>(Outcome.class);

		private final Timer timer;

		private final DistributionSummary usage;

		private final Counter late;

		private final Counter unreached;

		private final Map<String, Counter> beanFailures = new HashMap<>();

		private final Optional<Gauge> size;

		private final Optional<Timer> wait;

		private final Optional<Counter> lost;

		RuleMeters(RLConfig rule, MeterRegistry registry, Map<String, LongAdder> waiting) {
			for (Outcome outcome : Outcome.values()) {
				Map<Source, Counter> bySource = new EnumMap<>(Source.class);
				for (Source source : Source.values()) {
					bySource.put(source,
							Counter.builder("ratelimit.requests")
								.description("Requests that a rule decided")
								.tag("rule", rule.id())
								.tag("outcome", LogFields.text(outcome))
								.tag("source", LogFields.text(source))
								.tag("shadow", Boolean.toString(rule.enforcement().shadow()))
								.register(registry));
				}
				this.requests.put(outcome, bySource);
			}
			for (String property : beanProperties(rule)) {
				this.beanFailures.put(property,
						Counter.builder("ratelimit.bean.failures")
							.description("Beans named by a rule that threw an exception or answered null")
							.tag("rule", rule.id())
							.tag("property", property)
							.register(registry));
			}
			this.late = Counter.builder("ratelimit.late.decisions")
				.description("Requests that a rule covers only as their handler sees them")
				.tag("rule", rule.id())
				.register(registry);
			this.unreached = Counter.builder("ratelimit.unreached")
				.description("Requests that were answered before they reached a rule that covers them")
				.tag("rule", rule.id())
				.register(registry);
			boolean delays = rule.enforcement().onLimit() instanceof OnLimit.Delay;
			this.size = delays ? Optional.of(size(rule.id(), registry, waiting)) : Optional.empty();
			this.wait = delays ? Optional.of(wait(rule.id(), registry)) : Optional.empty();
			this.lost = (rule.counting().mode() instanceof Mode.Synced) ? Optional.of(lost(rule.id(), registry))
					: Optional.empty();
			this.usage = DistributionSummary.builder("ratelimit.usage")
				.description("Used part of the tightest threshold when a request was decided")
				.tag("rule", rule.id())
				.register(registry);
			this.timer = Timer.builder("ratelimit.decision")
				.description("Time a decision took, all rules of the request together")
				.tag("rule", rule.id())
				.tag("mode", rule.counting().mode().kind().text())
				.minimumExpectedValue(SHORTEST)
				.register(registry);
		}

		private static Gauge size(String rule, MeterRegistry registry, Map<String, LongAdder> waiting) {
			LongAdder size = waiting.computeIfAbsent(rule, (id) -> new LongAdder());
			return MetersOfRules.gauge(registry, "ratelimit.queue.size", Tags.of("rule", rule),
					"Requests that wait for their turns on this instance", size::sum);
		}

		private static Timer wait(String rule, MeterRegistry registry) {
			return Timer.builder("ratelimit.queue.wait")
				.description("Time a request waited for its turn")
				.tag("rule", rule)
				.register(registry);
		}

		private static Counter lost(String rule, MeterRegistry registry) {
			return Counter.builder("ratelimit.sync.lost")
				.description("Permits that the store may never know of")
				.tag("rule", rule)
				.register(registry);
		}

		/** The properties of a rule that name a bean. */
		private static Set<String> beanProperties(RLConfig rule) {
			Set<String> properties = new TreeSet<>();
			if (rule.key().sources().stream().anyMatch(RuleMeters::isBean)) {
				properties.add("key");
			}
			if (rule.allowances().plans().key().filter(RuleMeters::isBean).isPresent()) {
				properties.add("plan-key");
			}
			if (rule.counting().cost() instanceof Cost.BeanCost) {
				properties.add("cost");
			}
			if (rule.requests().when() instanceof Condition.BeanCondition) {
				properties.add("when");
			}
			return properties;
		}

		private static boolean isBean(KeySource source) {
			return source.kind() == KeySource.Kind.BEAN;
		}

		Stream<Meter> all() {
			return Stream
				.of(this.requests.values().stream().flatMap((counters) -> counters.values().stream()),
						Stream.of(this.timer, this.usage, this.late, this.unreached),
						this.beanFailures.values().stream(), this.size.stream(), this.wait.stream(), this.lost.stream())
				.flatMap((meters) -> meters);
		}

		void count(Outcome outcome, Source source) {
			Objects.requireNonNull(this.requests.getOrDefault(outcome, Map.of()).get(source)).increment();
		}

	}

}
