package dev.ratelimit.integration.annotation;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitExempt;
import dev.ratelimit.RateLimited;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.TimedStore;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code @RateLimited} on controllers: the decision is made at the handler, and the
 * response is that of a rule in the configuration.
 */
class AnnotatedHandlerTests {

	private static final String YAML = """
			ratelimit.rules:
			  named: {key: 'header:X-Tenant', thresholds: 2/10m}
			  by-outcome: {count-on: '402', thresholds: 1/10m}
			  by-path: {paths: /shop/both, thresholds: 3/10m}
			  group: {paths: '/shop/tight, /shop/loose', thresholds: 3/10m}
			  exempt: {paths: /desk/by-path, thresholds: 2/10m}
			  same: {paths: /shop/same, thresholds: 4/10m}
			""";

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(YAML, TimedStore.class, Shop.class, Desk.class, ApiImplementation.class, FinalDesk.class,
				AnyVisibility.class, AllExempt.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	/** Nothing that earlier tests counted counts any more. */
	@BeforeEach
	void passTime() {
		app.bean(MovableClock.class).advance(Duration.ofHours(1));
	}

	@Test
	void aRuleOfTheConfigurationActsWhereItIsNamed() {
		assertThat(status("/shop/named", "X-Tenant", "a")).isEqualTo(200);
		assertThat(status("/shop/named", "X-Tenant", "a")).isEqualTo(200);
		assertThat(status("/shop/named", "X-Tenant", "a")).isEqualTo(429);
		assertThat(status("/shop/named", "X-Tenant", "b")).isEqualTo(200);
		assertThat(status("/shop/free", "X-Tenant", "a")).isEqualTo(200);
	}

	@Test
	void aRefusalIsThatOfTheFilterAndTheHandlerDoesNotRun() {
		app.statuses(2, "GET", "/shop/inline");
		int handled = Shop.HANDLED.get();
		HttpResponse<String> refused = app.get("/shop/inline");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).contains("quota-exceeded", "\"violated-policies\":[\"shop-inline\"]");
		assertThat(refused.headers().map()).containsKeys("x-ratelimit-limit", "ratelimit", "ratelimit-policy",
				"retry-after", "cache-control");
		assertThat(Shop.HANDLED).hasValue(handled);
	}

	@Test
	void anAdmittedRequestHasTheHeadersOfARule() {
		HttpResponse<String> admitted = app.get("/shop/inline");
		assertThat(admitted.headers().firstValue("X-RateLimit-Limit")).hasValue("2");
		assertThat(admitted.headers().firstValue("X-RateLimit-Remaining")).hasValue("1");
		assertThat(admitted.headers().firstValue("RateLimit-Policy")).hasValue("\"shop-inline\";q=2;w=600");
	}

	@Test
	void aRuleWrittenAtTheHandlerIsShownByEndpointAndMeters() {
		app.get("/shop/inline");
		assertThat(app.get("/actuator/ratelimits").body()).contains("\"id\":\"shop-inline\"", "\"id\":\"by-variable\"");
		assertThat(app.bean(MeterRegistry.class).get("ratelimit.requests").tag("rule", "shop-inline").counters())
			.anyMatch((counter) -> counter.count() > 0);
	}

	@Test
	void theDecisionIsMadeBeforeArgumentsAreRead() {
		assertThat(status("/shop/argument?number=one")).isEqualTo(400);
		assertThat(status("/shop/argument?number=1")).isEqualTo(429);
	}

	@Test
	void anAnnotationAndARuleByPathCountOnceEach() {
		HttpResponse<String> first = app.get("/shop/both");
		assertThat(first.headers().firstValue("RateLimit")).get()
			.asString()
			.contains("\"by-path\";r=2", "\"both\";r=4");
		assertThat(app.statuses(3, "GET", "/shop/both")).containsExactly(200, 200, 429);
	}

	@Test
	void aRuleThatMatchesThePathAndIsNamedTooCountsOnce() {
		assertThat(app.statuses(5, "GET", "/shop/same")).containsExactly(200, 200, 200, 200, 429);
	}

	@Test
	void aRefusalAtTheHandlerReleasesThePermitOfTheFilter() {
		assertThat(app.statuses(4, "GET", "/shop/tight")).containsExactly(200, 429, 429, 429);
		assertThat(app.get("/shop/loose").headers().firstValue("X-RateLimit-Remaining")).hasValue("1");
	}

	@Test
	void aVariableOfTheHandlersPathIsAKey() {
		assertThat(status("/shop/item/1")).isEqualTo(200);
		assertThat(status("/shop/item/1")).isEqualTo(429);
		assertThat(status("/shop/item/2")).isEqualTo(200);
	}

	@Test
	void aMethodChangesTheCostOfTheRuleOfItsClassOrAddsARule() {
		assertThat(app.get("/desk/one").headers().firstValue("X-RateLimit-Remaining")).hasValue("9");
		assertThat(app.get("/desk/five").headers().firstValue("X-RateLimit-Remaining")).hasValue("4");
		assertThat(app.get("/desk/more").headers().firstValue("RateLimit").orElseThrow()).contains("\"desk\";r=3",
				"\"desk-more\";r=0");
	}

	@Test
	void aMethodThatIsExemptFromTheRuleOfItsClassIsNotCounted() {
		HttpResponse<String> exempt = app.get("/desk/exempt");
		assertThat(exempt.statusCode()).isEqualTo(200);
		assertThat(exempt.headers().map()).doesNotContainKeys("ratelimit", "x-ratelimit-limit");
		assertThat(app.get("/desk/one").headers().firstValue("X-RateLimit-Remaining")).hasValue("9");
	}

