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
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import dev.ratelimit.integration.support.Pipeline;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.integration.support.RequestTargets;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
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

	@Test
	void aStreamOfEventsIsCountedOnce() {
		try (App app = start("events: {paths: /events, thresholds: 1/1d}")) {
			HttpResponse<String> first = app.get("/events");
			assertThat(first.body()).contains("data:one", "data:two");
			assertThat(app.get("/events").statusCode()).isEqualTo(429);
			assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).hasSize(2);
		}
	}

	@Test
	void errorDispatchesAreNotCounted() {
		try (App app = start("""
				all: {paths: '/**', thresholds: 3/1d}
				  page: {paths: /error, thresholds: 1/1d}""")) {
			assertThat(app.statuses(2, "GET", "/api/boom")).containsExactly(500, 500);
			assertThat(app.statuses(2, "GET", "/nowhere")).containsExactly(404, 429);
			assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).hasSize(4);
		}
	}

	@Test
	void theHandlerOfAForwardIsDecidedToo() {
		try (App app = start("""
				outer: {paths: /api/fwd, thresholds: 3/1d}
				  inner: {paths: '/api/products/*', thresholds: 1/1d}""")) {
			HttpResponse<String> first = app.get("/api/fwd");
			assertThat(first.headers().allValues("Ran")).containsExactly("fwd", "get");
			assertThat(first.headers().firstValue("RateLimit-Policy"))
				.hasValue("\"outer\";q=3;w=86400,\"inner\";q=1;w=86400");
			HttpResponse<String> second = app.get("/api/fwd");
			assertThat(second.statusCode()).isEqualTo(429);
			assertThat(second.headers().allValues("Ran")).containsExactly("fwd");
			assertThat(second.body()).contains("\"violated-policies\":[\"inner\"]");
			app.get("/api/fwd");
			assertThat(app.get("/api/fwd").body()).as("the first handler ran, so its permits stay taken")
				.contains("\"violated-policies\":[\"outer\"]");
		}
	}

	@Test
	void aRuleOverBothHandlersOfAForwardCountsOnce() {
		try (App app = start("all: {paths: '/api/**', thresholds: 2/1d}")) {
			assertThat(app.statuses(3, "GET", "/api/fwd")).containsExactly(200, 200, 429);
		}
	}

	@Test
	void aForwardByAFilterInFrontOfOursIsDecided() {
		try (App app = start("""
				inner: {paths: '/api/products/*', thresholds: 2/1d}
				  failures: {paths: '/api/products/*', thresholds: 2/1d, count-on: failure}""")) {
			HttpResponse<String> first = app.get("/front?to=/api/products/1");
			assertThat(first.headers().allValues("RateLimit-Policy"))
				.containsExactly("\"inner\";q=2;w=86400,\"failures\";q=2;w=86400");
			assertThat(app.statuses(2, "GET", "/front?to=/api/products/2")).containsExactly(200, 429);
			assertThat(app.get("/front?to=/api/products/3").body()).as("a success is no failure")
				.contains("\"violated-policies\":[\"inner\"]");
			assertThat(app.statuses(1, "GET", "/api/fwd")).as("the same bucket").containsExactly(429);
		}
	}

	@Test
	void aForwardByAFilterInFrontOfOursToAnExemptPathIsFree() {
		try (App app = start("inner: {paths: '/api/products/*', thresholds: 1/1d}\nratelimit.exempt.paths: /api/fwd")) {
			assertThat(app.statuses(3, "GET", "/front?to=/api/fwd")).containsExactly(200, 200, 200);
		}
	}

	@Test
	void whereRulesAreNotEnforcedNoForwardIsDecided() {
		try (App app = start("inner: {paths: '/api/products/*', thresholds: 1/1d}\nratelimit.enabled: false")) {
			assertThat(app.statuses(2, "GET", "/api/fwd")).containsExactly(200, 200);
			assertThat(app.statuses(2, "GET", "/front?to=/api/products/1")).containsExactly(200, 200);
		}
	}

	@Test
	void anIncludedHandlerIsLeftOutWhenItIsRefused() {
		try (App app = start("inner: {paths: '/api/products/*', thresholds: 1/1d}")) {
			app.get("/api/inc");
			assertThat(app.bean(Catalog.Handlers.class).takeRan()).containsExactly("inc", "get");
			HttpResponse<String> second = app.get("/api/inc");
			assertThat(second.statusCode()).isEqualTo(200);
			assertThat(second.body()).isEmpty();
			assertThat(app.bean(Catalog.Handlers.class).takeRan()).containsExactly("inc");
		}
	}

	@Test
	void everyIncludedHandlerIsLeftOutOnceItsRuleIsExhausted() {
		try (App app = start("""
				other: {paths: '/api/**', thresholds: 10/1d}
				  inner: {paths: '/api/products/*', thresholds: 1/1d}""")) {
			app.get("/api/twice");
			assertThat(app.bean(Catalog.Handlers.class).takeRan()).as("one request counts once")
				.containsExactly("get", "get");
			HttpResponse<String> second = app.get("/api/twice");
			assertThat(app.bean(Catalog.Handlers.class).takeRan()).isEmpty();
			assertThat(second.headers().allValues("RateLimit-Policy")).containsExactly("\"other\";q=10;w=86400");
		}
	}

	@Test
	void aForwardAfterARefusedIncludeIsRefused() {
		try (App app = start("inner: {paths: '/api/products/*', thresholds: 1/1d}")) {
			assertThat(app.get("/api/then-forward").statusCode()).isEqualTo(200);
			HttpResponse<String> second = app.get("/api/then-forward");
			assertThat(second.statusCode()).isEqualTo(429);
			assertThat(second.headers().allValues("RateLimit-Policy")).containsExactly("\"inner\";q=1;w=86400");
			assertThat(app.bean(Catalog.Handlers.class).takeRan()).containsExactly("get", "get");
		}
	}

	@Test
	void forwardsFromAnExemptPathAreFree() {
		try (App app = start("inner: {paths: '/api/products/*', thresholds: 1/1d}\nratelimit.exempt.paths: /api/fwd")) {
			assertThat(app.statuses(3, "GET", "/api/fwd")).containsExactly(200, 200, 200);
		}
	}

	@Test
	void headCountsAsGetAndOptionsDoesNot() {
		try (App app = start("get: {methods: GET, paths: '/api/products/*', thresholds: 2/1d}")) {
			assertThat(app.statuses(1, "GET", "/api/products/1")).containsExactly(200);
			assertThat(app.statuses(3, "OPTIONS", "/api/products/1")).containsExactly(200, 200, 200);
			assertThat(app.statuses(2, "HEAD", "/api/products/1")).containsExactly(200, 429);
			assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).hasSize(3);
		}
	}

	@Test
	void optionsCountWhereARuleCoversThemAndPreflightsNever() {
		try (App app = start("all: {paths: '/api/products/*', thresholds: 1/1d}")) {
			String preflight = CorpusEntry.request("OPTIONS /api/products/1 HTTP/1.1",
					List.of("Origin: https://a.example", "Access-Control-Request-Method: PUT"), "");
			for (int i = 0; i < 3; i++) {
				assertThat(RawHttp.exchange(app.port(), preflight)).doesNotStartWith("HTTP/1.1 429");
			}
			assertThat(app.statuses(2, "OPTIONS", "/api/products/1")).containsExactly(200, 429);
		}
	}

	@Test
	void eachOfManyPipelinedRequestsIsCountedOnce() throws IOException {
		try (App app = start("get: {paths: '/api/products/*', thresholds: 5/1d}")) {
			RequestTargets.Request request = new RequestTargets.Request(
					"GET /api/products/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", false);
			List<Integer> statuses = new Pipeline(app.port()).send(Collections.nCopies(20, request))
				.stream()
				.flatMap(Optional::stream)
				.map(Pipeline.Reply::status)
				.toList();
			assertThat(statuses).hasSize(20).startsWith(200, 200, 200, 200, 200, 429);
			assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).hasSize(20);
		}
	}

	@Test
	void eachStreamOfAnHttp2ConnectionIsCountedOnce() {
		try (App app = start("get: {paths: '/api/products/*', thresholds: 5/1d}\nserver.http2.enabled: true")) {
			HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
			HttpRequest request = HttpRequest
				.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/api/products/1"))
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
			assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).hasSize(21);
		}
	}

	@Test
	void routerFunctionsAndResourcesAreLimited() {
		try (App app = start("""
				function: {paths: /function, thresholds: 1/1d}
				  resource: {paths: /bypass-corpus.jsonl, thresholds: 1/1d}
				spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/routes/'""")) {
			assertThat(app.statuses(2, "GET", "/function")).containsExactly(200, 429);
			assertThat(app.statuses(2, "GET", "/bypass-corpus.jsonl")).containsExactly(200, 429);
		}
	}

	private static App start(String rules) {
		return App.start("ratelimit.rules:\n  " + rules + "\n", Catalog.class, More.class);
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
		static class Parts {

			@GetMapping("/api/twice")
			void twice(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
				request.getRequestDispatcher("/api/products/1").include(request, response);
				request.getRequestDispatcher("/api/products/2").include(request, response);
			}

			@GetMapping("/api/then-forward")
			void thenForward(HttpServletRequest request, HttpServletResponse response)
					throws ServletException, IOException {
				request.getRequestDispatcher("/api/products/1").include(request, response);
				request.getRequestDispatcher("/api/products/2").forward(request, response);
			}

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
