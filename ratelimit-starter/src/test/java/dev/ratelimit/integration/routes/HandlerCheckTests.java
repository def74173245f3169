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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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

	@AutoClose
	private static App app;

	/** Path, method and handler are chosen behind the filters. */
	@AutoClose
	private static App rewriting;

	@BeforeAll
	static void start() {
		app = App.start("""
				ratelimit.rules:
				  files: {paths: '/files/**', thresholds: 3/1d}
				  top: {paths: /top.txt, shadow: true, thresholds: 1/1d}
				  page: {paths: /page, thresholds: 1/1d}
				  outer: {paths: [/api/fwd, /api/inc, '/outer/*'], count-on: '200, 429', thresholds: 3/1d}
				  inner: {paths: '/api/products/*', thresholds: 1/1d}
				  in-time: {paths: '/v1/organizations/*/product/*', methods: GET, key: ip, thresholds: 1/1d}
				spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/site/'
				""", Catalog.class, Page.class, Outer.class);
		rewriting = App.start("""
				ratelimit.rules:
				  product: {paths: '/api/products/*', methods: GET, key: ip, thresholds: 1/1d}
				  form: {paths: '/api/products/*', methods: PUT, key: ip, thresholds: 1/1d}
				  function: {paths: /function, thresholds: 1/1d}
				  resource: {paths: /bypass-corpus.jsonl, thresholds: 1/1d}
				  legacy: {paths: '/legacy/*', thresholds: 1/1d}
				  failures: {paths: '/v1/organizations/*/product/*', count-on: failure, thresholds: 1/1d}
				spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/routes/'
				""", Catalog.class, DispatchTests.More.class, AppVariant.TrailingSlash.class,
				AppVariant.HiddenMethod.class, Legacy.class);
	}

	/** Rules are used up by several tests. */
	@BeforeEach
	void forget() {
		app.bean(RecordingMemoryStore.class).reset();
		app.bean(Catalog.Handlers.class).takeRan();
		app.bean(Outer.class).ran.set(0);
	}

	@ParameterizedTest
	@CsvSource({ "/api/products/1/, product", "/function/, function", "/bypass-corpus.jsonl/, resource" })
	void aTrailingSlashThatIsCutOffBehindTheFilters(String path, String rule) {
		assertThat(rewriting.statuses(2, "GET", path)).containsExactly(200, 429);
		assertThat(rewriting.get(path.substring(0, path.length() - 1)).statusCode()).isEqualTo(429);
		assertThat(late(rewriting, rule)).isEqualTo(2);
		assertThat(rewriting.get("/actuator/ratelimits/" + rule).body()).contains("\"matched\":3");
	}

	@Test
	void aResourceIsServedByThePathThatIsLookedUp() {
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

	@Test
	void aFormThatChoosesItsMethodBehindTheFilters() {
		assertThat(rewriting.statuses(2, "POST", "/api/products/1?_method=PUT")).containsExactly(200, 429);
		assertThat(rewriting.statuses(1, "PUT", "/api/products/1")).containsExactly(429);
		assertThat(late(rewriting, "form")).isEqualTo(2);
	}

	@Test
	void aHandlerMappingThatMatchesStrings() {
		assertThat(rewriting.statuses(2, "GET", "/legacy//1")).containsExactly(200, 429);
		assertThat(rewriting.statuses(1, "GET", "/legacy/1")).containsExactly(429);
		assertThat(late(rewriting, "legacy")).isEqualTo(2);
	}

	@Test
	void permitsThatTheOutcomeDoesNotCountAreReleased() {
		String path = "/v1/organizations/acme/product/1";
		assertThat(rewriting.statuses(3, "GET", path + "/")).containsExactly(200, 200, 200);
		assertThat(rewriting.statuses(2, "DELETE", path)).containsExactly(405, 429);
	}

	@ParameterizedTest
	@CsvSource({ "/api/fwd, 429", "/api/inc, 200" })
	void aHandlerThatRanStaysCountedThoughItsForwardOrIncludeIsRefused(String path, int whenRefused) {
		assertThat(app.statuses(4, "GET", path)).containsExactly(200, whenRefused, whenRefused, 429);
		assertThat(app.bean(Catalog.Handlers.class).takeRan()).filteredOn((ran) -> !ran.equals("get")).hasSize(3);
	}

	/** Else a client that can provoke the refusal could have its work for free. */
	@ParameterizedTest
	@CsvSource({ "forward, 429", "include, 200" })
	void aServletThatRanStaysCountedThoughItsForwardOrIncludeIsRefused(String how, int whenRefused) {
		assertThat(app.statuses(4, "GET", "/outer/" + how)).containsExactly(200, whenRefused, whenRefused, 429);
		assertThat(app.bean(Outer.class).ran).hasValue(3);
	}

	@Test
	void noDecisionIsLateWhenTheFiltersMatchTheRequest() {
		assertThat(app.statuses(2, "GET", "/v1/organizations/acme/product/1")).containsExactly(200, 429);
		assertThat(late(app, "in-time")).isZero();
	}

	private static double late(App of, String rule) {
		return of.bean(MeterRegistry.class).get("ratelimit.late.decisions").tag("rule", rule).counter().count();
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
