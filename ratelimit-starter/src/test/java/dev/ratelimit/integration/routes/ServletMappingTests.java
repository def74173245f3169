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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
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

	/** Each test has rules over paths of its own. */
	private static final String YAML = """
			ratelimit.exempt.paths: ['/public/**', /ws/open/free]
			ratelimit.rules:
			  product: {paths: /v1/product, thresholds: 1/10m}
			  other: {paths: '/ws/v1/**', thresholds: 2/10m}
			  tenants: {paths: '/ws/{tenant}', key: 'path:tenant', thresholds: 4/10m}
			  written: {paths: '/a/**', thresholds: 1/10m}
			  open: {paths: '/ws/open/**', thresholds: 2/10m}
			  preflights: {paths: /ws/x/y, thresholds: 2/10m}
			  sent: {paths: '/ws/sent/**', thresholds: 2/10m}
			  both: {paths: ['/go/both/**', '/start/both/**', '/ws/both/**'], thresholds: 3/10m}
			  sender: {paths: '/start/sender/**', thresholds: 3/10m}
			  page: {paths: /page, thresholds: 1/10m}
			  failures: {paths: '/ws/failures/**', thresholds: 1/10m, count-on: failure}
			  successes: {paths: '/ws/successes/**', thresholds: 1/10m, count-on: success}
			  failed: {paths: '/ws/failed/**', thresholds: 2/10m}
			  partial: {paths: '/ws/partial/**', thresholds: 2/10m}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(YAML, TimedStore.class, OtherServlet.class, Senders.class);
	}

	@Test
	void otherServletsAreCoveredByTheirWholePath() {
		assertThat(app.statuses(3, "GET", "/ws/v1/product")).containsExactly(200, 200, 429);
		assertThat(app.statuses(2, "GET", "/v1/product")).containsExactly(200, 429);
	}

	@Test
	void otherServletsAreCoveredByBothFormsOfAPath() {
		assertThat(statuses("/ws/acme", "//ws/acme", "/ws/x/../acme", "/;a/ws;b/%61cme;c", "/./ws/acme", "/ws/b"))
			.as("one bucket for one tenant")
			.containsExactly(200, 200, 200, 200, 429, 200);
		assertThat(statuses("/a/../ws/c/d", "/a/../ws/c/d", "/ws/c/d")).as("covered as it was written")
			.containsExactly(200, 429, 200);
		assertThat(statuses("/ws/open/free;x", "/ws/open/free", "/ws/open/fre%65")).as("exempt")
			.containsExactly(200, 200, 200);
		assertThat(statuses("/public/../ws/open/a", "/public/%2e%2e/ws/open/b", "/public/..;/ws/open/c"))
			.as("not exempt, as the path leads elsewhere")
			.containsExactly(200, 200, 429);
		assertThat(preflights(app)).as("served by the servlet").containsExactly(200, 200, 429);
	}

	@Test
	void aServletThatARequestIsForwardedOrDispatchedToIsDecidedToo() {
		assertThat(statuses("/go/forward?to=/ws/sent/a", "/start/async?to=/ws/sent/b", "/go/forward?to=/ws/sent/c",
				"/start/async?to=/ws/sent/d", "/start/forward?to=/ws/sent/e", "/ws/sent/f"))
			.containsExactly(200, 200, 429, 429, 429, 429);
	}

	@Test
	void aRuleOverBothEndsOfAForwardCountsOnce() {
		assertThat(statuses("/go/both/forward?to=/ws/both/a", "/start/both/async?to=/ws/both/b",
				"/start/both/forward?to=/ws/both/c", "/ws/both/d"))
			.containsExactly(200, 200, 200, 429);
	}

	@Test
	void aServletThatSendsARequestToAnExhaustedHandlerHasRun() {
		assertThat(statuses("/start/sender/async?to=/page", "/start/sender/async?to=/page",
				"/start/sender/forward?to=/page"))
			.containsExactly(200, 429, 429);
		HttpResponse<String> last = app.get("/start/sender/async?to=/page");
		assertThat(last.body()).startsWith("{").contains("\"violated-policies\":[\"sender\"]");
	}

	@Test
	void theOutcomeOfAServletThatARequestIsForwardedToCounts() {
		assertThat(statuses("/go/forward?to=/ws/failures/a", "/start/forward?to=/ws/failures/b",
				"/start/async?to=/ws/failures/c", "/start/forward?to=/ws/failures/d"))
			.containsOnly(200);
		assertThat(statuses("/start/forward?to=/ws/failures/fails", "/start/async?to=/ws/failures/a"))
			.containsExactly(402, 429);
	}

	/** The handler goes on after a servlet that throws. */
	@Test
	void theOutcomeOfAHandlerThatForwardsIsItsOwn() {
		assertThat(statuses("/go/on?to=/ws/successes/throws", "/go/on?to=/ws/successes/throws")).containsExactly(200,
				429);
	}

	/** MVC marks such a request as the container marks one for an error page. */
	@Test
	void aServletThatAnExceptionHandlerForwardsToIsDecidedToo() {
		assertThat(statuses("/go/fail", "/go/fail", "/go/fail")).containsExactly(200, 200, 429);
	}

	@Test
	void whatAServletHasWrittenIsNoPartOfARefusal() {
		assertThat(statuses("/ws/partial/a", "/ws/partial/b")).containsExactly(200, 200);
		HttpResponse<String> refused = app.get("/start/async?to=/ws/partial/c&write=partial");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).startsWith("{").endsWith("}").contains("\"violated-policies\":[\"partial\"]");
	}

	private static List<Integer> statuses(String... paths) {
		return statuses(app, paths);
	}

	@Test
	void theRootIsCoveredWhereThePrefixOfMvcIsTheWholePath() {
		try (App rooted = App.start("""
				spring.mvc.servlet.path: /app
				ratelimit.rules.root: {paths: /, thresholds: 2/10m}
				""", TimedStore.class, Root.class)) {
			assertThat(statuses(rooted, "/app", "/app/", "/app", "/app/")).containsExactly(200, 200, 429, 429);
			String upgrade = CorpusEntry.request("GET /app HTTP/1.1", List.of("Upgrade: x"), "");
			assertThat(RawHttp.exchange(rooted.port(), upgrade)).startsWith("HTTP/1.1 429");
		}
	}

	private static List<Integer> statuses(App of, String... paths) {
		return Stream.of(paths).map((path) -> of.get(path).statusCode()).toList();
	}

	@Test
	void aPreflightThatSpringSecurityAnswersIsFree() {
		try (App secured = App.startSecured(YAML, TimedStore.class, OtherServlet.class, Cors.class)) {
			assertThat(preflights(secured)).containsExactly(200, 200, 200);
			assertThat(secured.statuses(3, "GET", "/ws/x/y")).containsExactly(200, 200, 429);
		}
	}

	private static List<Integer> preflights(App of) {
		String preflight = CorpusEntry.request("OPTIONS /ws/x/y HTTP/1.1",
				List.of("Origin: https://a.example", "Access-Control-Request-Method: GET"), "");
		return Stream.generate(() -> RawHttp.exchange(of.port(), preflight))
			.limit(3)
			.map((answer) -> Integer.parseInt(answer.split(" ", 3)[1]))
			.toList();
	}

	@Test
	void prefixesOfTheApplicationAndOfMvcAreNoPartOfARule() {
		try (App prefixed = App.start("server.servlet.context-path: /shop\nspring.mvc.servlet.path: /api\n" + YAML,
				TimedStore.class)) {
			assertThat(prefixed.statuses(2, "GET", "/shop/api/v1/product")).containsExactly(200, 429);
		}
	}

	@Test
	void antMatchingStopsTheStart() {
		assertThatException().isThrownBy(
				() -> App.start("spring.mvc.pathmatch.matching-strategy: ant_path_matcher\n" + YAML, TimedStore.class))
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
					if (request.getPathInfo().endsWith("/async")) {
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

			@GetMapping({ "/go/forward", "/go/both/forward" })
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
				return "forward:/ws/failed/page";
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
