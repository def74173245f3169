package dev.ratelimit.integration;

import java.io.IOException;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Rules cover what MVC and other servlets serve, wherever they are mapped.
 */
class ServletMappingTests {

	private static final String RULES = """
			ratelimit.rules:
			  product: {paths: /v1/product, thresholds: 1/10m}
			  other: {paths: '/ws/**', thresholds: 2/10m}
			""";

	@Test
	void otherServletsAreCoveredByTheirWholePath() {
		try (App app = App.start(RULES, TimedApp.class, OtherServlet.class)) {
			assertThat(app.statuses(3, "GET", "/ws/v1/product")).containsExactly(200, 200, 429);
			assertThat(app.statuses(2, "GET", "/v1/product")).containsExactly(200, 429);
		}
	}

	@Test
	void prefixesOfTheApplicationAndOfMvcAreNoPartOfARule() {
		try (App app = App.start("server.servlet.context-path: /shop\nspring.mvc.servlet.path: /api\n" + RULES,
				TimedApp.class)) {
			assertThat(app.statuses(2, "GET", "/shop/api/v1/product")).containsExactly(200, 429);
		}
	}

	@Test
	void antMatchingStopsTheStart() {
		assertThatException().isThrownBy(
				() -> App.start("spring.mvc.pathmatch.matching-strategy: ant_path_matcher\n" + RULES, TimedApp.class))
			.withMessageContaining("path_pattern_parser");
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherServlet {

		@Bean
		ServletRegistrationBean<HttpServlet> other() {
			return new ServletRegistrationBean<>(new Other(), "/ws/*");
		}

	}

	static class Other extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
			response.getWriter().print("other");
		}

	}

}
