package dev.ratelimit.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.CountedQuotas;
import dev.ratelimit.fixture.Heap;
import dev.ratelimit.fixture.RuleRequests;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerDecisionListenerTests {

	private static final RuleRequest RULE_REQUEST = RuleRequests.any();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerDecisionListener listener = listener(new RuleSet(
			List.of(RLConfig.builder("a").thresholds("1/s").build(), RLConfig.builder("b").thresholds("1/s").build(),
					RLConfig.builder("off").enabled(false).thresholds("1/s").build())),
			this.registry);

	private static MicrometerDecisionListener listener(RuleSet rules, SimpleMeterRegistry registry) {
		MicrometerDecisionListener listener = new MicrometerDecisionListener(registry);
		listener.follow(rules);
		return listener;
	}

	private static void decided(MicrometerDecisionListener listener, RateLimitDecision decision, Outcome outcome,
			long nanos) {
		listener.decided(RULE_REQUEST, decision, outcome, nanos);
	}

	private double requests(String rule, String outcome, String source) {
		return this.registry.get("ratelimit.requests")
			.tags("rule", rule, "outcome", outcome, "source", source, "shadow", "false")
			.counter()
			.count();
	}

	@Test
	void countsRequestsByRuleOutcomeAndSource() {
		decided(this.listener, new Allowed("a", Source.STORE, List.of()), Outcome.ALLOWED, 10);
		decided(this.listener, new Allowed("a", Source.STORE, List.of()), Outcome.ALLOWED, 10);
		decided(this.listener, new Allowed("a", Source.LOCAL, List.of()), Outcome.RELEASED, 10);
		decided(this.listener, new Rejected("b", Source.MEMORY, List.of()), Outcome.REJECTED, 10);
		decided(this.listener, new Unavailable("b", Duration.ofSeconds(1)), Outcome.REJECTED, 10);
		this.listener.undecided("b", Outcome.SKIPPED);
		assertThat(requests("a", "allowed", "store")).isEqualTo(2);
		assertThat(requests("a", "released", "local")).isEqualTo(1);
		assertThat(requests("b", "rejected", "memory")).isEqualTo(1);
		assertThat(requests("b", "rejected", "none")).isEqualTo(1);
		assertThat(requests("b", "skipped", "none")).isEqualTo(1);
		assertThat(requests("b", "allowed", "store")).isZero();
	}

	@Test
	void distinguishesARuleInShadowFromOneInForce() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		MicrometerDecisionListener listener = listener(
				new RuleSet(List.of(RLConfig.builder("a").thresholds("1/s").shadow(true).build())), registry);
		decided(listener, new Rejected("a", Source.STORE, List.of()), Outcome.REJECTED, 10);
		assertThat(registry.get("ratelimit.requests")
			.tags("rule", "a", "outcome", "rejected", "source", "store", "shadow", "true")
			.counter()
			.count()).isEqualTo(1);
		assertThat(registry.find("ratelimit.requests").tag("shadow", "false").counters()).isEmpty();
	}

	@Test
	void whereAFilterJoinsTheMetersOfRulesARemovedRuleLeavesThem() {
		SimpleMeterRegistry joining = new SimpleMeterRegistry();
		joining.config().meterFilter(MeterFilter.ignoreTags("rule"));
		RuleSet one = new RuleSet(List.of(RLConfig.builder("a").thresholds("1/s").build()));
		RuleSet both = new RuleSet(List.of(one.rules().get(0), RLConfig.builder("b").thresholds("1/s").build()));
		MicrometerDecisionListener listener = listener(both, joining);
		listener.follow(one);
		decided(listener, new Allowed("a", Source.STORE, List.of()), Outcome.ALLOWED, 10);
		assertThat(joining.get("ratelimit.requests").tag("outcome", "allowed").tag("source", "store").counter().count())
			.isEqualTo(1);
	}

	@Test
	void timesDecisionsByRuleAndMode() {
		decided(this.listener, new Allowed("a", Source.STORE, List.of()), Outcome.ALLOWED, 1_500_000);
		assertThat(this.registry.get("ratelimit.decision")
			.tags("rule", "a", "mode", "strict")
			.timer()
			.totalTime(TimeUnit.MICROSECONDS)).isEqualTo(1500);
	}

	@Test
	void countsReleases() {
		this.listener.released("a", true);
		this.listener.released("b", true);
		this.listener.released("b", false);
		assertThat(this.registry.get("ratelimit.releases").tag("outcome", "acknowledged").counter().count())
			.isEqualTo(2);
		assertThat(this.registry.get("ratelimit.releases").tag("outcome", "lost").counter().count()).isEqualTo(1);
	}

	@Test
	void countsDecisionsAtTheHandler() {
		this.listener.late("a");
		assertThat(this.registry.get("ratelimit.late.decisions").tag("rule", "a").counter().count()).isEqualTo(1);
		assertThat(this.registry.get("ratelimit.late.decisions").tag("rule", "b").counter().count()).isZero();
	}

	@Test
	void countsRequestsThatDidNotReachARule() {
		this.listener.unreached("a");
		assertThat(this.registry.get("ratelimit.unreached").tag("rule", "a").counter().count()).isEqualTo(1);
		assertThat(this.registry.get("ratelimit.unreached").tag("rule", "b").counter().count()).isZero();
	}

	@Test
	@DisplayName("3.25 Meters show how near to their limits clients are")
	void showsHowMuchOfItsTightestThresholdAClientHasUsed() {
		List<Quota> quotas = List.of(quota(10, 9), quota(100, 25));
		decided(this.listener, new Allowed("a", Source.STORE, quotas), Outcome.ALLOWED, 10);
		decided(this.listener, new Rejected("a", Source.STORE, List.of(quota(10, 0))), Outcome.REJECTED, 10);
		decided(this.listener, new Allowed("a", Source.NONE, List.of()), Outcome.ALLOWED, 10);
		decided(this.listener, new Allowed("a", Source.LOCAL, quotas), Outcome.ALLOWED, 10);
		DistributionSummary usage = this.registry.get("ratelimit.usage").tag("rule", "a").summary();
		assertThat(usage.count()).isEqualTo(2);
		assertThat(usage.totalAmount()).isEqualTo(0.75 + 1);
	}

	private static Quota quota(long limit, long remaining) {
		return new Quota("a", limit, Duration.ofSeconds(1), remaining, Duration.ZERO, Optional.empty());
	}

	@Test
	void computesNoWindowsOfADecision() {
		CountedQuotas quotas = new CountedQuotas(
				new Quota("a", 4, Duration.ofSeconds(1), 3, Duration.ofSeconds(1), Optional.of(Duration.ZERO)));
		decided(this.listener, new Allowed("a", Source.LEASE, quotas), Outcome.ALLOWED, 10);
		assertThat(this.registry.get("ratelimit.usage").tag("rule", "a").summary().max()).isEqualTo(0.5);
		assertThat(quotas.computed()).isZero();
	}

	@Test
	void showsWaitingRequestsAndTheirWaitsUnderRulesThatDelay() {
		this.listener
			.follow(new RuleSet(List.of(RLConfig.builder("a").thresholds("1/s").onLimit(OnLimit.DELAY).build())));
		this.listener.waits("a");
		this.listener.waits("a");
		this.listener.waited("a", 1_500_000);
		this.listener.waits("unknown-rule");
		assertThat(waiting("a")).isEqualTo(1);
		assertThat(this.registry.get("ratelimit.queue.wait").tag("rule", "a").timer().totalTime(TimeUnit.MICROSECONDS))
			.isEqualTo(1500);
		this.listener.follow(new RuleSet(List.of(RLConfig.builder("a").thresholds("1/s").build())));
		assertThat(this.registry.find("ratelimit.queue.size").gauges()).isEmpty();
		assertThat(this.registry.find("ratelimit.queue.wait").timers()).isEmpty();
	}

	@Test
	void waitingRequestsAreShownAlsoWhenTheRulesChange() {
		RuleSet delays = new RuleSet(List.of(RLConfig.builder("a").thresholds("1/s").onLimit(OnLimit.DELAY).build()));
		RuleSet delaysLess = new RuleSet(
				List.of(RLConfig.builder("a").thresholds("2/s").onLimit(OnLimit.DELAY).build()));
		this.listener.follow(delays);
		this.listener.waits("a");
		this.listener.waits("a");
		this.listener.follow(delaysLess);
		this.listener.waits("a");
		assertThat(waiting("a")).isEqualTo(3);
		this.listener.waited("a", 1);
		this.listener.follow(new RuleSet(List.of(RLConfig.builder("a").thresholds("1/s").build())));
		this.listener.waited("a", 1);
		this.listener.follow(delays);
		assertThat(waiting("a")).as("one of three still waits").isEqualTo(1);
	}

	private double waiting(String rule) {
		return this.registry.get("ratelimit.queue.size").tag("rule", rule).gauge().value();
	}

	@Test
	void showsHowManyRulesAreInForce() {
		assertThat(this.registry.get("ratelimit.rules").gauge().value()).isEqualTo(2);
	}

	@Test
	void theMetersAreFixedByTheConfiguration() {
		List<Meter.Id> before = this.registry.getMeters().stream().map(Meter::getId).toList();
		for (Source source : Source.values()) {
			for (Outcome outcome : Outcome.values()) {
				decided(this.listener, new Allowed("a", source, List.of()), outcome, 1);
				this.listener.undecided("a", outcome);
				this.listener.undecided("unknown-rule", outcome);
				this.listener.late("unknown-rule");
				this.listener.unreached("unknown-rule");
				decided(this.listener, new Allowed("unknown-rule", source, List.of()), outcome, 1);
			}
		}
		assertThat(this.registry.getMeters()).extracting(Meter::getId).containsExactlyInAnyOrderElementsOf(before);
		assertThat(before).extracting(Meter.Id::getName)
			.containsOnly("ratelimit.requests", "ratelimit.decision", "ratelimit.usage", "ratelimit.late.decisions",
					"ratelimit.unreached", "ratelimit.releases", "ratelimit.rules");
		assertThat(before).flatExtracting(Meter.Id::getTags)
			.extracting(Tag::getKey)
			.containsOnly("rule", "outcome", "source", "shadow", "mode");
		assertThat(before).flatExtracting(Meter.Id::getTags)
			.extracting(Tag::getValue)
			.containsOnly("a", "b", "allowed", "rejected", "delayed", "released", "skipped", "enqueued", "store",
					"lease", "memory", "local", "none", "false", "strict", "acknowledged", "lost");
	}

	@Test
	void followsOtherRules() {
		decided(this.listener, new Allowed("a", Source.STORE, List.of()), Outcome.ALLOWED, 10);
		int before = this.registry.getMeters().size();
		this.listener.follow(new RuleSet(List.of(RLConfig.builder("a").thresholds("2/s").build(),
				RLConfig.builder("c").thresholds("1/s").shadow(true).build())));
		assertThat(requests("a", "allowed", "store")).as("keeps its count").isEqualTo(1);
		assertThat(this.registry.getMeters()).hasSize(before)
			.extracting((meter) -> meter.getId().getTag("rule"))
			.contains("a", "c")
			.doesNotContain("b");
		assertThat(this.registry.get("ratelimit.rules").gauge().value()).isEqualTo(2);
		decided(this.listener, new Rejected("b", Source.STORE, List.of()), Outcome.REJECTED, 10);
		this.listener.follow(new RuleSet(List.of(RLConfig.builder("c").thresholds("1/s").build())));
		assertThat(this.registry.find("ratelimit.requests").tag("shadow", "true").counters()).isEmpty();
		assertThat(this.registry.find("ratelimit.requests").tag("rule", "c").counters()).isNotEmpty();
	}

	/** A reload usually changes few rules, and an instance may have a thousand. */
	@Test
	void aRuleThatStaysCostsLittleWhenOthersChange() {
		RuleSet rules = rules("r", 100);
		this.listener.follow(rules);
		long unchanged = Heap.bytesOfOne(() -> this.listener.follow(rules));
		RuleSet others = rules("s", 100);
		long changed = Heap.bytesOfOne(() -> {
			this.listener.follow(others);
			this.listener.follow(rules);
		});
		assertThat(unchanged).isLessThan(changed / 50);
	}

	private static RuleSet rules(String prefix, int number) {
		return new RuleSet(IntStream.range(0, number)
			.mapToObj((i) -> RLConfig.builder(prefix + i).thresholds("1/s").build())
			.toList());
	}

	private static RuleSet synced(String... ids) {
		return new RuleSet(Stream
			.concat(Stream.of(RLConfig.builder("strict")),
					Arrays.stream(ids)
						.map((id) -> RLConfig.builder(id).algorithm(Algorithm.FIXED_WINDOW).mode(Mode.SYNCED)))
			.map((rule) -> rule.thresholds("9/1s").build())
			.toList());
	}

	private Map<String, Double> lost() {
		return this.registry.find("ratelimit.sync.lost")
			.counters()
			.stream()
			.collect(Collectors.toMap((counter) -> counter.getId().getTag("rule"), Counter::count));
	}

	@Test
	void countsTheLostPermitsOfSyncedRulesAcrossRuleSets() {
		assertThat(lost()).isEmpty();
		this.listener.follow(synced("a", "b"));
		assertThat(lost()).isEqualTo(Map.of("a", 0.0, "b", 0.0));
		this.listener.lost("a", 3);
		this.listener.lost("b", 4);
		this.listener.lost("b", 1);
		assertThat(lost()).isEqualTo(Map.of("a", 3.0, "b", 5.0));
		this.listener.follow(synced("b", "c"));
		this.listener.lost("a", 2);
		this.listener.lost("strict", 2);
		this.listener.lost("b", 1);
		this.listener.lost("c", 2);
		assertThat(lost()).isEqualTo(Map.of("b", 6.0, "c", 2.0));
	}

}
