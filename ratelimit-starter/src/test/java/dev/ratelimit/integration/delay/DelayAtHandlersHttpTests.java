package dev.ratelimit.integration.delay;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.web.servlet.DelayedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Delayed requests at handlers of all kinds, and the calls that interceptors see.
 */
@ExtendWith(SharedCluster.class)
class DelayAtHandlersHttpTests {

	/** Each test has paths of its own. */
	private static final String RULES = """
			ratelimit.defaults: {algorithm: leaky-bucket, on-limit: delay, max-wait: 1m}
			ratelimit.rules:
			  slow: {paths: '/slow/{name}', key: 'path:name', thresholds: [{threshold: 1, window: 2s, burst: 9}]}
			  deferred: {paths: /deferred/limited, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
			  all: {paths: [/function, /plain, /robots.txt, /actuator/health], thresholds: [{threshold: 1, window: 2s, burst: 9}]}
			  path: {paths: /named, thresholds: [{threshold: 1, window: 2s, burst: 9}]}
			  named: {algorithm: sliding-window-log, thresholds: 1/6s}
			""";

	private static final List<String> AT_ONCE = List.of("REQUEST preHandle", "REQUEST postHandle",
			"REQUEST afterCompletion");

	private static final List<String> OF_AN_ASYNCHRONOUS_RESULT = List.of("REQUEST preHandle",
			"REQUEST afterConcurrentHandlingStarted", "ASYNC preHandle", "ASYNC postHandle", "ASYNC afterCompletion");

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = DelayHttpTests.warm(App.start(SharedCluster.yaml() + RULES, DelayApp.class, Handlers.class));
	}

	/** Waits, as the last calls are made after the response. */
	private static void assertSeen(String path, List<String> expected) {
		Queue<String> seen = app.bean(Witness.class).seen(path);
		Awaitility.await()
			.atMost(Patience.LONG)
			.untilAsserted(() -> assertThat(seen).containsExactlyElementsOf(expected));
		seen.clear();
	}

	@Test
	void interceptorsSeeADelayedRequestLikeAnAsynchronousResult() {
		assertThat(app.get("/deferred").body()).isEqualTo("deferred");
		assertSeen("/deferred", OF_AN_ASYNCHRONOUS_RESULT);
		app.get("/slow/twice");
		assertSeen("/slow/twice", AT_ONCE);
		assertThat(app.get("/slow/twice").body()).startsWith("ASYNC");
		assertSeen("/slow/twice", OF_AN_ASYNCHRONOUS_RESULT);
	}

	/**
	 * A handler that starts another asynchronous cycle replaces the listeners of the
	 * first.
	 */
	@Test
	void nothingIsKeptOfARequestWhoseHandlerIsAsynchronousItself() {
		for (int i = 0; i < 2; i++) {
			assertThat(app.get("/deferred/limited").body()).isEqualTo("deferred");
		}
		Collection<?> waits = (Collection<?>) ReflectionTestUtils.getField(app.bean(DelayedRequests.class), "waits");
		Awaitility.await().untilAsserted(() -> assertThat(waits).isEmpty());
	}

	@Test
	void interceptorsSeeNoAdditionalCallForARequestThatDoesNotWait() {
		assertThat(app.get("/slow/once").body()).startsWith("REQUEST");
		assertSeen("/slow/once", AT_ONCE);
	}

	@Test
	void requestsToHandlersOfAllKindsWait() {
		long start = SharedCluster.micros();
		app.get("/plain");
		Map<Long, Integer> responses = new ConcurrentSkipListMap<>();
		CompletableFuture
			.allOf(Stream.of("/function", "/plain", "/robots.txt", "/actuator/health")
				.map((path) -> DelayHttpTests.send(app, path)
					.thenAccept((response) -> responses.put(SharedCluster.micros(), response.statusCode())))
				.toArray(CompletableFuture[]::new))
			.join();
		assertThat(responses.values()).containsExactlyInAnyOrder(200, 200, 404, 200);
		assertThat(responses.keySet()).zipSatisfy(List.of(2_000_000L, 4_000_000L, 6_000_000L, 8_000_000L),
				(at, earliest) -> assertThat(at).isGreaterThanOrEqualTo(start + earliest));
		assertThat(DelayHttpTests.outcomes(app, "all")).containsExactly("all ALLOWED", "all DELAYED", "all DELAYED",
				"all DELAYED", "all DELAYED");
	}

	@Test
	void aRuleThatAHandlerNamesIsDecidedAfterTheWaitAndMayDelayAgain() {
		long start = SharedCluster.micros();
		assertThat(app.get("/named").body()).isEqualTo("REQUEST");
		assertSeen("/named", AT_ONCE);
		assertThat(app.get("/named").body()).isEqualTo("ASYNC");
		assertThat(SharedCluster.micros()).isGreaterThanOrEqualTo(start + 6_000_000);
		assertThat(DelayHttpTests.outcomes(app, "path", "named")).containsExactly("path ALLOWED", "named ALLOWED",
				"path DELAYED", "named DELAYED");
		assertSeen("/named",
				List.of("REQUEST preHandle", "REQUEST afterConcurrentHandlingStarted", "ASYNC preHandle",
						"ASYNC afterConcurrentHandlingStarted", "ASYNC preHandle", "ASYNC postHandle",
						"ASYNC afterCompletion"));
	}

	/** Records the calls of an interceptor, by the path of the request. */
	static final class Witness implements AsyncHandlerInterceptor {

		private final Map<String, Queue<String>> seen = new ConcurrentHashMap<>();

		Queue<String> seen(String path) {
			return this.seen.computeIfAbsent(path, (key) -> new ConcurrentLinkedQueue<>());
		}

		@Override
		public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
			return see(request, "preHandle");
		}

		@Override
		public void postHandle(HttpServletRequest request, HttpServletResponse response, Object handler,
				@Nullable ModelAndView view) {
			see(request, "postHandle");
		}

		@Override
		public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
				@Nullable Exception failure) {
			see(request, "afterCompletion");
		}

		@Override
		public void afterConcurrentHandlingStarted(HttpServletRequest request, HttpServletResponse response,
				Object handler) {
			see(request, "afterConcurrentHandlingStarted");
		}

		private boolean see(HttpServletRequest request, String call) {
			return seen(request.getRequestURI()).add(request.getDispatcherType() + " " + call);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		Witness witness() {
			return new Witness();
		}

		@Bean
		WebMvcConfigurer interceptors(Witness witness) {
			return new WebMvcConfigurer() {

				@Override
				public void addInterceptors(InterceptorRegistry registry) {
					registry.addInterceptor(witness);
				}

			};
		}

		@Bean
		RouterFunction<ServerResponse> function() {
			return RouterFunctions.route().GET("/function", (request) -> ServerResponse.ok().body("function")).build();
		}

		@Bean("/plain")
		HttpRequestHandler plain() {
			return (request, response) -> response.getWriter().write("plain");
		}

		@Bean
		Deferring deferring() {
			return new Deferring();
		}

	}

	@RestController
	static class Deferring {

		@GetMapping({ "/deferred", "/deferred/limited" })
		DeferredResult<String> deferred() {
			DeferredResult<String> result = new DeferredResult<>();
			result.setResult("deferred");
			return result;
		}

	}

}
