package dev.ratelimit.actuate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.actuate.RateLimitsEndpoint.ErrorDescriptor;
import dev.ratelimit.actuate.insight.DecisionTotals;
import dev.ratelimit.actuate.insight.Insights;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.ClientInspector;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.Stage;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.jackson.EndpointJsonMapper;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitsEndpointTests {

	private static RateLimitsEndpoint endpoint(boolean enabled, RLConfig... rules) {
		return endpoint(new MemoryStore(new MovableClock()), enabled, rules);
	}

	private static RateLimitsEndpoint endpoint(RateLimitStore store, boolean enabled, RLConfig... rules) {
		CompiledRules compiled = new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE);
		ClientInspector clients = new ClientInspector(store, Fallback.alone(store), DenyCache.off(),
				new PermitSources(Map.of()), Patience.LONG);
		Insights insights = new Insights(new MovableClock());
		insights.prepare(compiled).run();
		ClientOperations operations = new ClientOperations(() -> compiled, new SubjectEncoder(64, ""), clients,
				insights, new OperatorAudit((event) -> {
				}), "memory");
		return new RateLimitsEndpoint(() -> compiled, new RuleLayers(List.of()), operations,
				new ExplainOperation(Optional.empty(), operations, enabled), new DecisionTotals(), Optional.empty(),
				"memory", enabled, (context) -> false);
	}

	private static Map<?, ?> json(RLConfig... rules) {
		RateLimitsEndpoint endpoint = endpoint(true, rules);
		AtomicReference<Map<?, ?>> json = new AtomicReference<>(Map.of());
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(JacksonEndpointAutoConfiguration.class))
			.run((context) -> {
				JsonMapper mapper = context.getBean(EndpointJsonMapper.class).get();
				json.set(mapper.readValue(mapper.writeValueAsString(endpoint.rules()), Map.class));
			});
		return json.get();
	}

	@Test
	@DisplayName("0.6, 1.6 The endpoint publishes every rule with all its windows")
	void showsEveryRuleWithAllItsWindows() {
		RLConfig rule = RLConfig.builder("get-product")
			.methods("PUT", "GET")
			.paths("/v1/organizations/{orgId}/product/**")
			.key("path:orgId", "ip")
			.onMissingKey(OnMissingKey.DENY)
			.stage(Stage.AFTER_SECURITY)
			.thresholds("500/2s", "2000/10s", "10000/60s")
			.countRejected(true)
			.onStoreFailure(OnStoreFailure.DENY)
			.build();
		assertThat(json(rule)).isEqualTo(Map.of("enabled", true, "store", "memory", "sources", List.of(), "totals",
				Map.of("get-product",
						Map.of("allowed", 0, "rejected", 0, "delayed", 0, "released", 0, "skipped", 0, "enqueued", 0)),
				"rules",
				List.of(Map.ofEntries(Map.entry("id", "get-product"), Map.entry("enabled", true),
						Map.entry("methods", List.of("GET", "PUT")),
						Map.entry("paths", List.of("/v1/organizations/{orgId}/product/**")),
						Map.entry("key", List.of("path:orgId", "ip")), Map.entry("onMissingKey", "deny"),
						Map.entry("stage", "after-security"), Map.entry("algorithm", "sliding-window-log"),
						Map.entry("thresholds",
								List.of(Map.of("threshold", 500, "window", "2s"),
										Map.of("threshold", 2000, "window", "10s"),
										Map.of("threshold", 10000, "window", "1m"))),
						Map.entry("mode", "strict"), Map.entry("countRejected", true), Map.entry("cost", "1"),
						Map.entry("countOn", "always"), Map.entry("plans", Map.of()), Map.entry("scope", "datacenter"),
						Map.entry("overrides", List.of()), Map.entry("onLimit", "reject"),
						Map.entry("refusal", Map.of("status", 429)), Map.entry("onStoreFailure", "deny"),
						Map.entry("shadow", false)))));
	}

	@Test
	void showsWhatHappensToRequestsAboveTheLimit() {
		RLConfigBuilder log = RLConfig.builder("a").thresholds("5/1m");
		assertThat(only(log)).containsEntry("onLimit", "reject").doesNotContainKeys("maxWait", "maxQueue");
		assertThat(only(log.onLimit(OnLimit.DELAY))).containsEntry("onLimit", "delay")
			.containsEntry("maxWait", "2s")
			.containsEntry("maxQueue", 100);
		assertThat(only(log.algorithm(Algorithm.LEAKY_BUCKET))).as("its burst is the maximum")
			.containsEntry("maxWait", "2s")
			.doesNotContainKey("maxQueue");
	}

	@Test
	void showsTheOptionsOfTheAlgorithmOfARule() {
		RLConfigBuilder counter = RLConfig.builder("a").algorithm(Algorithm.SLIDING_WINDOW_COUNTER).thresholds("5/1m");
		assertThat(only(counter)).containsEntry("algorithm", "sliding-window-counter")
			.containsEntry("rounding", "down")
			.doesNotContainKey("refill")
			.containsEntry("thresholds", List.of(Map.of("threshold", 5, "window", "1m")));
		assertThat(only(counter.rounding(Rounding.UP))).containsEntry("rounding", "up");
		RLConfigBuilder bucket = RLConfig.builder("a").algorithm(Algorithm.TOKEN_BUCKET).thresholds("5/1m");
		assertThat(only(bucket)).containsEntry("refill", "continuous")
			.doesNotContainKey("rounding")
			.containsEntry("thresholds", List.of(Map.of("threshold", 5, "window", "1m", "burst", 5)));
		assertThat(only(bucket.refill(Refill.INTERVAL))).containsEntry("refill", "interval");
		RLConfigBuilder leak = RLConfig.builder("a")
			.algorithm(Algorithm.LEAKY_BUCKET)
			.thresholds(List.of(RLThreshold.valueOf("5/1m").withBurst(10)));
		assertThat(only(leak)).doesNotContainKeys("rounding", "refill")
			.containsEntry("thresholds", List.of(Map.of("threshold", 5, "window", "1m", "burst", 10)));
	}

	@Test
	void showsCostPlansAndOverridesOfARuleButNoCustomer() {
		RLConfigBuilder rule = RLConfig.builder("api")
			.key("header:X-Api-Key")
			.algorithm(Algorithm.TOKEN_BUCKET)
			.thresholds("5/1m")
			.cost("bean:cost")
			.countOn("402,5xx")
			.when("method == 'GET'")
			.plans(Plans.by("header:X-Plan",
					Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("9/1s"))), "staff",
							Allowance.UNLIMITED)))
			.overrides(List.of(
					new KeyOverride(List.of("acme-secret"),
							new Allowance.Limited(List.of(RLThreshold.valueOf("7/1h").withBurst(8)))),
					new KeyOverride(List.of("mallory-secret"), Allowance.BLOCKED)))
			.shadow(true);
		assertThat(only(rule)).containsEntry("cost", "bean:cost")
			.containsEntry("countOn", "402, 5xx")
			.containsEntry("when", "method == 'GET'")
			.containsEntry("planKey", "header:X-Plan")
			.containsEntry("plans",
					Map.of("paid",
							Map.of("allowance", "limited", "thresholds",
									List.of(Map.of("threshold", 9, "window", "1s", "burst", 9))),
							"staff", Map.of("allowance", "unlimited")))
			.containsEntry("overrides",
					List.of(Map.of("allowance", "limited", "thresholds",
							List.of(Map.of("threshold", 7, "window", "1h", "burst", 8))),
							Map.of("allowance", "blocked")))
			.containsEntry("shadow", true);
		assertThat(json(rule.build()).toString()).doesNotContain("secret");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> only(RLConfigBuilder rule) {
		return ((List<Map<String, Object>>) json(rule.build()).get("rules")).get(0);
	}

	@Test
	@DisplayName("0.10 A disabled rule is still listed")
	void listsDisabledRulesToo() {
		RateLimitsEndpoint endpoint = endpoint(false, RLConfig.builder("off").enabled(false).thresholds("1/s").build());
		assertThat(endpoint.rules().enabled()).isFalse();
		assertThat(endpoint.rules().rules()).singleElement()
			.satisfies((rule) -> assertThat(rule).containsEntry("id", "off").containsEntry("enabled", false));
	}

	@Test
	void aStoreThatCannotShowItsClientsIsAnError() {
		RateLimitStore closed = new DelegatingStore(new MemoryStore(new MovableClock())) {
		};
		RateLimitsEndpoint endpoint = endpoint(closed, true, RLConfig.builder("any").thresholds("1/s").build());
		assertThat(endpoint.rule(SecurityContext.NONE, "any", null, null, "10.0.0.1", null, null))
			.satisfies((response) -> {
				assertThat(response.getStatus()).isEqualTo(503);
				assertThat(response.getBody())
					.isEqualTo(new ErrorDescriptor("The store memory does not support looking at its clients"));
			});
		assertThat(endpoint.resetByKey(SecurityContext.NONE, "any", "10.0.0.1", null).getStatus()).isEqualTo(503);
	}

}
