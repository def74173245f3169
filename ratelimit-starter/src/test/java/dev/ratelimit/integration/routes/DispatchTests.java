package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import dev.ratelimit.integration.support.Pipeline;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.integration.support.RequestTargets;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One request is counted once by a rule, however it reaches its handlers.
 */
class DispatchTests {

	/** Each test has a part of the paths to itself. */
	private static final String YAML = """
			server.http2.enabled: true
			spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/routes/'
			ratelimit:
			  exempt.paths: /exempt/forward
			  rules:
			    events: {paths: /events, thresholds: 1/1d}
			    all: {paths: ['/failing/**', /error], thresholds: 3/1d}
			    page: {paths: /error, thresholds: 1/1d}
			    outer: {paths: /forwarded/forward, thresholds: 3/1d}
			    inner: {paths: '/forwarded/products/*', thresholds: 1/1d}
			    both: {paths: '/both/**', thresholds: 2/1d}
			    filtered: {paths: '/filtered/products/*', thresholds: 2/1d}
			    failures: {paths: '/filtered/products/*', thresholds: 2/1d, count-on: failure}
			    behind-exempt: {paths: '/exempt/products/*', thresholds: 1/1d}
			    included: {paths: '/included/products/*', thresholds: 1/1d}
			    other: {paths: '/twice/**', thresholds: 10/1d}
			    twice: {paths: '/twice/products/*', thresholds: 1/1d}
			    mixed: {paths: '/mixed/products/*', thresholds: 1/1d}
			    get: {methods: GET, paths: '/methods/products/*', thresholds: 2/1d}
			    options: {paths: '/options/products/*', thresholds: 1/1d}
			    pipelined: {paths: '/pipelined/products/*', thresholds: 5/1d}
			    streams: {paths: '/streams/products/*', thresholds: 5/1d}
			    function: {paths: /function, thresholds: 1/1d}
			    resource: {paths: /bypass-corpus.jsonl, thresholds: 1/1d}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(YAML, Catalog.class, More.class, Parts.class);
	}

	@BeforeEach
	void forget() {
		acquired();
		ran();
	}

	private static List<String> acquired() {
		return app.bean(RecordingMemoryStore.class).takeAcquired();
	}

	private static List<String> ran() {
		return app.bean(Parts.class).takeRan();
	}

	@Test
	void aStreamOfEventsIsCountedOnce() {
		HttpResponse<String> first = app.get("/events");
		assertThat(first.body()).contains("data:one", "data:two");
		assertThat(app.get("/events").statusCode()).isEqualTo(429);
		assertThat(acquired()).hasSize(2);
	}

	@Test
	void errorDispatchesAreNotCounted() {
		assertThat(app.statuses(2, "GET", "/failing/boom")).containsExactly(500, 500);
		assertThat(app.statuses(2, "GET", "/failing/nowhere")).containsExactly(404, 429);
		assertThat(acquired()).hasSize(4);
	}

	@Test
	void theHandlerOfAForwardIsDecidedToo() {
		HttpResponse<String> first = app.get("/forwarded/forward");
		assertThat(ran()).containsExactly("forward", "product");
		assertThat(first.headers().firstValue("RateLimit-Policy"))
			.hasValue("\"outer\";q=3;w=86400,\"inner\";q=1;w=86400");
		HttpResponse<String> second = app.get("/forwarded/forward");
		assertThat(second.statusCode()).isEqualTo(429);
		assertThat(ran()).containsExactly("forward");
		assertThat(second.body()).contains("\"violated-policies\":[\"inner\"]");
		app.get("/forwarded/forward");
		assertThat(app.get("/forwarded/forward").body()).as("the first handler ran, so its permits stay taken")
			.contains("\"violated-policies\":[\"outer\"]");
	}

	@Test
	void aRuleOverBothHandlersOfAForwardCountsOnce() {
		assertThat(app.statuses(3, "GET", "/both/forward")).containsExactly(200, 200, 429);
	}

	@Test
	void aForwardByAFilterInFrontOfOursIsDecided() {
		HttpResponse<String> first = app.get("/front?to=/filtered/products/1");
		assertThat(first.headers().allValues("RateLimit-Policy"))
			.containsExactly("\"filtered\";q=2;w=86400,\"failures\";q=2;w=86400");
		assertThat(app.statuses(2, "GET", "/front?to=/filtered/products/2")).containsExactly(200, 429);
		assertThat(app.get("/front?to=/filtered/products/3").body()).as("a success is no failure")
			.contains("\"violated-policies\":[\"filtered\"]");
		assertThat(app.statuses(1, "GET", "/filtered/forward")).as("the same bucket").containsExactly(429);
	}

	@Test
	void aForwardByAFilterInFrontOfOursToAnExemptPathIsFree() {
		assertThat(app.statuses(3, "GET", "/front?to=/exempt/forward")).containsExactly(200, 200, 200);
	}

	@Test
	void whereRulesAreNotEnforcedNoForwardIsDecided() {
		try (App off = App.start(YAML + "  enabled: false\n", Catalog.class, More.class, Parts.class)) {
			assertThat(off.statuses(2, "GET", "/forwarded/forward")).containsExactly(200, 200);
			assertThat(off.statuses(2, "GET", "/front?to=/forwarded/products/1")).containsExactly(200, 200);
		}
	}

	@Test
	void anIncludedHandlerIsLeftOutWhenItIsRefused() {
		app.get("/included/include");
		assertThat(ran()).containsExactly("include", "product");
		HttpResponse<String> second = app.get("/included/include");
		assertThat(second.statusCode()).isEqualTo(200);
		assertThat(second.body()).isEmpty();
		assertThat(ran()).containsExactly("include");
	}

	@Test
	void everyIncludedHandlerIsLeftOutOnceItsRuleIsExhausted() {
		app.get("/twice/include-two");
		assertThat(ran()).as("one request counts once").containsExactly("include-two", "product", "product");
		HttpResponse<String> second = app.get("/twice/include-two");
		assertThat(ran()).containsExactly("include-two");
		assertThat(second.headers().allValues("RateLimit-Policy")).containsExactly("\"other\";q=10;w=86400");
	}

	@Test
	void aForwardAfterARefusedIncludeIsRefused() {
		assertThat(app.get("/mixed/include-then-forward").statusCode()).isEqualTo(200);
		HttpResponse<String> second = app.get("/mixed/include-then-forward");
		assertThat(second.statusCode()).isEqualTo(429);
		assertThat(second.headers().allValues("RateLimit-Policy")).containsExactly("\"mixed\";q=1;w=86400");
		assertThat(ran()).containsExactly("include-then-forward", "product", "product", "include-then-forward");
	}

	@Test
	void forwardsFromAnExemptPathAreFree() {
		assertThat(app.statuses(3, "GET", "/exempt/forward")).containsExactly(200, 200, 200);
	}

	@Test
	void headCountsAsGetAndOptionsDoesNot() {
		assertThat(app.statuses(1, "GET", "/methods/products/1")).containsExactly(200);
		assertThat(app.statuses(3, "OPTIONS", "/methods/products/1")).containsExactly(200, 200, 200);
		assertThat(app.statuses(2, "HEAD", "/methods/products/1")).containsExactly(200, 429);
		assertThat(acquired()).hasSize(3);
	}

	@Test
	void optionsCountWhereARuleCoversThemAndPreflightsNever() {
		String preflight = CorpusEntry.request("OPTIONS /options/products/1 HTTP/1.1",
				List.of("Origin: https://a.example", "Access-Control-Request-Method: PUT"), "");
		for (int i = 0; i < 3; i++) {
			assertThat(RawHttp.exchange(app.port(), preflight)).doesNotStartWith("HTTP/1.1 429");
		}
		assertThat(app.statuses(2, "OPTIONS", "/options/products/1")).containsExactly(200, 429);
	}

	@Test
	void eachOfManyPipelinedRequestsIsCountedOnce() throws IOException {
		RequestTargets.Request request = new RequestTargets.Request(
				"GET /pipelined/products/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", false);
		List<Integer> statuses = new Pipeline(app.port()).send(Collections.nCopies(20, request))
			.stream()
			.flatMap(Optional::stream)
			.map(Pipeline.Reply::status)
			.toList();
		assertThat(statuses).hasSize(20).startsWith(200, 200, 200, 200, 200, 429);
		assertThat(acquired()).hasSize(20);
	}

	@Test
	void eachStreamOfAnHttp2ConnectionIsCountedOnce() {
		HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/streams/products/1"))
			.build();
		HttpResponse<String> upgraded = client.sendAsync(request, BodyHandlers.ofString()).join();
		assertThat(upgraded.version()).isEqualTo(HttpClient.Version.HTTP_2);
		List<CompletableFuture<HttpResponse<String>>> streams = Stream
			.generate(() -> client.sendAsync(request, BodyHandlers.ofString()))
			.limit(20)
			.toList();
		assertThat(streams).extracting((stream) -> stream.join().statusCode())
			.filteredOn((status) -> status == 200)
			.hasSize(4);
		assertThat(acquired()).hasSize(21);
	}

	@Test
	void routerFunctionsAndResourcesAreLimited() {
		assertThat(app.statuses(2, "GET", "/function")).containsExactly(200, 429);
		assertThat(app.statuses(2, "GET", "/bypass-corpus.jsonl")).containsExactly(200, 429);
	}

	/** The same handlers in every part of the paths. They report that they ran. */
	@RestController
	@RequestMapping("/{part}")
	static class Parts {

		private final Queue<String> ran = new ConcurrentLinkedQueue<>();

		/** The handlers that ran since the last call. */
		List<String> takeRan() {
			List<String> taken = List.copyOf(this.ran);
			this.ran.clear();
			return taken;
		}

		@GetMapping("/products/{id}")
		String product() {
			this.ran.add("product");
			return "product";
		}

		@GetMapping("/boom")
		void boom() {
			throw new IllegalStateException("boom");
		}

		@GetMapping("/forward")
		void forward(@PathVariable String part, HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			this.ran.add("forward");
			product(part, request).forward(request, response);
		}

		@GetMapping("/include")
		void include(@PathVariable String part, HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			this.ran.add("include");
			product(part, request).include(request, response);
		}

		@GetMapping("/include-two")
		void includeTwo(@PathVariable String part, HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			this.ran.add("include-two");
			product(part, request).include(request, response);
			product(part, request).include(request, response);
		}

		@GetMapping("/include-then-forward")
		void includeThenForward(@PathVariable String part, HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			this.ran.add("include-then-forward");
			product(part, request).include(request, response);
			product(part, request).forward(request, response);
		}

		private static RequestDispatcher product(String part, HttpServletRequest request) {
			return request.getRequestDispatcher("/" + part + "/products/42");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class More {

		@Bean
		FilterRegistrationBean<Filter> front() {
			FilterRegistrationBean<Filter> front = new FilterRegistrationBean<>((request, response,
					chain) -> request.getRequestDispatcher(request.getParameter("to")).forward(request, response));
			front.addUrlPatterns("/front");
			front.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return front;
		}

		@Bean
		RouterFunction<ServerResponse> function() {
			return RouterFunctions.route().GET("/function", (request) -> ServerResponse.ok().body("function")).build();
		}

		@RestController
		static class Events {

			@GetMapping("/events")
			SseEmitter events() throws IOException {
				SseEmitter events = new SseEmitter();
				events.send("one");
				events.send("two");
				events.complete();
				return events;
			}

		}

	}

}
