package dev.ratelimit.integration.outcomes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.integration.outcomes.OutcomeApp.Payments;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.rule.Algorithm;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
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

	@AutoClose
	private static App first;

	/** Another instance of the same application. */
	@AutoClose
	private static App second;

	@BeforeAll
	static void start() {
		String yaml = SharedCluster.yaml()
				+ """
						ratelimit.rules:
						  payments: {paths: '/payments/**', key: 'header:Device', on-missing-key: skip, thresholds: 5/1d, count-on: failure}
						  sign-ups: {paths: [/payments/answer/400, /payments/answer/201], key: ip, thresholds: 20/1d, count-on: success}
						  in-flight: {paths: '/payments/**', key: 'header:Account', on-missing-key: skip, thresholds: 1/1d, count-on: failure}
						"""
				+ Arrays.stream(Algorithm.values()).map(OutcomeTests::ofSixForThree).collect(Collectors.joining());
		String prefix = App.newPrefix();
		first = App.start(prefix, yaml, OutcomeApp.Payments.class);
		second = App.start(prefix, yaml, OutcomeApp.Payments.class);
	}

	/** A rule for requests with a header of the name of its algorithm. */
	private static String ofSixForThree(Algorithm algorithm) {
		return """
				  %1$s: {paths: '/payments/**', key: 'header:%1$s', on-missing-key: skip, algorithm: %1$s,
				    thresholds: '6/1d, 100/2d', cost: 3, count-on: failure}
				""".formatted(algorithm.text());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	@DisplayName("4.1, 4.4 Five failed payments per device and day: of 100 at once five reach the controller, on any number of instances")
	void ofAHundredFailingPaymentsFiveReachTheController(int instances) throws Exception {
		int before = handled();
		String device = "failing on " + instances;
		List<Integer> statuses = concurrently(instances, device, Collections.nCopies(100, "/payments/answer/402"));
		assertThat(Collections.frequency(statuses, 402)).isEqualTo(5);
		assertThat(Collections.frequency(statuses, 429)).isEqualTo(95);
		assertThat(handled()).isEqualTo(before + 5);
		assertThat(first.get("/payments/answer/402", "Device", "other than " + device).statusCode()).isEqualTo(402);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	@DisplayName("4.4 Successful payments never use up the five")
	void permitsOfSuccessesAreReleased(int instances) throws Exception {
		int permitsBefore = permits();
		String device = "mixed on " + instances;
		List<String> mixed = new ArrayList<>(Collections.nCopies(97, "/payments/answer/200"));
		mixed.addAll(Collections.nCopies(3, "/payments/answer/402"));
		Collections.shuffle(mixed, new Random(1));
		int failed = Collections.frequency(concurrently(instances, device, mixed), 402);
		assertThat(permits()).isEqualTo(permitsBefore + failed);

		for (int i = failed; i < 5; i++) {
			assertThat(first.get("/payments/answer/200", "Device", device).statusCode()).isEqualTo(200);
			assertThat(first.get("/payments/answer/402", "Device", device).statusCode()).isEqualTo(402);
		}
		int before = handled();
		assertThat(first.get("/payments/answer/402", "Device", device).statusCode()).isEqualTo(429);
		assertThat(handled()).isEqualTo(before);
	}

	@Test
	@DisplayName("4.3 Twenty accounts per address and day, and attempts that fail are free")
	void failedSignUpsAreFree() {
		int before = handled();
		assertThat(first.statuses(30, "POST", "/payments/answer/400")).containsOnly(400);
		assertThat(first.statuses(20, "POST", "/payments/answer/201")).containsOnly(201);
		assertThat(first.statuses(1, "POST", "/payments/answer/201")).containsExactly(429);
		assertThat(handled()).isEqualTo(before + 50);
	}

	@Test
	void inFlightAPermitIsHeldThoughTheRequestMayYetSucceed() throws Exception {
		Payments payments = first.bean(Payments.class);
		CompletableFuture<Integer> waiting = CompletableFuture
			.supplyAsync(() -> first.get("/payments/wait/200", "Account", "a").statusCode());
		payments.arrived.acquire();
		int meanwhile = first.get("/payments/answer/200", "Account", "a").statusCode();
		payments.mayGo.release();
		assertThat(meanwhile).isEqualTo(429);
		assertThat(waiting.get()).isEqualTo(200);
		assertThat(first.get("/payments/answer/200", "Account", "a").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void everyAlgorithmReleasesTheWholeCostOfARequest(Algorithm algorithm) {
		assertThat(statuses(algorithm, 10, "/payments/answer/200")).containsOnly(200);
		assertThat(statuses(algorithm, 1, "/payments/answer/402")).containsExactly(402);
		assertThat(statuses(algorithm, 10, "/payments/callable/200")).containsOnly(200);
		assertThat(statuses(algorithm, 2, "/payments/answer/402")).containsExactly(402, 429);
	}

	private static List<Integer> statuses(Algorithm algorithm, int count, String path) {
		return Stream.generate(() -> first.get(path, algorithm.text(), "a").statusCode()).limit(count).toList();
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

	private static List<Integer> concurrently(int instances, String device, List<String> paths) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(paths.size());
		CyclicBarrier start = new CyclicBarrier(paths.size());
		try {
			List<Callable<Integer>> calls = new ArrayList<>();
			for (String path : paths) {
				App app = (calls.size() % instances == 0) ? first : second;
				calls.add(() -> {
					start.await();
					return app.send("POST", path, "Device", device).statusCode();
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

	private static int handled() {
		return first.bean(Payments.class).handled.get() + second.bean(Payments.class).handled.get();
	}

	/** Of all devices. */
	private static int permits() {
		return SharedCluster.keys(first.prefix())
			.stream()
			.filter((key) -> key.contains("{payments:"))
			.mapToInt((key) -> SharedCluster.scores(key).size())
			.sum();
	}

}
