package dev.ratelimit.integration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.KeptRequests.Later;
import dev.ratelimit.integration.KeptRequests.Orders;
import dev.ratelimit.web.key.CostResolver;
import dev.ratelimit.queue.QueuedRequest;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.core.Ordered;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What clients see of requests that are kept, on a real Tomcat and a Cluster.
 */
@ExtendWith(SharedCluster.class)
class EnqueueHttpTests {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	/** So long that the test never sees the second window. */
	private static final String RULE = SharedCluster.yaml() + """
			ratelimit.rules.orders:
			  paths: /orders/**
			  key: header:X-Client
			  thresholds: 1/%s
			  on-limit: enqueue
			  max-queue: 2
			  enqueue: {max-total: 3, max-body: 10B, headers: [content-type, x-trace]}
			""";

	private static App start(String window, String... settings) {
		return App.start(RULE.formatted(window) + String.join("\n", settings), Orders.class, Later.class);
	}

	static HttpResponse<String> order(App app, String client, String body, String... headers) {
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

	private static String location(HttpResponse<String> response) {
		return response.headers().firstValue("Location").orElseThrow();
	}

	private static void awaitState(App app, HttpResponse<String> kept, String state) {
		await().atMost(Patience.LONG)
			.untilAsserted(() -> assertThat(app.get(location(kept)).body()).contains("\"state\":\"" + state + "\""));
	}

	/** What is left would have no time to live. */
	private static void finish(App app) {
		Later later = app.bean(Later.class);
		later.fails = (request) -> false;
		later.gate.release(1000);
		await().atMost(Patience.LONG)
			.until(() -> SharedCluster.keys(app.prefix()).stream().noneMatch((key) -> key.endsWith(":q1:due")));
	}

	@Test
	@DisplayName("202 with a location to ask for its state; the handler gets it when the limit allows")
	void whatTheLimitHasNoRoomForIsKeptAndHandledLater() {
		try (App app = start("1s")) {
			assertThat(order(app, "ann", "one").statusCode()).isEqualTo(200);
			HttpResponse<String> kept = order(app, "ann", "two", "Content-Type", "text/x", "X-Trace", "t1",
					"Authorization", "secret", "Cookie", "s=secret");
			assertThat(kept.statusCode()).isEqualTo(202);
			assertThat(location(kept)).matches("/ratelimit/queue/orders/[A-Za-z0-9_-]{22}");
			String id = location(kept).substring("/ratelimit/queue/orders/".length());
			assertThat(kept.body())
				.isEqualTo("{\"id\":\"" + id + "\",\"rule\":\"orders\",\"state\":\"queued\",\"attempts\":0}");
			assertThat(kept.headers().map()).containsEntry("X-RateLimit-Limit", List.of("1"))
				.containsEntry("X-RateLimit-Remaining", List.of("0"))
				.containsEntry("Cache-Control", List.of("no-store"))
				.containsKey("RateLimit")
				.doesNotContainKeys("Retry-After", "X-RateLimit-Retry-After");
			awaitState(app, kept, "running");
			app.bean(Later.class).gate.release();
			awaitState(app, kept, "done");
			assertThat(app.bean(Orders.class).handled).containsExactly("one");
			QueuedRequest request = app.bean(Later.class).tried.get(0);
			assertThat(request.id()).isEqualTo(id);
			assertThat(request.text()).isEqualTo("two");
			assertThat(request)
				.extracting(QueuedRequest::rule, QueuedRequest::method, QueuedRequest::path, QueuedRequest::attempt)
				.containsExactly("orders", "POST", "/orders", 1);
			assertThat(request.query()).contains("a=b");
			assertThat(request.principal()).isEmpty();
			assertThat(request.headers()).containsOnlyKeys("content-type", "x-trace")
				.containsEntry("x-trace", List.of("t1"));
			finish(app);
		}
	}

	@Test
	@DisplayName("no overtaking: whoever has a request in the queue is not admitted past it")
	void nobodyOvertakesItself() {
		try (App app = start("1s", "management.endpoint.ratelimits.access: unrestricted")) {
			order(app, "ann", "one");
			HttpResponse<String> second = order(app, "ann", "two");
			awaitState(app, second, "running");
			assertThat(order(app, "bob", "bob").statusCode()).isEqualTo(200);
			// Now the limit has room, and the second is still under way.
			assertThat(app.send("DELETE", "/actuator/ratelimits/orders?key=ann").statusCode()).isEqualTo(204);
			HttpResponse<String> third = order(app, "ann", "three");
			assertThat(third.statusCode()).isEqualTo(202);
			assertThat(third.headers().firstValue("X-RateLimit-Remaining")).contains("0");
			finish(app);
			awaitState(app, third, "done");
			assertThat(app.bean(Later.class).done).containsExactly("two", "three");
		}
	}

	@Test
	@DisplayName("full means 429: per key and in all")
	void whatHasNoRoomInTheQueueEitherIsRefused() {
		try (App app = start("1h")) {
			for (int expected : new int[] { 200, 202, 202, 429 }) {
				assertThat(order(app, "ann", "x").statusCode()).isEqualTo(expected);
			}
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(200);
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(202);
			HttpResponse<String> full = order(app, "bob", "x");
			assertThat(full.statusCode()).isEqualTo(429);
			assertThat(full.headers().map()).containsKeys("Retry-After");
			assertThat(full.body()).contains("\"violated-policies\":[\"orders\"]");
			emptyAll(app);
		}
	}

	@Test
	void aBodyThatIsTooLargeIsNotKept() {
		try (App app = start("1h")) {
			assertThat(order(app, "ann", "x".repeat(100)).statusCode()).as("goes to the controller").isEqualTo(200);
			assertThat(order(app, "ann", "x".repeat(11)).statusCode()).isEqualTo(413);
			HttpResponse<String> refused = order(app, "ann", "x".repeat(100));
			assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
			assertThat(order(app, "ann", "x".repeat(10)).statusCode()).isEqualTo(202);
			emptyAll(app);
		}
	}

	@Test
	void aFormThatAnotherFilterHasReadIsKeptAllTheSame() {
		try (App app = App.start(RULE.formatted("1s"), Orders.class, Later.class, FormReader.class)) {
			order(app, "ann", "a=1", "Content-Type", "application/x-www-form-urlencoded");
			assertThat(order(app, "ann", "a=%20&c=2", "Content-Type", "application/x-www-form-urlencoded").statusCode())
				.isEqualTo(202);
			finish(app);
			assertThat(app.bean(Later.class).done).containsExactly("a=+&c=2");
		}
	}

	@Test
	@DisplayName("what a page of a foreign origin may not ask is not done later either")
	void whatTheApplicationDoesNotLetAskIsNotKept() {
		try (App app = App.start(RULE.formatted("1s"), Orders.class, Later.class, OneOrigin.class)) {
			assertThat(order(app, "ann", "one").statusCode()).isEqualTo(200);
			assertThat(order(app, "ann", "two", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
			assertThat(SharedCluster.keys(app.prefix())).noneMatch((key) -> key.contains(":q1"));
			assertThat(order(app, "ann", "three", "Origin", "https://good.example").statusCode()).isEqualTo(202);
			finish(app);
		}
	}

	static class OneOrigin implements WebMvcConfigurer {

		@Override
		public void addCorsMappings(CorsRegistry registry) {
			registry.addMapping("/**").allowedOrigins("https://good.example");
		}

	}

	@Test
	@DisplayName("parts that were read, of a body whose length nobody told, are not kept as nothing")
	void partsThatAnotherFilterHasReadAreNotKept() throws IOException, InterruptedException {
		String parts = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n";
		try (App app = App.start(RULE.formatted("1h"), Orders.class, Later.class, FormReader.class)) {
			order(app, "ann", "one");
			HttpRequest upload = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/orders"))
				.headers("X-Client", "ann", "Content-Type", "multipart/form-data; boundary=b")
				.POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(parts)))
				.build();
			assertThat(CLIENT.send(upload, BodyHandlers.ofString()).statusCode()).isEqualTo(429);
		}
	}

	@Test
	@DisplayName("what costs more than there ever is does not get in front of others")
	void whatCanNeverBeAdmittedIsNotKeptBehindOthers() {
		String cost = RULE.formatted("1s").replace("  on-limit", "  cost: bean:price\n  on-limit");
		try (App app = App.start(cost, Orders.class, Later.class, Prices.class)) {
			order(app, "ann", "one");
			assertThat(order(app, "ann", "two").statusCode()).isEqualTo(202);
			assertThat(order(app, "ann", "three", "X-Price", "5").statusCode()).isEqualTo(429);
			finish(app);
		}
	}

	static class Prices {

		@Bean
		CostResolver price() {
			return (request) -> request.header("X-Price").map(Long::parseLong).orElse(1L);
		}

	}

	/** As a filter does that looks for a token in a form. */
	static class FormReader extends OncePerRequestFilter implements Ordered {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			request.getParameter("token");
			chain.doFilter(request, response);
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	@Test
	void questionsAreRefusedAndNeverKept() {
		try (App app = start("1h")) {
			assertThat(app.send("GET", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(200);
			assertThat(app.send("GET", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(429);
			assertThat(app.send("HEAD", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(429);
			assertThat(app.send("DELETE", "/orders/read", "X-Client", "ann").statusCode()).isEqualTo(202);
			emptyAll(app);
		}
	}

	@Test
	void nobodyKnowsWhatNobodyKept() {
		try (App app = start("1h", "ratelimit.rules.other: {paths: /other, thresholds: 1/1s}")) {
			assertThat(app.get("/ratelimit/queue/orders/" + "x".repeat(22)).statusCode()).isEqualTo(404);
			assertThat(app.get("/ratelimit/queue/orders/x").body()).doesNotContain("\"x\"");
			assertThat(app.get("/ratelimit/queue/other/" + "x".repeat(22)).body()).as("MVC's own")
				.contains("\"path\":\"/ratelimit/queue/other/");
		}
	}

	@Test
	@DisplayName("a reject rule that refuses too makes it 429; one that admits counts what is kept")
	void otherRulesAreAskedFirst() {
		try (App app = start("1h", "ratelimit.rules.all: {paths: /orders, key: global, thresholds: 3/1h}")) {
			for (int expected : new int[] { 200, 202, 202, 429 }) {
				assertThat(order(app, "ann", "x").statusCode()).isEqualTo(expected);
			}
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(429);
			emptyAll(app);
		}
	}

	@Test
	void theLocationIsWhereTheApplicationIs() {
		try (App app = App.start(RULE.formatted("1h") + """
				server.servlet.context-path: /ctx
				spring.mvc.servlet.path: /app
				ratelimit.queue.path: /later
				""", Orders.class, Later.class)) {
			app.send("POST", "/ctx/app/orders", "X-Client", "ann");
			HttpResponse<String> kept = app.send("POST", "/ctx/app/orders", "X-Client", "ann");
			assertThat(location(kept)).startsWith("/ctx/app/later/orders/");
			assertThat(app.get(location(kept)).statusCode()).isEqualTo(200);
			emptyAll(app);
		}
	}

	/** A limit of an hour would hold back what is left. */
	private static void emptyAll(App app) {
		app.context().stop();
		SharedCluster.delete(app.prefix());
	}

}
