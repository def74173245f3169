package dev.ratelimit.proof;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.proof.DecisionTrace.Decision;
import dev.ratelimit.proof.Load.Request;
import dev.ratelimit.proof.Load.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bursts of requests that cost a log as much as a request can do no harm to other rules.
 */
@Tag("proof-faults")
class CostlyBurstsProof {

	private static final int BURST = 64;

	private static final int BURSTS = 40;

	private static final Duration BETWEEN = Duration.ofMillis(250);

	private static final double MOST_TIMES_AS_LONG = 3;

	private static final String USUAL = "/product/1";

	private static final String COSTLY = "/product/2";

	private static final List<String> INNOCENT = List.of("/v1/product", "/v2/product");

	private static final String YAML = """
			spring.data.redis.port: %d
			ratelimit.rules:
			  usual: {paths: /product/1, key: 'header:X-Client', thresholds: 1000000/1h}
			  costly: {paths: /product/2, key: 'header:X-Client', thresholds: 1000000/1h, cost: 100}
			  deny: {paths: /v1/product, thresholds: 1000000/1h, on-store-failure: deny}
			  local: {paths: /v2/product, thresholds: 1000000/1h}
			""";

	@ParameterizedTest
	@CsvSource({ "1, 1", "1, 64", "3, 1", "3, 64" })
	void burstsOfCostlyRequestsDoNoHarmToOtherRules(int instances, int keys) {
		String prefix = App.newPrefix();
		List<App> apps = new ArrayList<>();
		try (RedisServer redis = RedisServer.start()) {
			for (int i = 0; i < instances; i++) {
				apps.add(App.start(prefix, YAML.formatted(redis.port()), DecisionTrace.class));
			}
			millisOfInnocent(apps, USUAL, keys);
			double besideUsual = millisOfInnocent(apps, USUAL, keys);
			double besideCostly = millisOfInnocent(apps, COSTLY, keys);
			System.out.printf(Locale.ROOT,
					"P5 bursts of %d requests at each of %d instances, %d keys: p99 of other rules %.1f ms beside cost 1, %.1f ms beside cost 100%n",
					BURST, instances, keys, besideUsual, besideCostly);
			assertThat(besideCostly / besideUsual).isLessThanOrEqualTo(MOST_TIMES_AS_LONG);
		}
		finally {
			apps.forEach(App::close);
		}
	}

	/**
	 * The p99 of the other rules; none of their requests is refused or decided locally.
	 */
	private static double millisOfInnocent(List<App> apps, String path, int keys) {
		apps.forEach((app) -> app.bean(DecisionTrace.class).clear());
		Semaphore gate = new Semaphore(0);
		List<Load> bursts = apps.stream()
			.map((app) -> Load.start(app.port(), BURST, (n) -> burst(gate, path, n % keys)))
			.toList();
		List<Load> innocent = apps.stream()
			.map((app) -> Load.start(app.port(), INNOCENT.size(), (n) -> new Request(INNOCENT.get(n % 2), "innocent")))
			.toList();
		IntStream.range(0, BURSTS).forEach((i) -> {
			FaultRound.pass(BETWEEN);
			gate.release(BURST * apps.size());
		});
		FaultRound.pass(BETWEEN);
		List<Response> responses = innocent.stream().flatMap((load) -> load.stop().stream()).toList();
		gate.release(Integer.MAX_VALUE / 2);
		bursts.forEach(Load::stop);
		assertThat(responses).extracting(Response::status).containsOnly(200);
		assertThat(apps.stream().flatMap(CostlyBurstsProof::ofInnocent)).isNotEmpty()
			.allMatch((decision) -> decision.source() == Source.STORE);
		double[] millis = responses.stream()
			.mapToDouble((response) -> (response.endNanos() - response.startNanos()) / 1e6)
			.sorted()
			.toArray();
		return millis[millis.length * 99 / 100];
	}

	private static Stream<Decision> ofInnocent(App app) {
		return app.bean(DecisionTrace.class)
			.all()
			.stream()
			.filter((decision) -> List.of("deny", "local").contains(decision.rule()));
	}

	private static Request burst(Semaphore gate, String path, int key) {
		gate.acquireUninterruptibly();
		return new Request(path, "client-" + key);
	}

}
