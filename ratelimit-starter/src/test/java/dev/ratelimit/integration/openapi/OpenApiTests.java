package dev.ratelimit.integration.openapi;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.RateLimitExempt;
import dev.ratelimit.RateLimited;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Golden;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.openapi.LimitedResponses;
import dev.ratelimit.openapi.RateLimitOpenApiCustomizer;
import dev.ratelimit.rule.live.RuleRefresh;
import dev.ratelimit.web.servlet.RateLimitRejectionHandler;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.models.GroupedOpenApi;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/**
 * Where springdoc makes documents, they show the limits.
 */
class OpenApiTests {

	private static final String SHOP = """
			springdoc: {writer-with-order-by-keys: true}
			spring.data.redis.port: PORT
			ratelimit:
			""";

	private static final String RULES = SHOP
			+ """
					  exempt.paths: /shop/exempt
					  rules:
					    all: {paths: '/shop/{*rest}', thresholds: '500/1500ms, 1000/10s'}
					    redeem: {methods: POST, paths: /shop/offers/*, algorithm: token-bucket, thresholds: [{threshold: 5, window: 1m, burst: 10}], on-store-failure: deny}
					    single: {paths: /shop/offers/1, thresholds: 1/1m}
					    named: {key: global, thresholds: 2/1h, plan-key: header:X-Plan, plans: {gold: 20/1h}}
					    stricter: {paths: /shop/watched, thresholds: 1/1m, shadow: true}
					    off: {paths: /shop/watched, thresholds: 1/1m, enabled: false}
					""";

	private static final String OTHER_RULES = SHOP
			+ """
					  rules:
					    all: {paths: '/shop/{*rest}', thresholds: 5/1m}
					    named: {key: global, on-store-failure: deny, refusal: {status: 503, body: busy, content-type: text/plain}, thresholds: 2/1h}
					    single: {paths: /shop/watched, refusal.body: '{}', thresholds: 2/1h}
					    conditional: {when: "method == 'GET'", key: global, thresholds: 3/1h}
					""";

	private static RedisServer redis;

	private static App app;

	/** With rules whose refusals have other forms. */
	private static App other;

	/** With customizations of its own. */
	private static App customized;

	@BeforeAll
	static void start() {
		redis = RedisServer.start();
		app = start(RULES, Groups.class, Desk.class);
		other = start(OTHER_RULES, Window.class);
		customized = start(RULES, Advice.class, Extending.class);
	}

	@AfterAll
	static void stop() {
		app.close();
		other.close();
		customized.close();
		redis.close();
	}

	private static App start(String yaml, Class<?>... beans) {
		List<Class<?>> all = new ArrayList<>(List.of(beans));
		all.add(Shop.class);
		return App.startDocumented(yaml.replace("PORT", Integer.toString(redis.port())), all.toArray(Class<?>[]::new));
	}

	private static JSONObject document(App app, String path) {
		HttpResponse<String> response = app.get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		return new JSONObject(response.body());
	}

	private static JSONObject operation(JSONObject document, String method, String path) {
		return document.getJSONObject("paths").getJSONObject(path).getJSONObject(method);
	}

	private static JSONObject refusal(JSONObject operation) {
		return operation.getJSONObject("responses").getJSONObject("429");
	}

	@Test
	void theDocumentIsUnchanged() {
		Golden.assertUnchanged("openapi.yaml",
				app.get("/v3/api-docs.yaml/shop").body().replace("127.0.0.1:" + app.port(), "shop.example.com"));
	}

	@Test
	void aGroupShowsTheSameAsTheWholeDocument() {
		JSONObject whole = document(app, "/v3/api-docs");
		JSONObject group = document(app, "/v3/api-docs/shop");
		assertThat(whole.getJSONObject("paths").keySet()).contains("/open", "/shop/annotated");
		assertThat(group.getJSONObject("paths").keySet()).contains("/shop/annotated").doesNotContain("/open");
		assertThat(operation(whole, "get", "/open").toString()).doesNotContain("429");
		assertThat(operation(group, "get", "/shop/annotated").toString()).contains("429")
			.isEqualTo(operation(whole, "get", "/shop/annotated").toString());
	}

	@Test
	void aRefusalIsWhatTheDocumentStates() {
		JSONObject document = document(app, "/v3/api-docs");
		JSONObject operation = operation(document, "get", "/shop/annotated");
		app.statuses(2, "GET", "/shop/annotated");
		HttpResponse<String> refused = app.get("/shop/annotated");
		assertThat(refused.statusCode()).isEqualTo(429);

		assertThat(limitHeaders(refused))
			.containsExactlyInAnyOrderElementsOf(refusal(operation).getJSONObject("headers")
				.keySet()
				.stream()
				.map((name) -> name.toLowerCase(Locale.ROOT))
				.toList());
		assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue(policies(operation));

		String type = refused.headers().firstValue("Content-Type").orElseThrow();
		String schema = refusal(operation).getJSONObject("content")
			.getJSONObject(type)
			.getJSONObject("schema")
			.getString("$ref");
		JSONObject problem = document.getJSONObject("components")
			.getJSONObject("schemas")
			.getJSONObject(schema.substring(schema.lastIndexOf('/') + 1));
		assertThat(new JSONObject(refused.body()).keySet()).isEqualTo(problem.getJSONObject("properties").keySet());
	}

