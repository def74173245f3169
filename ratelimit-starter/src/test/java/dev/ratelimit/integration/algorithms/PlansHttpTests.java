package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.integration.support.TimedStore;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.web.key.CostResolver;
import dev.ratelimit.web.key.KeyResolver;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Free and paid plans, single customers, costs and shadows on the cluster.
 */
@ExtendWith(SharedCluster.class)
class PlansHttpTests {

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml(), Rules.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	private static HttpResponse<String> get(String client, String plan) {
		return app.get("/v1/product", "X-Api-Key", client, "X-Plan", plan);
	}

	private static String header(HttpResponse<String> response, String name) {
		return response.headers().firstValue(name).orElse("none");
	}

	@Test
	@DisplayName("1.3: free gets 200 a minute, whatever plan its requests name, and paid goes on")
	void freeAndPaid() {
		try (App timed = App.start("""
				ratelimit.rules.api:
				  paths: /v1/product
				  key: header:X-Api-Key
				  thresholds: 1/1m
				  plan-key: bean:planOfCustomer
				  plans: {free: 200/1m, paid: 10000/1m}
				""", TimedStore.class, Customers.class)) {
			String path = "/v1/product";
			assertThat(IntStream.range(0, 200).map((i) -> timed.get(path, "X-Api-Key", "ann").statusCode()))
				.containsOnly(200);
			HttpResponse<String> refused = timed.get(path, "X-Api-Key", "ann");
			assertThat(refused.statusCode()).isEqualTo(429);
			assertThat(header(refused, "RateLimit-Policy")).isEqualTo("\"api\";q=200;w=60");
			assertThat(timed
				.get(path + "?plan=paid", "X-Api-Key", "ann", "X-Plan", "paid", "plan", "paid", "Cookie", "plan=paid")
				.statusCode()).as("a plan that the client names").isEqualTo(429);
			assertThat(IntStream.range(0, 201).map((i) -> timed.get(path, "X-Api-Key", "bob").statusCode()))
				.containsOnly(200);
			timed.bean(MovableClock.class).advance(Duration.ofMinutes(1));
			assertThat(timed.get(path, "X-Api-Key", "ann").statusCode()).as("a minute later").isEqualTo(200);
		}
	}

	@Test
	void aChangedPlanKeepsWhatWasUsed() {
		assertThat(IntStream.range(0, 200).map((i) -> get("a", "free").statusCode())).containsOnly(200);
		HttpResponse<String> refused = get("a", "FREE");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(header(refused, "RateLimit-Policy")).isEqualTo("\"api\";q=200;w=86400");
		HttpResponse<String> paid = get("a", "paid");
		assertThat(paid.statusCode()).isEqualTo(200);
		assertThat(header(paid, "X-RateLimit-Limit")).isEqualTo("10000");
		assertThat(header(paid, "X-RateLimit-Remaining")).isEqualTo("9799");
		assertThat(header(paid, "RateLimit-Policy")).isEqualTo("\"api\";q=10000;w=86400");
		assertThat(get("a", "free").statusCode()).isEqualTo(429);
		assertThat(header(get("a", "gold"), "X-RateLimit-Limit")).as("an unknown plan").isEqualTo("100");
	}

	@Test
	void anOverrideAppliesToACustomerInsteadOfItsPlan() {
		assertThat(header(get("special", "paid"), "RateLimit-Policy")).isEqualTo("\"api\";q=50;w=3600");
	}

	@Test
	void aBlockedCustomerIsRefusedWithoutATimeToWait() {
		HttpResponse<String> response = get("banned", "paid");
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(response.headers().map().keySet())
			.noneMatch((name) -> name.toLowerCase(Locale.ROOT).contains("ratelimit"))
			.doesNotContain("retry-after");
	}

	@Test
	void anUnlimitedCustomerIsNotCounted() {
		int keys = SharedCluster.keys(app.prefix()).size();
		HttpResponse<String> response = get("friend", "free");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(header(response, "X-RateLimit-Limit")).isEqualTo("none");
		assertThat(SharedCluster.keys(app.prefix())).hasSize(keys);
	}

	@ParameterizedTest
	@EnumSource
	void usageIsKeptWhenThePlanChangesWithEveryAlgorithm(Algorithm algorithm) {
		String path = "/product/" + algorithm.letter();
		assertThat(header(app.get(path, "X-Plan", "none"), "X-RateLimit-Remaining")).isEqualTo("4");
		assertThat(header(app.get(path, "X-Plan", "paid"), "X-RateLimit-Remaining")).isEqualTo("98");
		assertThat(header(app.get(path, "X-Plan", "none"), "X-RateLimit-Remaining")).isEqualTo("2");
	}

