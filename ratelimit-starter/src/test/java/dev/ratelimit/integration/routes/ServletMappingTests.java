package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.integration.support.TimedStore;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;

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
		try (App app = App.start(RULES, TimedStore.class, OtherServlet.class)) {
			assertThat(app.statuses(3, "GET", "/ws/v1/product")).containsExactly(200, 200, 429);
			assertThat(app.statuses(2, "GET", "/v1/product")).containsExactly(200, 429);
		}
	}

	/** One application for all cases, as each start takes time. */
	@Test
	void otherServletsAreCoveredByBothFormsOfAPath() {
		try (App app = App.start("""
				ratelimit.rules:
				  tenants: {paths: '/ws/{tenant}', key: 'path:tenant', thresholds: 4/10m}
				  written: {paths: '/a/**', thresholds: 1/10m}
				  open: {paths: '/ws/open/**', thresholds: 2/10m}
				  preflights: {paths: /ws/x/y, thresholds: 2/10m}
				ratelimit.exempt.paths: ['/public/**', /ws/open/free]
				""", TimedStore.class, OtherServlet.class)) {
			assertThat(
					statuses(app, "/ws/acme", "//ws/acme", "/ws/x/../acme", "/;a/ws;b/%61cme;c", "/./ws/acme", "/ws/b"))
				.as("one bucket for one tenant")
				.containsExactly(200, 200, 200, 200, 429, 200);
			assertThat(statuses(app, "/a/../ws/c/d", "/a/../ws/c/d", "/ws/c/d")).as("covered as it was written")
				.containsExactly(200, 429, 200);
			assertThat(statuses(app, "/ws/open/free;x", "/ws/open/free", "/ws/open/fre%65")).as("exempt")
				.containsExactly(200, 200, 200);
			assertThat(statuses(app, "/public/../ws/open/a", "/public/%2e%2e/ws/open/b", "/public/..;/ws/open/c"))
				.as("not exempt, as the path leads elsewhere")
				.containsExactly(200, 200, 429);
			assertThat(preflights(app)).as("served by the servlet").containsExactly(200, 200, 429);
		}
	}

	@Test
	void aServletThatARequestIsForwardedOrDispatchedToIsDecidedToo() {
		try (App app = App.start(RULES, TimedStore.class, OtherServlet.class, Senders.class)) {
			assertThat(statuses(app, "/go/forward?to=/ws/a", "/start/async?to=/ws/b", "/go/forward?to=/ws/c",
					"/start/async?to=/ws/d", "/start/forward?to=/ws/e", "/ws/f"))
				.containsExactly(200, 200, 429, 429, 429, 429);
		}
	}

	@Test
	void aRuleOverBothEndsOfAForwardCountsOnce() {
		try (App app = App.start("ratelimit.rules.all: {paths: /**, thresholds: 3/10m}", TimedStore.class,
				OtherServlet.class, Senders.class)) {
			assertThat(
					statuses(app, "/go/forward?to=/ws/a", "/start/async?to=/ws/b", "/start/forward?to=/ws/c", "/ws/d"))
				.containsExactly(200, 200, 200, 429);
		}
	}

	@Test
	void aServletThatSendsARequestToAnExhaustedHandlerHasRun() {
		try (App app = App.start("""
				ratelimit.rules:
				  sender: {paths: '/start/**', thresholds: 3/10m}
				  page: {paths: /page, thresholds: 1/10m}
				""", TimedStore.class, Senders.class)) {
			assertThat(statuses(app, "/start/async?to=/page", "/start/async?to=/page", "/start/forward?to=/page"))
				.containsExactly(200, 429, 429);
			HttpResponse<String> last = app.get("/start/async?to=/page");
			assertThat(last.body()).startsWith("{").contains("\"violated-policies\":[\"sender\"]");
		}
	}

	@Test
	void theOutcomeOfAServletThatARequestIsForwardedToCounts() {
		try (App app = App.start("ratelimit.rules.ws: {paths: '/ws/**', thresholds: 1/10m, count-on: failure}",
				TimedStore.class, OtherServlet.class, Senders.class)) {
			assertThat(statuses(app, "/go/forward?to=/ws/a", "/start/forward?to=/ws/b", "/start/async?to=/ws/c",
					"/start/forward?to=/ws/d"))
				.containsOnly(200);
			assertThat(statuses(app, "/start/forward?to=/ws/fails", "/start/async?to=/ws/a")).containsExactly(402, 429);
		}
	}

	/** The handler goes on after a servlet that throws. */
	@Test
	void theOutcomeOfAHandlerThatForwardsIsItsOwn() {
		try (App app = App.start("ratelimit.rules.ws: {paths: '/ws/**', thresholds: 1/10m, count-on: success}",
				TimedStore.class, OtherServlet.class, Senders.class)) {
			assertThat(statuses(app, "/go/on?to=/ws/throws", "/go/on?to=/ws/throws")).containsExactly(200, 429);
		}
	}

	/** MVC marks such a request as the container marks one for an error page. */
	@Test
	void aServletThatAnExceptionHandlerForwardsToIsDecidedToo() {
		try (App app = App.start(RULES, TimedStore.class, OtherServlet.class, Senders.class)) {
			assertThat(statuses(app, "/go/fail", "/go/fail", "/go/fail")).containsExactly(200, 200, 429);
		}
	}

	@Test
	void whatAServletHasWrittenIsNoPartOfARefusal() {
		try (App app = App.start(RULES, TimedStore.class, OtherServlet.class, Senders.class)) {
			assertThat(statuses(app, "/ws/a", "/ws/b")).containsExactly(200, 200);
			assertThat(app.get("/start/async?to=/ws/c&write=partial").body()).startsWith("{").endsWith("}");
		}
	}

	@Test
	void theRootIsCoveredWhereThePrefixOfMvcIsTheWholePath() {
		try (App app = App.start("""
				spring.mvc.servlet.path: /app
				ratelimit.rules.root: {paths: /, thresholds: 2/10m}
				""", TimedStore.class, Root.class)) {
			assertThat(statuses(app, "/app", "/app/", "/app", "/app/")).containsExactly(200, 200, 429, 429);
			String upgrade = CorpusEntry.request("GET /app HTTP/1.1", List.of("Upgrade: x"), "");
			assertThat(RawHttp.exchange(app.port(), upgrade)).startsWith("HTTP/1.1 429");
		}
	}

	private static List<Integer> statuses(App app, String... paths) {
		return Stream.of(paths).map((path) -> app.get(path).statusCode()).toList();
	}

	@Test
	void aPreflightThatSpringSecurityAnswersIsFree() {
		try (App app = App.startSecured(RULES, TimedStore.class, OtherServlet.class, Cors.class)) {
			assertThat(preflights(app)).containsExactly(200, 200, 200);
			assertThat(app.statuses(3, "GET", "/ws/x/y")).containsExactly(200, 200, 429);
		}
	}

	private static List<Integer> preflights(App app) {
		String preflight = CorpusEntry.request("OPTIONS /ws/x/y HTTP/1.1",
				List.of("Origin: https://a.example", "Access-Control-Request-Method: GET"), "");
		return Stream.generate(() -> RawHttp.exchange(app.port(), preflight))
			.limit(3)
			.map((answer) -> Integer.parseInt(answer.split(" ", 3)[1]))
			.toList();
	}

	@Test
	void prefixesOfTheApplicationAndOfMvcAreNoPartOfARule() {
		try (App app = App.start("server.servlet.context-path: /shop\nspring.mvc.servlet.path: /api\n" + RULES,
				TimedStore.class)) {
			assertThat(app.statuses(2, "GET", "/shop/api/v1/product")).containsExactly(200, 429);
		}
	}

	@Test
	void antMatchingStopsTheStart() {
		assertThatException().isThrownBy(
				() -> App.start("spring.mvc.pathmatch.matching-strategy: ant_path_matcher\n" + RULES, TimedStore.class))
			.withMessageContaining("path_pattern_parser");
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherServlet {

		@Bean
		ServletRegistrationBean<HttpServlet> other() {
			return new ServletRegistrationBean<>(new Other(), "/ws/*");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Senders {

		@Bean
		ServletRegistrationBean<HttpServlet> start() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				private static final long serialVersionUID = 1L;

				@Override
				protected void doGet(HttpServletRequest request, HttpServletResponse response)
						throws ServletException, IOException {
					if (request.getParameter("write") != null) {
						response.getOutputStream().print(request.getParameter("write"));
					}
					if (request.getPathInfo().equals("/async")) {
						request.startAsync().dispatch(request.getParameter("to"));
					}
					else {
						request.getRequestDispatcher(request.getParameter("to")).forward(request, response);
					}
				}

			}, "/start/*");
		}

		@Controller
		static class Handler {

			@GetMapping("/go/forward")
			public String forward(@RequestParam String to) {
				return "forward:" + to;
			}

			@GetMapping("/go/on")
			public void forwardAndGoOn(@RequestParam String to, HttpServletRequest request,
					HttpServletResponse response) throws ServletException, IOException {
				try {
					request.getRequestDispatcher(to).forward(request, response);
				}
				catch (IllegalStateException ex) {
					response.getWriter().print("instead");
				}
			}

			@GetMapping("/go/fail")
			public String fail() {
				throw new UnsupportedOperationException("of the test");
			}

			@ExceptionHandler
			public String failed(UnsupportedOperationException failure) {
				return "forward:/ws/failed";
			}

			@GetMapping("/page")
			@ResponseBody
			public String page() {
				return "page";
			}

		}

	}

	@RestController
	static class Root {

		@GetMapping
		public String root() {
			return "root";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Cors {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			CorsConfiguration defaults = new CorsConfiguration().applyPermitDefaultValues();
			return http.cors((cors) -> cors.configurationSource((request) -> defaults))
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

	}

	static class Other extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
			if (request.getRequestURI().endsWith("/throws")) {
				throw new IllegalStateException("of the test");
			}
			response.setStatus(request.getRequestURI().endsWith("/fails") ? 402 : HttpServletResponse.SC_OK);
			response.getWriter().print("other");
		}

		@Override
		protected void doOptions(HttpServletRequest request, HttpServletResponse response) throws IOException {
			doGet(request, response);
		}

	}

}
