package dev.ratelimit.actuate;

import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.Stage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitsEndpointTests {

	private static Map<?, ?> json(RLConfig... rules) {
		RateLimitsEndpoint endpoint = new RateLimitsEndpoint(new RuleSet(List.of(rules)), "memory", true);
		JsonMapper mapper = new JsonMapper();
		return mapper.readValue(mapper.writeValueAsString(endpoint.rules()), Map.class);
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
		assertThat(json(rule)).isEqualTo(Map
			.of("enabled", true, "store", "memory", "rules", List.of(Map.ofEntries(Map.entry("id", "get-product"),
					Map.entry("enabled", true), Map.entry("methods", List.of("GET", "PUT")),
					Map.entry("paths", List.of("/v1/organizations/{orgId}/product/**")),
					Map.entry("key", List.of("path:orgId", "ip")), Map.entry("onMissingKey", "deny"),
					Map.entry("stage", "after-security"), Map.entry("algorithm", "sliding-window-log"),
					Map.entry("thresholds", List.of(Map.of("threshold", 500, "window", "2s"),
							Map.of("threshold", 2000, "window", "10s"), Map.of("threshold", 10000, "window", "1m"))),
					Map.entry("countRejected", true), Map.entry("onStoreFailure", "deny")))));
	}

	@Test
	@DisplayName("0.10 A disabled rule is still listed")
	void listsDisabledRulesToo() {
		RateLimitsEndpoint endpoint = new RateLimitsEndpoint(
				new RuleSet(List.of(RLConfig.builder("off").enabled(false).thresholds("1/s").build())), "memory",
				false);
		assertThat(endpoint.rules().enabled()).isFalse();
		assertThat(endpoint.rules().rules()).singleElement().satisfies((rule) -> {
			assertThat(rule.id()).isEqualTo("off");
			assertThat(rule.enabled()).isFalse();
		});
	}

}
