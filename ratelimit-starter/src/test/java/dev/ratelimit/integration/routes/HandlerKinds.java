package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import dev.ratelimit.integration.support.App;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.ResponseEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * A handler of each {@link HandlerKind}.
 */
@Configuration(proxyBeanMethods = false)
class HandlerKinds {

	/** With rules over them and over {@link Catalog}, which refuse nothing. */
	static App start(AppVariant variant) {
		String rules = Arrays.stream(HandlerKind.values())
			.map((kind) -> kind.rule(variant))
			.collect(Collectors.joining());
		return variant.start(Catalog.RULES.formatted(RouteFuzz.THRESHOLDS, "10.0.0.0/8") + rules + """
				ratelimit.exempt.paths: /public/**
				spring.web.resources.static-locations: 'classpath:/dev/ratelimit/integration/site/, \
				file:src/test/resources/dev/ratelimit/integration/disk/'
				spring.web.resources.chain.strategy.content.enabled: true
				""", Catalog.class, HandlerKinds.class);
	}

	@Bean
	RouterFunction<ServerResponse> functional() {
		return RouterFunctions.route()
			.route(RequestPredicates.path("/functional/{id}"), (request) -> ServerResponse.ok().body("functional"))
			.build();
	}

	@Bean
	RouterFunction<ServerResponse> bundle() {
		return RouterFunctions.resources("/**", new ClassPathResource("dev/ratelimit/integration/functions/"));
	}

	@Bean
	RouterFunction<ServerResponse> nested() {
		return RouterFunctions.route()
			.path("/nested",
					(nested) -> nested.resources("/**", new ClassPathResource("dev/ratelimit/integration/nested/")))
			.filter((request, next) -> next.handle(request))
			.build();
	}

	@Bean
	ServletRegistrationBean<HttpServlet> prefix() {
		return new ServletRegistrationBean<>(new Legacy("prefix"), "/legacy/*");
	}

	@Bean
	ServletRegistrationBean<HttpServlet> exact() {
		return new ServletRegistrationBean<>(new Legacy("exact"), "/exact");
	}

	@Bean
	ServletRegistrationBean<HttpServlet> extension() {
		return new ServletRegistrationBean<>(new Legacy("extension"), "*.do");
	}

	@RestController
	static class Controllers {

		@RequestMapping("/annotated/{id}")
		String annotated() {
			return "annotated";
		}

		/**
		 * The server behind it decodes, normalizes and truncates paths in its own way.
		 */
		@RequestMapping("/gw/**")
		ResponseEntity<String> forward(HttpServletRequest request) {
			List<String> segments = GatewayController.segments(request);
			String sent = UriComponentsBuilder.newInstance()
				.pathSegment(segments.toArray(String[]::new))
				.build()
				.encode()
				.toUriString();
			String decoded = UriUtils.decode(sent.replaceAll(";[^/]*", ""), StandardCharsets.UTF_8).replace('\\', '/');
			String read = StringUtils.cleanPath(decoded.replaceAll("/+", "/")).replaceAll("/+$", "");
			return read.equals("/gw/login") ? ResponseEntity.ok("forwarding") : ResponseEntity.notFound().build();
		}

	}

	/** Answers every method, as old servlets do, under the path that the rule covers. */
	static class Legacy extends HttpServlet {

		private static final long serialVersionUID = 1L;

		private final String kind;

		Legacy(String kind) {
			this.kind = kind;
		}

		@Override
		protected void service(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			if (request.getServletPath().matches("/legacy|/exact|/act/[^/]*")) {
				response.getWriter().print(this.kind);
			}
			else {
				response.sendError(HttpServletResponse.SC_NOT_FOUND);
			}
		}

	}

}
