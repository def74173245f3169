package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which methods a rule with {@code methods} covers: those, in the case of the registry,
 * and methods that are unknown altogether.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MethodsTests {

	private App app;

	@BeforeAll
	void start() {
		this.app = App.start(
				"""
						ratelimit:
						  store: memory
						  rules:
						    forms: {methods: [get, POST], paths: [/search, /function, /servlet/x], key: 'header:X-Client', thresholds: 2/1d}
						    queries: {methods: Query, paths: /queries, key: 'header:X-Client', thresholds: 2/1d}
						    own: {methods: [Foo, PUT], paths: /own, key: 'header:X-Client', thresholds: 2/1d}
						""",
				Handlers.class);
	}

	@AfterAll
	void stop() {
		this.app.close();
	}

	private List<Integer> statuses(String path, String... methods) {
		return Stream.of(methods)
			.map((method) -> this.app.send(method, path, "X-Client", path + String.join(",", methods)).statusCode())
			.toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/search", "/function", "/servlet/x" })
	void aMethodThatIsUnknownIsCoveredWhateverTheRuleLists(String path) {
		assertThat(statuses(path, "GET", "POST", "FOO")).as("GET, POST, FOO").containsExactly(200, 200, 429);
		assertThat(statuses(path, "FOO", "FOO", "FOO")).as("FOO").containsExactly(200, 200, 429);
		assertThat(statuses(path, "get", "get", "get")).as("get").containsExactly(200, 200, 429);
		assertThat(statuses(path, "post", "Post", "POST")).as("post, Post, POST").containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/search", "/function", "/servlet/x" })
	void aRegisteredMethodOrOneOfAnotherRuleIsCoveredOnlyWhereItIsListed(String path) {
		assertThat(statuses(path, "QUERY", "QUERY", "QUERY")).as("QUERY").containsOnly(200);
		assertThat(statuses(path, "PROPFIND", "PUT", "DELETE")).as("others of the registry").containsOnly(200);
		assertThat(statuses(path, "Foo", "Foo", "Foo")).as("listed by another rule").containsOnly(200);
	}

	@ParameterizedTest
	@CsvSource({ "/queries, QUERY", "/queries, query", "/own, Foo", "/own, foo" })
	void aListedMethodIsCoveredInTheCaseOfTheRegistryOrAsItIsWritten(String path, String method) {
		assertThat(statuses(path, method, method, method)).containsExactly(200, 200, 429);
	}

	@Configuration(proxyBeanMethods = false)
	@RestController
	static class Handlers {

		@RequestMapping({ "/search", "/queries", "/own" })
		String search() {
			return "found";
		}

		@Bean
		RouterFunction<ServerResponse> function() {
			return RouterFunctions.route(RequestPredicates.path("/function"),
					(request) -> ServerResponse.ok().body("called"));
		}

		@Bean
		ServletRegistrationBean<HttpServlet> servlet() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				private static final long serialVersionUID = 1L;

				@Override
				protected void service(HttpServletRequest request, HttpServletResponse response)
						throws ServletException, IOException {
					response.getWriter().print("served");
				}

			}, "/servlet/*");
		}

	}

}
