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

	private static final String THREE_AT_ONE_PER_SECOND = """
			ratelimit.rules:
			  slow:
			    paths: /slow/**
			    algorithm: leaky-bucket
			    on-limit: delay
			    thresholds: [{threshold: 1, window: 1s, burst: 3}]
			  named: {on-limit: delay, max-wait: 1m, thresholds: 1/2s}
			""";

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

	/** The interval is longer than a request takes that does not wait. */
	static final String ONE_IN_TWO_SECONDS = """
			ratelimit.rules:
			  slow:
			    paths: [/slow/**, /raw/*, /outer, /later]
			    algorithm: leaky-bucket
			    on-limit: delay
			    max-wait: 1m
			    thresholds: [{threshold: 1, window: 2s, burst: 9}]
			  named: {on-limit: delay, max-wait: 1m, thresholds: 1/2s}
			""";

	static final String QUICK = """
			ratelimit.rules:
			  slow:
			    paths: [/slow/**, /raw/*, /outer]
			    algorithm: leaky-bucket
			    on-limit: delay
			    thresholds: [{threshold: 10, window: 1s}]
			  named: {on-limit: delay, max-wait: 1m, thresholds: 1/2s}
			""";

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
		try (App app = warm(App.start(SharedCluster.yaml() + THREE_AT_ONE_PER_SECOND, DelayApp.class))) {
			long start = SharedCluster.micros();
			List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				sent.add(send(app, "/slow/" + i));
				turns(app).await(1);
			}
			HttpResponse<String> refused = sent.get(3).join();
			assertThat(refused.statusCode()).isEqualTo(429);
			assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
			for (int i = 0; i < 3; i++) {
				assertThat(sent.get(i).join().statusCode()).isEqualTo(200);
				assertThat(handledMicros(app, "" + i)).as("never early").isGreaterThanOrEqualTo(start + i * 1_000_000L);
			}
			assertThat(sent.get(0).join().body()).startsWith("REQUEST");
			assertThat(sent.get(2).join().body()).startsWith("ASYNC");
			assertThat(turns(app).outcomes).containsExactly("slow ALLOWED", "slow DELAYED", "slow DELAYED",
					"slow REJECTED");
		}
	}

	@Test
	void requestsAreHandledInTheirOrderOfArrivalOverAllInstances() throws InterruptedException {
		String prefix = App.newPrefix();
		try (App one = App.start(prefix, SharedCluster.yaml() + QUICK, DelayApp.class);
				App other = App.start(prefix, SharedCluster.yaml() + QUICK, DelayApp.class)) {
			one.get("/slow/warm-up");
			other.get("/slow/warm-up");
			turns(one).await(1);
			turns(other).await(1);
			long start = SharedCluster.micros();
			List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				App app = (i % 2 == 0) ? one : other;
				sent.add(send(app, "/slow/" + i));
				turns(app).await(1);
			}
			for (int i = 0; i < 8; i++) {
				assertThat(sent.get(i).join().statusCode()).isEqualTo(200);
				assertThat(handledMicros((i % 2 == 0) ? one : other, "" + i)).as("request " + i)
					.isGreaterThanOrEqualTo(start + i * 100_000L);
			}
		}
	}

	@Test
	void waitingRequestsHoldNoThreadAndGet503WhenTheApplicationStops() throws InterruptedException {
		List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
		try (App app = App.start(
				SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(31) + "server.tomcat.threads.max: 4\n",
				DelayApp.class)) {
			for (int i = 0; i < 31; i++) {
				sent.add(send(app, "/slow/" + i));
			}
			turns(app).await(31);
			assertThat(app.get("/free").body()).isEqualTo("free");
			awaitWaiting(app, 30);
			assertThat(app.get("/slow/31").statusCode()).isEqualTo(429);
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
	void anIncludeThatCanNoLongerWaitIsLeftOut() throws InterruptedException {
		CompletableFuture<HttpResponse<String>> page;
		try (App app = App.start(SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(2), DelayApp.class)) {
			assertThat(app.get("/slow/1").statusCode()).isEqualTo(200);
			page = send(app, "/page");
			turns(app).await(2);
			awaitWaiting(app, 1);
		}
		assertThat(page.join().statusCode()).isEqualTo(200);
		assertThat(page.join().body()).isEqualTo("page");
	}

	@Test
	void aCancelledHttp2StreamFreesItsPlace() throws InterruptedException {
		try (App app = App.start(
				SharedCluster.yaml() + ONE_IN_TEN_MINUTES.formatted(2)
						+ "  many: {paths: /slow/**, thresholds: 99/1h}\n" + "server.http2.enabled: true\n",
				DelayApp.class)) {
			HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/slow/x"))
				.build();
			assertThat(client.sendAsync(request, BodyHandlers.ofString()).join().version())
				.isEqualTo(HttpClient.Version.HTTP_2);
			CompletableFuture<?> waiting = client.sendAsync(request, BodyHandlers.ofString());
			turns(app).await(4);
			awaitWaiting(app, 1);
			waiting.cancel(true);
			awaitWaiting(app, 0);
			Awaitility.await().atMost(Patience.LONG).until(() -> turns(app).outcomes.contains("slow released"));
			CompletableFuture<?> follower = send(app, "/slow/y");
			turns(app).await(2);
			assertThat(follower).isNotDone();
			assertThat(turns(app).outcomes).filteredOn((outcome) -> outcome.startsWith("slow"))
				.containsExactly("slow ALLOWED", "slow DELAYED", "slow released", "slow DELAYED");
			assertThat(turns(app).outcomes).as("it has passed the filters").doesNotContain("many released");
		}
	}

	@Test
	void waitsAreMeasuredAndCostOneCallOfTheStoreAndOneForTheOtherRules() {
		String yaml = SharedCluster.yaml() + ONE_IN_TWO_SECONDS + "  many: {paths: /slow/**, thresholds: 99/1h}\n";
		try (App app = warm(App.start(yaml, DelayApp.class))) {
			long calls = SharedCluster.scriptCalls(app);
			app.get("/slow/1");
			app.get("/slow/2");
			assertThat(turns(app).outcomes).containsExactly("slow ALLOWED", "many ALLOWED", "slow DELAYED",
					"many ALLOWED");
			assertThat(SharedCluster.scriptCalls(app) - calls).isEqualTo(2 + 2);
			MeterRegistry meters = app.bean(MeterRegistry.class);
			assertThat(meters.get("ratelimit.requests")
				.tags("rule", "slow", "outcome", "delayed", "source", "store")
				.counter()
				.count()).isEqualTo(1);
			assertThat(meters.get("ratelimit.queue.wait").tag("rule", "slow").timer().count()).isEqualTo(1);
			assertThat(meters.get("ratelimit.queue.size").tag("rule", "slow").gauge().value()).isZero();
			assertThat(meters.find("ratelimit.queue.wait").tag("rule", "many").timer()).isNull();
		}
	}

}
