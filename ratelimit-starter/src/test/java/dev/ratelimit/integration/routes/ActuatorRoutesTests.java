package dev.ratelimit.integration.routes;

import java.util.List;

import dev.ratelimit.integration.support.App;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code /**} leaves out what Actuator serves on the port of the application, and nothing
 * else.
 */
class ActuatorRoutesTests {

	private static final String ALL = """
			ratelimit.rules.all: {paths: '/**', thresholds: 1/1d}
			management.health.redis.enabled: false
			management.endpoint.health.probes: {enabled: true, add-additional-paths: true}
			management.endpoint.health.group.deep: {include: ping, additional-path: 'server:/deep'}
			""";

	/**
	 * The limit is used up, so that a request for a path is refused unless it is left
	 * out.
	 */
	private static App exhausted(String yaml) {
		App app = App.start(ALL + yaml, Catalog.class, Own.class);
		assertThat(app.statuses(2, "GET", "/page/x")).containsExactly(200, 429);
		return app;
	}

	private static void assertLeftOut(App app, String... paths) {
		assertThat(paths).allSatisfy((path) -> assertThat(app.get(path).statusCode()).isEqualTo(200));
	}

	private static void assertCovered(App app, String... paths) {
		assertThat(paths).allSatisfy((path) -> assertThat(app.get(path).statusCode()).isEqualTo(429));
	}

	@Test
	void endpointsAndProbesAreLeftOutAtTheRootToo() {
		try (App app = exhausted("""
				management.endpoints.web: {base-path: /, path-mapping: {health: healthz, ratelimits: about/limits}}
				ratelimit.rules.probe: {paths: /readyz, thresholds: 1/1d}
				""")) {
			assertLeftOut(app, "/healthz", "/healthz/deep", "/livez", "/deep", "/about/limits", "/about/limits/all");
			assertCovered(app, "/", "/health", "/ratelimits", "/about", "/healthzz", "/livez/x");
			assertThat(app.statuses(2, "GET", "/readyz")).as("a pattern names it").containsExactly(200, 429);
		}
	}

	@Test
	void pathsOfTheApplicationBelowTheBasePathOfActuatorAreCovered() {
		try (App app = exhausted("management.endpoints.web.base-path: /page")) {
			assertLeftOut(app, "/page", "/page/health", "/page/health/deep", "/page/ratelimits", "/livez");
			assertCovered(app, "/page/x", "/page/hidden", "/page/beans", "/actuator", "/actuator/health");
		}
	}

	@Test
	void aManagementPortOfItsOwnIsNotLimited() {
		try (App app = exhausted("management.server.port: 0")) {
			int port = app.context().getEnvironment().getRequiredProperty("local.management.port", Integer.class);
			for (String path : List.of("/actuator", "/actuator/health/deep", "/actuator/ratelimits")) {
				assertThat(App.send(port, "GET", path).statusCode()).as(path).isEqualTo(200);
			}
			assertLeftOut(app, "/livez", "/readyz", "/deep");
			assertCovered(app, "/actuator", "/actuator/health");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Hidden.class)
	static class Own {

		@Bean
		RouterFunction<ServerResponse> own() {
			return RouterFunctions.route().GET("/page/x", (request) -> ServerResponse.ok().build()).build();
		}

	}

	/** Is not exposed. */
	@Endpoint(id = "hidden")
	static class Hidden {

		@ReadOperation
		String read() {
			return "read";
		}

	}

}
