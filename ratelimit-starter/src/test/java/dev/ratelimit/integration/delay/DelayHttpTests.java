package dev.ratelimit.integration.delay;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code on-limit: delay} on a real Tomcat and a real Redis: turns come in order and
 * never early, and a request that waits holds no thread.
 */
@ExtendWith(SharedCluster.class)
class DelayHttpTests {

	static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/** A request that waits here waits until the test ends. */
	static final String ONE_IN_TEN_MINUTES = """
			ratelimit.rules:
			  slow:
			    paths: [/slow/**, /raw/*]
			    algorithm: leaky-bucket
			    on-limit: delay
			    max-wait: 1d
			    thresholds: [{threshold: 1, window: 10m, burst: %d}]
			  named: {on-limit: delay, max-wait: 1m, thresholds: 1/2s}
			""";

	/** Requests of these rules do not wait for long. Each test has a rule of its own. */
	private static final String RULES = """
			ratelimit.defaults: {algorithm: leaky-bucket, on-limit: delay}
			ratelimit.rules:
			  three: {paths: '/slow/three-*', thresholds: [{threshold: 1, window: 1s, burst: 3}]}
			  quick: {paths: '/slow/quick-*', thresholds: [{threshold: 10, window: 1s}]}
			  measured: {paths: '/slow/measured-*', max-wait: 1m, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
			  many: {paths: '/slow/measured-*', algorithm: sliding-window-log, on-limit: reject, thresholds: 99/1h}
			  named: {thresholds: 1/2s}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = warm(App.start(SharedCluster.yaml() + RULES, DelayApp.class));
	}

	static CompletableFuture<HttpResponse<String>> send(App app, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + path));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
	}

	static DelayApp.Turns turns(App app) {
		return app.bean(DelayApp.Turns.class);
	}

	/** What was decided and released of some rules. */
	static List<String> outcomes(App app, String... rules) {
		return turns(app).outcomes.stream()
			.filter((outcome) -> List.of(rules).contains(outcome.substring(0, outcome.indexOf(' '))))
			.toList();
	}

	static long handledMicros(App app, String name) {
		return app.bean(DelayApp.Handlers.class).micros.get(name);
	}

	/** The first request that passes is slow, and may take longer than a window. */
	static App warm(App app) {
		assertThat(app.get("/free").statusCode()).isEqualTo(200);
		return app;
	}

	static void awaitWaiting(App app, int count) {
		Gauge waiting = app.bean(MeterRegistry.class).get("ratelimit.queue.size").tag("rule", "slow").gauge();
		Awaitility.await().atMost(Patience.LONG).untilAsserted(() -> assertThat(waiting.value()).isEqualTo(count));
	}

	@Test
	@DisplayName("3.12 Of four requests at once, three are handled a second apart and one is refused")
	void ofFourRequestsAtOnceThreeAreHandledASecondApartAndOneIsRefused() throws InterruptedException {
		long start = SharedCluster.micros();
		List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			sent.add(send(app, "/slow/three-" + i));
			turns(app).await(1);
		}
		HttpResponse<String> refused = sent.get(3).join();
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
		for (int i = 0; i < 3; i++) {
			assertThat(sent.get(i).join().statusCode()).isEqualTo(200);
			assertThat(handledMicros(app, "three-" + i)).as("never early")
				.isGreaterThanOrEqualTo(start + i * 1_000_000L);
		}
		assertThat(sent.get(0).join().body()).startsWith("REQUEST");
		assertThat(sent.get(2).join().body()).startsWith("ASYNC");
		assertThat(outcomes(app, "three")).containsExactly("three ALLOWED", "three DELAYED", "three DELAYED",
				"three REJECTED");
	}

	@Test
	void requestsAreHandledInTheirOrderOfArrivalOverAllInstances() throws InterruptedException {
		try (App other = App.start(app.prefix(), SharedCluster.yaml() + RULES, DelayApp.class)) {
			app.get("/slow/quick-warm-up");
			other.get("/slow/quick-warm-up");
			turns(app).await(1);
			turns(other).await(1);
			long start = SharedCluster.micros();
			List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				App instance = (i % 2 == 0) ? app : other;
				sent.add(send(instance, "/slow/quick-" + i));
				turns(instance).await(1);
			}
			for (int i = 0; i < 8; i++) {
				assertThat(sent.get(i).join().statusCode()).isEqualTo(200);
				assertThat(handledMicros((i % 2 == 0) ? app : other, "quick-" + i)).as("request " + i)
					.isGreaterThanOrEqualTo(start + i * 100_000L);
			}
		}
	}

	@Test
	void waitingRequestsHoldNoThreadAndGet503WhenTheApplicationStops() throws InterruptedException {
		List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
		CompletableFuture<HttpResponse<String>> page;
		try (App stopping = App.start(
				SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(32) + "server.tomcat.threads.max: 4\n",
				DelayApp.class)) {
			for (int i = 0; i < 31; i++) {
				sent.add(send(stopping, "/slow/" + i));
			}
			turns(stopping).await(31);
			page = send(stopping, "/page");
			turns(stopping).await(1);
			assertThat(stopping.get("/free").body()).isEqualTo("free");
			awaitWaiting(stopping, 31);
			assertThat(stopping.get("/slow/31").statusCode()).isEqualTo(429);
		}
		assertThat(sent).extracting((response) -> response.join().statusCode())
			.filteredOn((status) -> status == 503)
			.hasSize(30);
		assertThat(sent).extracting(CompletableFuture::join)
			.filteredOn((response) -> response.statusCode() == 503)
			.allSatisfy((response) -> {
				assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
				assertThat(response.body()).contains("temporary-reduced-capacity");
			});
		assertThat(page.join().statusCode()).as("an include that can no longer wait is left out").isEqualTo(200);
		assertThat(page.join().body()).isEqualTo("page");
	}

	@Test
	void aWaitingRequestOfAStoppedInstanceFreesItsPlace() throws InterruptedException {
		String prefix = App.newPrefix();
		String yaml = SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(2);
		try (App stays = App.start(prefix, yaml, DelayApp.class)) {
			CompletableFuture<HttpResponse<String>> leaving;
			try (App leaves = App.start(prefix, yaml, DelayApp.class)) {
				assertThat(leaves.get("/slow/1").statusCode()).isEqualTo(200);
				leaving = send(leaves, "/slow/2");
				turns(leaves).await(2);
				assertThat(stays.get("/slow/3").statusCode()).isEqualTo(429);
			}
			assertThat(leaving.join().statusCode()).isEqualTo(503);
			CompletableFuture<?> follower = send(stays, "/slow/4");
			turns(stays).await(2);
			assertThat(follower).isNotDone();
			assertThat(turns(stays).outcomes).containsExactly("slow REJECTED", "slow DELAYED");
		}
	}

	@Test
	void aCancelledHttp2StreamFreesItsPlace() throws InterruptedException {
		try (App http2 = App.start(
				SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(2)
						+ "  many: {paths: /slow/**, thresholds: 99/1h}\n" + "server.http2.enabled: true\n",
				DelayApp.class)) {
			HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http2.port() + "/slow/x"))
				.build();
			assertThat(client.sendAsync(request, BodyHandlers.ofString()).join().version())
				.isEqualTo(HttpClient.Version.HTTP_2);
			CompletableFuture<?> waiting = client.sendAsync(request, BodyHandlers.ofString());
			turns(http2).await(4);
			awaitWaiting(http2, 1);
			waiting.cancel(true);
			awaitWaiting(http2, 0);
			Awaitility.await().atMost(Patience.LONG).until(() -> turns(http2).outcomes.contains("slow released"));
			CompletableFuture<?> follower = send(http2, "/slow/y");
			turns(http2).await(2);
			assertThat(follower).isNotDone();
			assertThat(turns(http2).outcomes).filteredOn((outcome) -> outcome.startsWith("slow"))
				.containsExactly("slow ALLOWED", "slow DELAYED", "slow released", "slow DELAYED");
			assertThat(turns(http2).outcomes).as("it has passed the filters").doesNotContain("many released");
		}
	}

	@Test
	void waitsAreMeasuredAndCostOneCallOfTheStoreAndOneForTheOtherRules() throws InterruptedException {
		long calls = SharedCluster.scriptCalls(app);
		app.get("/slow/measured-1");
		app.get("/slow/measured-2");
		turns(app).await(4);
		assertThat(outcomes(app, "measured", "many")).containsExactly("measured ALLOWED", "many ALLOWED",
				"measured DELAYED", "many ALLOWED");
		assertThat(SharedCluster.scriptCalls(app) - calls).isEqualTo(2 + 2);
		MeterRegistry meters = app.bean(MeterRegistry.class);
		assertThat(meters.get("ratelimit.requests")
			.tags("rule", "measured", "outcome", "delayed", "source", "store")
			.counter()
			.count()).isEqualTo(1);
		assertThat(meters.get("ratelimit.queue.wait").tag("rule", "measured").timer().count()).isEqualTo(1);
		assertThat(meters.get("ratelimit.queue.size").tag("rule", "measured").gauge().value()).isZero();
		assertThat(meters.find("ratelimit.queue.wait").tag("rule", "many").timer()).isNull();
	}

}