	private static List<String> limitHeaders(HttpResponse<String> response) {
		return response.headers()
			.map()
			.keySet()
			.stream()
			.filter((name) -> name.contains("ratelimit") || name.equals("retry-after"))
			.toList();
	}

	/** As the header writes them. */
	private static String policies(JSONObject operation) {
		List<String> items = new ArrayList<>();
		for (Object rule : operation.getJSONArray("x-ratelimit")) {
			for (Object policy : ((JSONObject) rule).getJSONArray("policies")) {
				JSONObject one = (JSONObject) policy;
				items.add("\"" + one.getString("name") + "\";q=" + one.getLong("q")
						+ (one.has("w") ? ";w=" + one.getLong("w") : ""));
			}
		}
		return String.join(",", items);
	}

	@Test
	void anOperationWithoutRulesIsNeverRefused() {
		assertThat(operation(document(app, "/v3/api-docs"), "get", "/shop/exempt").toString()).doesNotContain("429",
				"x-ratelimit");
		assertThat(app.statuses(5, "GET", "/shop/exempt")).containsOnly(200);
	}

	@Test
	void anOperationThatIsExemptFromTheRuleOfItsClassHasNoRefusal() {
		JSONObject document = document(app, "/v3/api-docs");
		assertThat(operation(document, "get", "/desk/limited").toString()).contains("429", "x-ratelimit");
		assertThat(operation(document, "get", "/desk/exempt").toString()).doesNotContain("429", "x-ratelimit");
	}

	@Test
	void aRefusalHasTheStatusAndTheContentTypeOfItsRule() {
		JSONObject document = document(other, "/v3/api-docs");
		JSONObject two = operation(document, "get", "/shop/annotated").getJSONObject("responses");
		assertThat(content(two, "429").keySet()).containsExactly("application/problem+json");
		assertThat(content(two, "503").keySet()).containsExactlyInAnyOrder("application/problem+json",
				"text/plain;charset=UTF-8");
		assertThat(two.getJSONObject("503").getString("description"))
			.isEqualTo("A rate limit is exceeded, or the request cannot be counted now");
		assertThat(two.getJSONObject("503").getJSONObject("headers").keySet()).contains("Retry-After", "RateLimit");
		JSONObject one = operation(document, "get", "/shop/watched").getJSONObject("responses");
		assertThat(one.has("503")).isFalse();
		assertThat(content(one, "429").keySet()).containsExactlyInAnyOrder("application/problem+json",
				"application/json");
	}

	private static JSONObject content(JSONObject responses, String status) {
		return responses.getJSONObject(status).getJSONObject("content");
	}

	@Test
	void onlyHeadersThatAreSentAreDocumented() {
		try (App quiet = start(RULES + "  headers: {legacy: false, ietf: off}\n")) {
			JSONObject document = document(quiet, "/v3/api-docs");
			JSONObject operation = operation(document, "get", "/shop/annotated");
			assertThat(refusal(operation).getJSONObject("headers").keySet()).containsExactly("Retry-After");
			assertThat(document.toString()).as("policies that no header discloses").doesNotContain("all-10s");
		}
	}

	@Test
	void theBodyOfAnotherRejectionHandlerIsItsOwn() {
		try (App own = start(RULES, OwnRejection.class)) {
			JSONObject document = document(own, "/v3/api-docs");
			assertThat(refusal(operation(document, "get", "/shop/annotated")).keySet())
				.containsExactlyInAnyOrder("description", "headers");
			assertThat(document.toString()).doesNotContain("RateLimitProblem");
		}
	}

	@Test
	void nothingIsDocumentedWhereNothingIsLimited() {
		String elsewhere = SHOP + """
				  rules:
				    other: {paths: /other, thresholds: 1/1m}
				    named: {key: global, thresholds: 2/1h, enabled: false}
				""";
		try (App none = start(elsewhere); App off = start(RULES + "  enabled: false\n")) {
			JSONObject document = document(none, "/v3/api-docs");
			assertThat(document.toString().replace(":" + none.port(), "")).doesNotContain("RateLimit")
				.isEqualTo(document(off, "/v3/api-docs").toString().replace(":" + off.port(), ""));
			assertThat(operation(document, "get", "/shop/annotated").keySet()).containsExactlyInAnyOrder("tags",
					"operationId", "responses");
		}
	}

	@Test
	void anOlderVersionOfOpenApiHasTheSame() {
		try (App older = start(RULES.replace("springdoc: {", "springdoc: {api-docs.version: openapi_3_0, "))) {
			JSONObject document = document(older, "/v3/api-docs");
			JSONObject newer = document(app, "/v3/api-docs");
			assertThat(document.getString("openapi")).startsWith("3.0");
			assertThat(newer.getString("openapi")).startsWith("3.1");
			assertThat(document.getJSONObject("components").toString()).contains("RateLimitProblem")
				.isEqualTo(newer.getJSONObject("components").toString());
		}
	}

