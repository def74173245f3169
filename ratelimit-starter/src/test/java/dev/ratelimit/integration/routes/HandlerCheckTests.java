package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rule that the filters could not match is decided when MVC has chosen the handler, and
 * counted in a metric.
 */
class HandlerCheckTests {

	private static final String ROUTES = """
			ratelimit.rules:
			  product: {paths: '/api/products/*', methods: %s, key: ip, thresholds: 1/1d}
			  function: {paths: /function, thresholds: 1/1d}
			  resource: {paths: /bypass-corpus.jsonl, thresholds: 1/1d}
			  legacy: {paths: '/legacy/*', thresholds: 1/1d}
			spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/routes/'
			""";

	@ParameterizedTest
	@CsvSource({ "/api/products/1/, product", "/function/, function", "/bypass-corpus.jsonl/, resource" })
	void aTrailingSlashThatIsCutOffBehindTheFilters(String path, String rule) {
		try (App app = App.start(ROUTES.formatted("GET"), Catalog.class, DispatchTests.More.class,
				AppVariant.TrailingSlash.class)) {
			assertThat(app.statuses(2, "GET", path)).containsExactly(200, 429);
			assertThat(app.get(path.substring(0, path.length() - 1)).statusCode()).isEqualTo(429);
			assertThat(late(app, rule)).isEqualTo(2);
			assertThat(app.get("/actuator/ratelimits/" + rule).body()).contains("\"matched\":3");
		}
	}

	@Test
	void aResourceIsServedByThePathThatIsLookedUp() {
		try (App app = App.start("""
				ratelimit.rules:
				  files: {paths: '/files/**', thresholds: 3/1d}
				  top: {paths: /top.txt, shadow: true, thresholds: 1/1d}
				  page: {paths: /page, thresholds: 1/1d}
				spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/site/'
				""", Catalog.class, Page.class)) {
			for (String path : List.of("//files/a.txt", "/./files/a.txt", "/%2e/files/a.txt", "/;x/files/a.txt")) {
				assertThat(app.get(path).statusCode()).as(path).isEqualTo(404);
			}
			assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).isEmpty();
			assertThat(app.get("/files/a.txt;jsessionid=1").statusCode()).isEqualTo(200);
			assertThat(app.get("/files/a.txt/").statusCode()).as("decided, as the rule covers both").isEqualTo(200);
			assertThat(app.statuses(2, "GET", "/files/%61.txt")).containsExactly(200, 429);
			assertThat(app.get("/./top.txt").statusCode()).as("shadow refuses nothing").isEqualTo(200);
			assertThat(app.get("/./index.html").statusCode()).as("no rule covers it").isEqualTo(200);
			assertThat(app.get("/page/").statusCode()).as("a function's own path").isEqualTo(200);
		}
	}

	@Test
	void aFormThatChoosesItsMethodBehindTheFilters() {
		try (App app = App.start(ROUTES.formatted("PUT"), Catalog.class, AppVariant.HiddenMethod.class)) {
			assertThat(app.statuses(2, "POST", "/api/products/1?_method=PUT")).containsExactly(200, 429);
			assertThat(app.statuses(1, "PUT", "/api/products/1")).containsExactly(429);
			assertThat(late(app, "product")).isEqualTo(2);
		}
	}

	@Test
	void aHandlerMappingThatMatchesStrings() {
		try (App app = App.start(ROUTES.formatted("GET"), Catalog.class, Legacy.class)) {
			assertThat(app.statuses(2, "GET", "/legacy//1")).containsExactly(200, 429);
			assertThat(app.statuses(1, "GET", "/legacy/1")).containsExactly(429);
			assertThat(late(app, "legacy")).isEqualTo(2);
		}
	}

	@Test
	void permitsThatTheOutcomeDoesNotCountAreReleased() {
		try (App app = App.start("""
				ratelimit.rules.failures: {paths: '/api/products/*', count-on: failure, thresholds: 1/1d}
				""", Catalog.class, AppVariant.TrailingSlash.class)) {
			assertThat(app.statuses(3, "GET", "/api/products/1/")).containsExactly(200, 200, 200);
			assertThat(app.statuses(2, "DELETE", "/api/products/1")).containsExactly(405, 429);
		}
	}

	@ParameterizedTest
	@CsvSource({ "/api/fwd, 429", "/api/inc, 200" })
	void aHandlerThatRanStaysCountedThoughItsForwardOrIncludeIsRefused(String path, int whenRefused) {
		try (App app = App.start("""
				ratelimit.rules:
				  outer: {paths: [/api/fwd, /api/inc], count-on: '200, 429', thresholds: 3/1d}
				  inner: {paths: '/api/products/*', thresholds: 1/1d}
				""", Catalog.class)) {
			assertThat(app.statuses(4, "GET", path)).containsExactly(200, whenRefused, whenRefused, 429);
			assertThat(app.bean(Catalog.Handlers.class).takeRan()).filteredOn((ran) -> !ran.equals("get")).hasSize(3);
		}
	}

	/** Else a client that can provoke the refusal could have its work for free. */
	@ParameterizedTest
	@CsvSource({ "forward, 429", "include, 200" })
	void aServletThatRanStaysCountedThoughItsForwardOrIncludeIsRefused(String how, int whenRefused) {
		try (App app = App.start("""
				ratelimit.rules:
				  outer: {paths: '/outer/*', count-on: '200, 429', thresholds: 3/1d}
				  inner: {paths: '/api/products/*', thresholds: 1/1d}
				""", Catalog.class, Outer.class)) {
			assertThat(app.statuses(4, "GET", "/outer/" + how)).containsExactly(200, whenRefused, whenRefused, 429);
			assertThat(app.bean(Outer.class).ran).hasValue(3);
		}
	}

	@Test
	void noDecisionIsLateWhenTheFiltersMatchTheRequest() {
		try (App app = App.start(ROUTES.formatted("GET"), Catalog.class)) {
			assertThat(app.statuses(2, "GET", "/api/products/1")).containsExactly(200, 429);
			assertThat(late(app, "product")).isZero();
		}
	}

	private static double late(App app, String rule) {
		return app.bean(MeterRegistry.class).get("ratelimit.late.decisions").tag("rule", rule).counter().count();
	}

	@Configuration(proxyBeanMethods = false)
	static class Page {

		@Bean
		RouterFunction<ServerResponse> page() {
			return RouterFunctions.route().GET("/page/", (request) -> ServerResponse.ok().build()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Outer {

		private final AtomicInteger ran = new AtomicInteger();

		@Bean
		ServletRegistrationBean<HttpServlet> outerServlet() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void doGet(HttpServletRequest request, HttpServletResponse response)
						throws ServletException, IOException {
					Outer.this.ran.incrementAndGet();
					RequestDispatcher inner = request.getRequestDispatcher("/api/products/1");
					if (request.getPathInfo().equals("/forward")) {
						inner.forward(request, response);
					}
					else {
						inner.include(request, response);
					}
				}

			}, "/outer/*");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Legacy {

		@Bean
		SimpleUrlHandlerMapping legacy() {
			HttpRequestHandler handler = (request, response) -> response.getWriter().print("legacy");
			SimpleUrlHandlerMapping mapping = new SimpleUrlHandlerMapping(Map.of("/legacy/*", handler), 0);
			mapping.setPatternParser(null);
			return mapping;
		}

	}

}