	/** Each plan admits two; with a log, both plans count its entries. */
	@ParameterizedTest
	@CsvSource({ "c, 4", "f, 4", "t, 4", "b, 4", "l, 2", "interval, 4", "leased-c, 4", "leased-f, 4", "leased-l, 2",
			"synced-c, 4", "synced-f, 4" })
	void plansOfOtherWindowsInTurnDoNotResetEachOther(String rule, int most) {
		List<Integer> statuses = IntStream.range(0, 10)
			.mapToObj((i) -> app.get("/product/in-turn-" + rule, "X-Plan", (i % 2 == 0) ? "none" : "paid").statusCode())
			.toList();
		assertThat(statuses).containsOnly(200, 429).filteredOn((status) -> status == 200).hasSize(most);
	}

	@Test
	void aCostAboveTheLimitIsRefusedWithoutATimeToWaitAndAnErrorOfItsBeanCostsOne() {
		int handled = app.handled();
		HttpResponse<String> huge = app.get("/v2/product", "X-Cost", Long.toString(Long.MAX_VALUE));
		assertThat(huge.statusCode()).isEqualTo(429);
		assertThat(header(huge, "Retry-After")).isEqualTo("none");
		assertThat(app.handled()).isEqualTo(handled);
		assertThat(header(app.get("/v2/product", "X-Cost", "dear"), "X-RateLimit-Remaining")).isEqualTo("4");
		assertThat(header(app.get("/v2/product", "X-Cost", "3"), "X-RateLimit-Remaining")).isEqualTo("1");
	}

	@Test
	void aRuleInShadowIsSeenInTheMetricsOnly() {
		assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 200);
		assertThat(header(app.get("/open"), "X-RateLimit-Limit")).isEqualTo("none");
		assertThat(app.bean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("rule", "shadow", "outcome", "rejected", "shadow", "true", "source", "store")
			.counter()
			.count()).isEqualTo(3);
	}

	/** The server stores which customer has paid. */
	@Configuration(proxyBeanMethods = false)
	static class Customers {

		private static final Map<String, String> PLANS = Map.of("ann", "free", "bob", "paid");

		@Bean
		KeyResolver planOfCustomer() {
			return (request) -> request.header("X-Api-Key").map(PLANS::get);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Rules {

		@Bean
		RuleSource rules() {
			List<RLConfig> rules = new ArrayList<>();
			rules.add(RLConfig.builder("api")
				.paths("/v1/product")
				.key("header:X-Api-Key")
				.thresholds("100/1d")
				.plans(Plans.by("header:X-Plan", Map.of("free", limited("200/1d"), "paid", limited("10000/1d"))))
				.overrides(List.of(new KeyOverride(List.of("special"), limited("50/1h")),
						new KeyOverride(List.of("banned"), Allowance.BLOCKED),
						new KeyOverride(List.of("friend"), Allowance.UNLIMITED)))
				.build());
			for (Algorithm algorithm : Algorithm.values()) {
				rules.add(RLConfig.builder("plan-" + algorithm.letter())
					.paths("/product/" + algorithm.letter())
					.algorithm(algorithm)
					.thresholds("5/400d")
					.plans(Plans.by("header:X-Plan", Map.of("paid", limited("100/400d"))))
					.build());
			}
			for (Algorithm algorithm : Algorithm.values()) {
				rules.add(inTurn(algorithm, "" + algorithm.letter()).build());
			}
			rules.add(inTurn(Algorithm.TOKEN_BUCKET, "interval").refill(Refill.INTERVAL).build());
			for (Algorithm algorithm : Mode.ModeKind.LEASED.algorithms()) {
				rules.add(inTurn(algorithm, "leased-" + algorithm.letter()).mode(Mode.LEASED).build());
			}
			for (Algorithm algorithm : Mode.ModeKind.SYNCED.algorithms()) {
				rules.add(inTurn(algorithm, "synced-" + algorithm.letter()).mode(Mode.SYNCED).build());
			}
			rules.add(RLConfig.builder("costly").paths("/v2/product").thresholds("5/1d").cost("bean:cost").build());
			rules.add(RLConfig.builder("shadow").paths("/open").thresholds("1/1d").shadow(true).build());
			return () -> new RuleSet(rules);
		}

		private static RLConfigBuilder inTurn(Algorithm algorithm, String name) {
			return RLConfig.builder("in-turn-" + name)
				.paths("/product/in-turn-" + name)
				.algorithm(algorithm)
				.thresholds("2/399d")
				.plans(Plans.by("header:X-Plan", Map.of("paid", limited("2/300d"))));
		}

		private static Allowance limited(String threshold) {
			return new Allowance.Limited(List.of(RLThreshold.valueOf(threshold)));
		}

		@Bean
		CostResolver cost() {
			return (request) -> Long.parseLong(request.header("X-Cost").orElse("1"));
		}

	}

}