	/** Operations share the response of an exception handler. */
	@Test
	void onlyTheLimitedOperationGetsTheHeaders() {
		JSONObject document = document(customized, "/v3/api-docs");
		assertThat(refusal(operation(document, "get", "/shop/annotated")).getJSONObject("headers").keySet())
			.contains("Retry-After", "RateLimit");
		assertThat(refusal(operation(document, "get", "/shop/exempt")).has("headers")).isFalse();
	}

	@Test
	void aCustomizerOfTheApplicationMayLeaveExtensionsThatCannotBeChanged() {
		JSONObject limited = operation(document(customized, "/v3/api-docs"), "get", "/shop/annotated");
		assertThat(limited.getString("x-own")).isEqualTo("own");
		assertThat(limited.has("x-ratelimit")).isTrue();
	}

	@Test
	void aRuleWithAConditionGivesARefusalAndIsNotDisclosed() {
		JSONObject limited = operation(document(other, "/v3/api-docs"), "get", "/window");
		assertThat(refusal(limited).has("content")).isTrue();
		assertThat(limited.has("x-ratelimit")).isFalse();
	}

	/** As another thread of springdoc may do ({@code springdoc.pre-loading-enabled}). */
	@Test
	void aDocumentThatIsMadeWhileTheApplicationStartsHasNoLimitsAndTheLogHasTheCure() {
		RateLimitOpenApiCustomizer early = new RateLimitOpenApiCustomizer(true, Optional::empty,
				new LimitedResponses(List.of("Retry-After"), false, true));
		OpenAPI document = new OpenAPI()
			.paths(new Paths().addPathItem("/open", new PathItem().get(new Operation().operationId("open"))));
		String before = document.toString();
		try (CapturedLog log = new CapturedLog(Level.WARN)) {
			early.customise(document);
			assertThat(log.events()).extracting(ILoggingEvent::getFormattedMessage)
				.singleElement(STRING)
				.contains("before the rate limits were known", "springdoc.pre-loading-enabled to false");
		}
		assertThat(document).hasToString(before);
	}

	@Test
	void rulesInForceAreShownWhereDocumentsAreNotCached(@TempDir Path directory) throws IOException {
		Path file = directory.resolve("limits.yml");
		String rules = "ratelimit.rules: {named: {key: global, thresholds: %d/1h}}\n";
		Files.writeString(file, rules.formatted(3));
		String source = SHOP.replace("springdoc: {", "springdoc: {cache.disabled: %s, ") + "  rule-source: {file: '"
				+ file + "', refresh: 1h}\n";
		try (App cached = start(source.formatted(false)); App fresh = start(source.formatted(true))) {
			assertThat(quota(cached)).isEqualTo(3);
			assertThat(quota(fresh)).isEqualTo(3);
			RuleFiles.replace(file, rules.formatted(4));
			cached.bean(RuleRefresh.class).refresh();
			fresh.bean(RuleRefresh.class).refresh();
			assertThat(quota(fresh)).isEqualTo(4);
			assertThat(quota(cached)).isEqualTo(3);
		}
	}

	private static long quota(App app) {
		JSONArray rules = operation(document(app, "/v3/api-docs"), "get", "/shop/annotated")
			.getJSONArray("x-ratelimit");
		return rules.getJSONObject(0).getJSONArray("policies").getJSONObject(0).getLong("q");
	}

	@Configuration(proxyBeanMethods = false)
	static class Groups {

		@Bean
		GroupedOpenApi shopGroup() {
			return GroupedOpenApi.builder().group("shop").pathsToMatch("/shop/**").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnRejection {

		@Bean
		RateLimitRejectionHandler ownRejection() {
			return (request, response, refusals) -> response.sendError(429);
		}

	}

	@RestController
	@RateLimited("named")
	static class Desk {

		@GetMapping("/desk/limited")
		public String limited() {
			return "limited";
		}

		@GetMapping("/desk/exempt")
		@RateLimitExempt
		public String exempt() {
			return "exempt";
		}

	}

	@RestController
	static class Window {

		@GetMapping("/window")
		@RateLimited("conditional")
		String conditional() {
			return "conditional";
		}

	}

	@RestControllerAdvice
	static class Advice {

		@ExceptionHandler(IllegalStateException.class)
		@ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
		String busy() {
			return "busy";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Extending {

		@Bean
		GlobalOperationCustomizer extending() {
			return (operation, handler) -> {
				Map<String, Object> extensions = new HashMap<>(Map.of("x-own", "own"));
				if (operation.getExtensions() != null) {
					extensions.putAll(operation.getExtensions());
				}
				operation.setExtensions(Collections.unmodifiableMap(extensions));
				return operation;
			};
		}

	}

}
