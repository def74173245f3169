package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimited;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.rules.ActiveRules;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that was refused is refused again without a Redis command.
 */
@ExtendWith(SharedCluster.class)
class RepeatedRefusalsHttpTests {

	/** Longer than any test runs, even on a slow machine. */
	private static final String LONG = "ratelimit.deny-cache: 1m\n";

	private static final String RULES = """
			ratelimit.rules:
			  alone: {paths: /v1/product, key: 'header:X-Client', thresholds: 2/10m}
			  counting: {paths: /v2/product, key: 'header:X-Client', thresholds: 2/10m, count-rejected: true}
			  one: {paths: '/product/{id}', key: 'header:X-Client', thresholds: 2/10m}
			  other: {paths: '/product/**', key: 'header:X-Client', thresholds: 5/10m}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + LONG + RULES);
	}

	private static double count(String rule, String source) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("rule", rule, "outcome", "rejected", "source", source)
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	private static List<Integer> statuses(App app, int count, String path) {
		return IntStream.range(0, count).mapToObj((i) -> app.get(path, "X-Client", "a").statusCode()).toList();
	}

	@Test
	void aRepeatedRefusalSendsNoRedisCommand() {
		assertThat(statuses(app, 3, "/v1/product")).containsExactly(200, 200, 429);
		HttpResponse<String> first = app.get("/v1/product", "X-Client", "a");
		long calls = SharedCluster.scriptCalls(app);
		assertThat(statuses(app, 20, "/v1/product")).containsOnly(429);
		assertThat(SharedCluster.scriptCalls(app)).isEqualTo(calls);
		assertThat(count("alone", "store")).isEqualTo(1);
		assertThat(count("alone", "memory")).isEqualTo(21);

		HttpResponse<String> last = app.get("/v1/product", "X-Client", "a");
		assertThat(last.body()).isEqualTo(first.body());
		assertThat(last.headers().map().keySet()).isEqualTo(first.headers().map().keySet());
		assertThat(last.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
		assertThat(last.headers().firstValueAsLong("Retry-After").getAsLong()).isBetween(1L,
				first.headers().firstValueAsLong("Retry-After").getAsLong());
		assertThat(app.get("/v1/product", "X-Client", "b").statusCode()).isEqualTo(200);
	}

	@Test
	void refusalsThatAreNotFinalAreDecidedInRedisEachTime() {
		statuses(app, 2, "/v2/product");
		statuses(app, 2, "/product/1");
		long calls = SharedCluster.scriptCalls(app);
		assertThat(statuses(app, 3, "/v2/product")).containsOnly(429);
		assertThat(SharedCluster.scriptCalls(app) - calls).isEqualTo(3);
		assertThat(statuses(app, 3, "/product/1")).containsOnly(429);
		assertThat(SharedCluster.scriptCalls(app) - calls).as("two rules and a release each")
			.isGreaterThanOrEqualTo(3 + 9);
	}

	@Test
	void withZeroNoRefusalIsCached() {
		try (App calling = App.start(SharedCluster.yaml() + "ratelimit.deny-cache: 0\n" + RULES)) {
			statuses(calling, 2, "/v1/product");
			long calls = SharedCluster.scriptCalls(calling);
			assertThat(statuses(calling, 3, "/v1/product")).containsOnly(429);
			assertThat(SharedCluster.scriptCalls(calling) - calls).isEqualTo(3);
		}
	}

	@Test
	void aRefusalHoldsAlsoWhileRedisIsAway() {
		try (RedisServer redis = RedisServer.start();
				App cutOff = App.start("spring.data.redis.port: " + redis.port() + "\nratelimit.deadline: 10s\n" + LONG
						+ "ratelimit.defaults.on-store-failure: allow\n" + RULES)) {
			assertThat(statuses(cutOff, 3, "/v1/product")).containsExactly(200, 200, 429);
			redis.kill();
			assertThat(statuses(cutOff, 2, "/v1/product")).containsOnly(429);
			assertThat(cutOff.get("/v1/product", "X-Client", "b").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void rulesThatAnnotationsNameMayApplyTogetherToo() {
		try (App annotated = App.start("""
				ratelimit.store: memory
				ratelimit.rules:
				  by-path: {paths: /v1/product, thresholds: 2/10m}
				  handler: {thresholds: 2/10m}
				  first: {key: global, thresholds: 2/10m}
				  second: {key: global, thresholds: 2/10m}
				  service: {key: global, thresholds: 2/10m}
				""", Desk.class, Clerk.class)) {
			assertThat(annotated.bean(ActiveRules.class).get().enabled()).filteredOn(CompiledRule::hasFinalRefusals)
				.extracting(CompiledRule::id)
				.containsExactly("service");
		}
	}

	@RestController
	static class Desk {

		@GetMapping("/desk")
		@RateLimited("handler")
		String handle() {
			return "handled";
		}

	}

	@Service
	static class Clerk {

		@RateLimited("service")
		public void serve() {
		}

		@RateLimited("first")
		@RateLimited("second")
		public void both() {
		}

	}

}