	@Test
	void aRuleOfTheConfigurationLimitsAnExemptMethod() {
		assertThat(app.get("/desk/by-path").headers().firstValue("RateLimit")).get()
			.asString()
			.contains("\"exempt\";r=1")
			.doesNotContain("desk");
		assertThat(app.statuses(2, "GET", "/desk/by-path")).containsExactly(200, 429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/shop/outcome", "/shop/outcome-later" })
	void outcomesAreSettledForNamedRulesToo(String path) {
		assertThat(status(path + "?status=200")).isEqualTo(200);
		assertThat(status(path + "?status=200")).isEqualTo(200);
		assertThat(status(path + "?status=402")).isEqualTo(402);
		assertThat(status(path + "?status=200")).isEqualTo(429);
	}

	@Test
	void anInterfaceMayBeAnnotated() {
		assertThat(app.statuses(2, "POST", "/api")).containsExactly(200, 429);
	}

	@Test
	void aControllerMayBeFinal() {
		assertThat(app.statuses(2, "GET", "/final")).containsExactly(200, 429);
	}

	@Test
	void allHandlersOfAnAnnotatedClassMayBeExempt() {
		assertThat(app.statuses(3, "GET", "/exempt-desk")).containsOnly(200);
	}

	@Test
	void anAnnotationOfTheClassCoversHandlersOfAnyVisibility() {
		for (String handler : List.of("package", "protected", "private", "final")) {
			assertThat(status("/any/" + handler)).as(handler).isEqualTo(200);
		}
		for (String handler : List.of("package", "protected", "private", "final")) {
			assertThat(status("/any/" + handler)).as(handler).isEqualTo(429);
		}
	}

	private static int status(String path, String... headers) {
		return app.get(path, headers).statusCode();
	}

	@RestController
	@RequestMapping("/shop")
	static class Shop {

		static final AtomicInteger HANDLED = new AtomicInteger();

		@GetMapping("/free")
		String free() {
			return "free";
		}

		@GetMapping("/named")
		@RateLimited("named")
		String named() {
			return "named";
		}

		@GetMapping("/inline")
		@RateLimited(thresholds = "2/10m")
		String inline() {
			HANDLED.incrementAndGet();
			return "inline";
		}

		@GetMapping("/argument")
		@RateLimited(thresholds = "1/10m")
		String argument(@RequestParam int number) {
			return "argument " + number;
		}

		@GetMapping("/both")
		@RateLimited(value = "both", thresholds = "5/10m")
		String both() {
			return "both";
		}

		@GetMapping("/tight")
		@RateLimited(thresholds = "1/10m")
		String tight() {
			return "tight";
		}

		@GetMapping("/loose")
		String loose() {
			return "loose";
		}

		@GetMapping("/same")
		@RateLimited("same")
		String same() {
			return "same";
		}

		@GetMapping("/outcome")
		@RateLimited("by-outcome")
		ResponseEntity<String> outcome(@RequestParam int status) {
			return ResponseEntity.status(status).body("outcome");
		}

		@GetMapping("/outcome-later")
		@RateLimited("by-outcome")
		CompletableFuture<ResponseEntity<String>> outcomeLater(@RequestParam int status) {
			return CompletableFuture.supplyAsync(() -> outcome(status));
		}

		@GetMapping("/item/{number}")
		@RateLimited(value = "by-variable", thresholds = "1/10m", key = "path:number")
		String item(@PathVariable String number) {
			return number;
		}

	}

	@RestController
	@RequestMapping("/desk")
	@RateLimited(thresholds = "10/10m")
	static class Desk {

		@GetMapping("/one")
		public String one() {
			return "one";
		}

		@GetMapping("/five")
		@RateLimited(value = "desk", cost = "5")
		public String five() {
			return "five";
		}

		@GetMapping("/more")
		@RateLimited(thresholds = "1/10m")
		public String more() {
			return "more";
		}

		@GetMapping("/exempt")
		@RateLimitExempt
		public String exempt() {
			return "exempt";
		}

		@GetMapping("/by-path")
		@RateLimitExempt
		public String byPath() {
			return "by path";
		}

	}

	interface Api {

		@PostMapping("/api")
		@RateLimited(thresholds = "1/10m")
		String call();

	}

	abstract static class Inherited {

		@GetMapping("/any/final")
		public final String fixed() {
			return "called";
		}

	}

	@RestController
	@RateLimited(value = "any", thresholds = "4/10m")
	static class AnyVisibility extends Inherited {

		@GetMapping("/any/package")
		String ofPackage() {
			return "called";
		}

		@GetMapping("/any/protected")
		protected String ofSubclasses() {
			return "called";
		}

		@GetMapping("/any/private")
		@SuppressWarnings("unused")
		private String ofItself() {
			return "called";
		}

	}

	/** Without a handler that the annotation covers. */
	@RestController
	@RateLimited("named")
	static class AllExempt {

		@RateLimitExempt
		@GetMapping("/exempt-desk")
		public String free() {
			return helped();
		}

		String helped() {
			return "called";
		}

	}

	/** Final, as classes in Kotlin are: a controller needs no proxy. */
	@RestController
	static final class FinalDesk {

		@GetMapping("/final")
		@RateLimited(thresholds = "1/10m")
		public final String call() {
			return "called";
		}

	}

	@RestController
	static class ApiImplementation implements Api {

		@Override
		public String call() {
			return "called";
		}

	}

}
