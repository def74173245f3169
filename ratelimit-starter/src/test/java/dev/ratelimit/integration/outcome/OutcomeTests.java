package dev.ratelimit.integration.outcome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.integration.outcome.OutcomeApp.Payments;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.rule.Algorithm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules that count some outcomes only, as the articles require.
 */
@ExtendWith(SharedCluster.class)
@Timeout(120)
class OutcomeTests {

	private static final String[] DEVICE = { "Device", "d1" };

	private static final String FAILED_PAYMENTS = SharedCluster.yaml()
			+ "test: {key: 'header:Device', thresholds: 5/1d, count-on: failure}\n";

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	@DisplayName("4.1, 4.4 Five failed payments per device and day: of 100 at once five reach the controller, on any number of instances")
	void ofAHundredFailingPaymentsFiveReachTheController(int instances) throws Exception {
		List<App> apps = start(instances);
		try {
			List<Integer> statuses = concurrently(apps, Collections.nCopies(100, "/payments/answer/402"));
			assertThat(Collections.frequency(statuses, 402)).isEqualTo(5);
			assertThat(Collections.frequency(statuses, 429)).isEqualTo(95);
			assertThat(handled(apps)).isEqualTo(5);
			assertThat(apps.get(0).get("/payments/answer/402", "Device", "d2").statusCode()).isEqualTo(402);
		}
		finally {
			apps.forEach(App::close);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	@DisplayName("4.4 Successful payments never use up the five")
	void permitsOfSuccessesAreReleased(int instances) throws Exception {
		List<App> apps = start(instances);
		try {
			List<String> mixed = new ArrayList<>(Collections.nCopies(97, "/payments/answer/200"));
			mixed.addAll(Collections.nCopies(3, "/payments/answer/402"));
			Collections.shuffle(mixed, new Random(1));
			int failed = Collections.frequency(concurrently(apps, mixed), 402);
			assertThat(permits(apps.get(0))).isEqualTo(failed);

			for (int i = failed; i < 5; i++) {
				assertThat(apps.get(0).get("/payments/answer/200", DEVICE).statusCode()).isEqualTo(200);
				assertThat(apps.get(0).get("/payments/answer/402", DEVICE).statusCode()).isEqualTo(402);
			}
			int before = handled(apps);
			assertThat(apps.get(0).get("/payments/answer/402", DEVICE).statusCode()).isEqualTo(429);
			assertThat(handled(apps)).isEqualTo(before);
		}
		finally {
			apps.forEach(App::close);
		}
	}

	@Test
	@DisplayName("4.3 Twenty accounts per address and day, and attempts that fail are free")
	void failedSignUpsAreFree() {
		try (App app = App.start(SharedCluster.yaml() + "test: {key: ip, thresholds: 20/1d, count-on: success}\n",
				OutcomeApp.class)) {
			assertThat(app.statuses(30, "POST", "/payments/answer/400")).containsOnly(400);
			assertThat(app.statuses(20, "POST", "/payments/answer/201")).containsOnly(201);
			assertThat(app.statuses(1, "POST", "/payments/answer/201")).containsExactly(429);
			assertThat(app.bean(Payments.class).handled).hasValue(50);
		}
	}

	@Test
	void inFlightAPermitIsHeldThoughTheRequestMayYetSucceed() throws Exception {
		try (App app = App.start(SharedCluster.yaml() + "test: {thresholds: 1/1d, count-on: failure}\n",
				OutcomeApp.class)) {
			Payments payments = app.bean(Payments.class);
			CompletableFuture<Integer> first = CompletableFuture
				.supplyAsync(() -> app.get("/payments/wait/200").statusCode());
			payments.arrived.acquire();
			int meanwhile = app.get("/payments/answer/200").statusCode();
			payments.mayGo.release();
			assertThat(meanwhile).isEqualTo(429);
			assertThat(first.get()).isEqualTo(200);
			assertThat(app.get("/payments/answer/200").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource
	void everyAlgorithmReleasesTheWholeCostOfARequest(Algorithm algorithm) {
		try (App app = App.start(SharedCluster.yaml() + "test: {thresholds: '6/1d, 100/2d', cost: 3, algorithm: "
				+ algorithm.name() + "}\n", OutcomeApp.class)) {
			assertThat(app.statuses(10, "GET", "/payments/answer/200")).containsOnly(200);
			assertThat(app.statuses(1, "GET", "/payments/answer/402")).containsExactly(402);
			assertThat(app.statuses(10, "GET", "/payments/callable/200")).containsOnly(200);
			assertThat(app.statuses(2, "GET", "/payments/answer/402")).containsExactly(402, 429);
		}
	}

	@Test
	void aStoreThatIsAwayWhenTheOutcomeIsKnownDoesNotHarmTheResponse() throws Exception {
		try (RedisServer redis = RedisServer.start();
				App app = App.start(
						// No heartbeat notices first that Redis is away.
						"ratelimit: {deadline: 10s, instances: 1}\nspring.data.redis.port: " + redis.port()
								+ "\ntest: {thresholds: 5/1d, count-on: failure}\n",
						OutcomeApp.class, RecordingListener.class)) {
			Payments payments = app.bean(Payments.class);
			CompletableFuture<String> response = CompletableFuture
				.supplyAsync(() -> app.get("/payments/wait/200").body());
			payments.arrived.acquire();
			redis.kill();
			payments.mayGo.release();
			assertThat(response.get()).isEqualTo("x");
			assertThat(app.bean(RecordingListener.class).events()).containsExactly("payments ALLOWED by STORE",
					"payments not released");
		}
	}

	private static List<App> start(int instances) {
		String prefix = App.newPrefix();
		List<App> apps = new ArrayList<>();
		for (int i = 0; i < instances; i++) {
			apps.add(App.start(prefix, FAILED_PAYMENTS, OutcomeApp.class));
		}
		return apps;
	}

	private static List<Integer> concurrently(List<App> apps, List<String> paths) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(paths.size());
		CyclicBarrier start = new CyclicBarrier(paths.size());
		try {
			List<Callable<Integer>> calls = new ArrayList<>();
			for (String path : paths) {
				App app = apps.get(calls.size() % apps.size());
				calls.add(() -> {
					start.await();
					return app.send("POST", path, DEVICE).statusCode();
				});
			}
			List<Integer> statuses = new ArrayList<>();
			for (Future<Integer> status : callers.invokeAll(calls)) {
				statuses.add(status.get());
			}
			return statuses;
		}
		finally {
			callers.shutdownNow();
		}
	}

	private static int handled(List<App> apps) {
		return apps.stream().mapToInt((app) -> app.bean(Payments.class).handled.get()).sum();
	}

	private static int permits(App app) {
		return SharedCluster.keys(app.prefix()).stream().mapToInt((key) -> SharedCluster.scores(key).size()).sum();
	}

}
