package dev.ratelimit.integration.support;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedRequestHandler;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose rule enqueues orders: those that the rule has room for are handled
 * at once, the others later, when the test lets them pass. And what its clients do.
 */
public final class KeptRequests {

	public static final HttpClient CLIENT = HttpClient.newHttpClient();

	/** One order per window, whose length is to be filled in. */
	public static final String RULE = SharedCluster.yaml() + """
			ratelimit.rules.orders:
			  paths: /orders/**
			  key: header:X-Client
			  thresholds: 1/%s
			  on-limit: enqueue
			  max-queue: 2
			  enqueue: {max-total: 3, max-body: 10B, headers: [content-type, x-trace]}
			""";

	private KeptRequests() {
	}

	public static App start(String window, String... settings) {
		return warm(App.start(RULE.formatted(window) + String.join("\n", settings), Orders.class, Later.class));
	}

	/** The first request that passes is slow, and may take longer than a short window. */
	public static App warm(App app) {
		app.get("/orders/warm-up", "X-Client", "warm-up");
		return app;
	}

	public static HttpResponse<String> order(App app, String client, String body, String... headers) {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/orders?a=b"))
			.header("X-Client", client)
			.POST(BodyPublishers.ofString(body));
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public static String location(HttpResponse<String> response) {
		return response.headers().firstValue("Location").orElseThrow();
	}

	public static void awaitState(App app, HttpResponse<String> enqueued, String state) {
		await().atMost(Patience.LONG)
			.untilAsserted(
					() -> assertThat(app.get(location(enqueued)).body()).contains("\"state\":\"" + state + "\""));
	}

	/** Lets the queue run empty: keys that are left would have no time to live. */
	public static void finish(App app) {
		Later later = app.bean(Later.class);
		later.fails = (request) -> false;
		later.gate.release(1000);
		await().atMost(Patience.LONG)
			.until(() -> SharedCluster.keys(app.prefix()).stream().noneMatch((key) -> key.endsWith(":q1:due")));
	}

	/** A limit of an hour would hold back the requests that are left. */
	public static void emptyAll(App app) {
		app.context().stop();
		SharedCluster.delete(app.prefix());
	}

	@RestController
	public static class Orders {

		public final List<String> handled = new CopyOnWriteArrayList<>();

		@PostMapping("/orders")
		String order(@RequestBody(required = false) String order) {
			this.handled.add(order);
			return "ordered";
		}

		@RequestMapping("/orders/read")
		String read() {
			return "read";
		}

	}

	/** Handles enqueued requests, and records them. */
	public static class Later implements QueuedRequestHandler {

		public final List<QueuedRequest> tried = new CopyOnWriteArrayList<>();

		public final List<String> done = new CopyOnWriteArrayList<>();

		public final Semaphore gate = new Semaphore(0);

		public volatile Predicate<QueuedRequest> fails = (request) -> false;

		@Override
		public void handle(QueuedRequest request) throws InterruptedException {
			this.tried.add(request);
			this.gate.acquire();
			if (this.fails.test(request)) {
				throw new IllegalStateException("not now");
			}
			this.done.add(request.text());
		}

	}

}
