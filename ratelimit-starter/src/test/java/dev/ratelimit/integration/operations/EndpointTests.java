package dev.ratelimit.integration.operations;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.actuate.insight.Insights;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP: what an operator sees of rules and clients, on a Redis Cluster.
 */
@ExtendWith(SharedCluster.class)
class EndpointTests {

	private static final String ENDPOINT = "/actuator/ratelimits";

	private static final String UNRESTRICTED = """
			management.endpoint.ratelimits.access: unrestricted
			""";

	/** Rules for code, and such as requests of one test are under. */
	private static final String RULES = """
			ratelimit.rules:
			  log: {key: 'header:X-Api-Key', thresholds: '3/1h, 9/1d'}
			  counting-log: {key: 'header:X-Api-Key', count-rejected: true, thresholds: '3/1h, 9/1d'}
			  counter: {key: 'header:X-Api-Key', algorithm: sliding-window-counter, thresholds: '3/1h, 9/1d'}
			  fixed: {key: 'header:X-Api-Key', algorithm: fixed-window, thresholds: '3/1h, 9/1d'}
			  tokens: {key: 'header:X-Api-Key', algorithm: token-bucket, thresholds: '3/1h, 9/1d'}
			  intervals: {key: 'header:X-Api-Key', algorithm: token-bucket, refill: interval, thresholds: '3/1h, 9/1d'}
			  leak: {key: 'header:X-Api-Key', algorithm: leaky-bucket, thresholds: '3/1h, 9/1d'}
			  leased: {key: 'header:X-Api-Key', mode: leased, lease-size: 2, lease-time: 1m, thresholds: '8/1h, 20/1d'}
			  synced: {key: 'header:X-Api-Key', mode: synced, algorithm: fixed-window, sync-interval: 1m, thresholds: '30/1d'}
			  narrow: {paths: '/product/*', thresholds: 2/1h}
			  wide: {paths: '/product/**', thresholds: 9/1h}
			  keyed: {paths: '/product/**', key: 'header:X-Api-Key', on-missing-key: skip, thresholds: 9/1h}
			  address: {paths: /open, thresholds: 9/1h}
			  tuple: {key: ['path:org', 'header:X-Api-Key'], paths: '/v1/{org}', thresholds: 9/1h}
			  idle: {enabled: false, thresholds: 9/1h}
			  all: {key: global, thresholds: 9/1h}
			  planned:
			    key: header:X-Api-Key
			    thresholds: 5/1h
			    plan-key: header:X-Plan
			    plans: {gold: 50/1h, staff: unlimited}
			    overrides:
			      - {key: acme, thresholds: 500/1h}
			      - {key: mallory, thresholds: blocked}
			""";

	private static JsonNode json(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	static String error(HttpResponse<String> response, int status) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return JsonMapper.shared().readTree(response.body()).get("error").asString();
	}

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + "ratelimit.deny-cache: 1m\n" + UNRESTRICTED + RULES);
	}

	private static Map<String, String> dumps(String rule) {
		Map<String, String> dumps = new HashMap<>();
		for (String key : keys(rule)) {
			dumps.put(key, SharedCluster.dumpAndExpiry(key));
		}
		return dumps;
	}

	private static Set<String> keys(String rule) {
		return SharedCluster.keys(app.prefix())
			.stream()
			.filter((key) -> key.contains("{" + rule + ":"))
			.collect(Collectors.toSet());
	}

	private static JsonNode window(String client) {
		return json(app.get(ENDPOINT + "/" + client)).get("windows").get(0);
	}

	private static long used(String client) {
		return window(client).get("used").asLong();
	}

	private static boolean tryAcquire(String rule, String customer) {
		return app.bean(RateLimiter.class).tryAcquire(rule, customer).isAllowed();
	}

	private static String hash(String rule, String customer) {
		return json(app.get(ENDPOINT + "/" + rule + "?key=" + customer)).get("client").asString();
	}

	@Test
	void aRuleIsShownAloneWithItsSource() {
		JsonNode rule = json(app.get(ENDPOINT + "/tokens"));
		assertThat(rule.get("rule").get("algorithm").asString()).isEqualTo("token-bucket");
		assertThat(rule.get("source").asString()).isEqualTo("environment");
		assertThat(error(app.get(ENDPOINT + "/tokenz"), 404)).isEqualTo("There is no rule 'tokenz'. The rules are: "
				+ "[address, all, counter, counting-log, fixed, idle, intervals, keyed, leak, leased, log, "
				+ "narrow, planned, synced, tokens, tuple, wide]");
	}

	@Test
	void theTotalsSinceTheStartAreReportedForEachRule() {
		app.statuses(3, "GET", "/product/1");
		JsonNode totals = json(app.get(ENDPOINT)).get("totals");
		assertThat(totals.get("narrow").toString())
			.isEqualTo("{\"allowed\":2,\"rejected\":1,\"delayed\":0,\"released\":0,\"skipped\":0,\"enqueued\":0}");
		assertThat(totals.get("wide").toString())
			.isEqualTo("{\"allowed\":2,\"rejected\":0,\"delayed\":0,\"released\":1,\"skipped\":0,\"enqueued\":0}");
		assertThat(totals.get("keyed").get("skipped").asLong()).isEqualTo(3);
		assertThat(json(app.get(ENDPOINT + "/narrow")).get("totals")).isEqualTo(totals.get("narrow"));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "log", "counting-log", "counter", "fixed", "tokens", "intervals", "leak", "leased", "synced" })
	@DisplayName("A look at a client shows what its windows hold and takes nothing: DUMP and expiry stay as they are")
	void aLookTakesNothing(String rule) {
		while (tryAcquire(rule, "watched")) {
			assertThat(keys(rule)).isNotEmpty();
		}
		Map<String, String> before = dumps(rule);
		JsonNode window = window(rule + "?key=watched");
		assertThat(window.get("remaining").asLong()).isZero();
		assertThat(window.get("used").asLong()).isEqualTo(window.get("threshold").asLong());
		assertThat(window.get("retryInMillis").asLong()).isPositive();
		assertThat(window.get("resetInMillis").asLong()).isGreaterThanOrEqualTo(window.get("retryInMillis").asLong());
		assertThat(used(rule + "/" + hash(rule, "watched"))).isEqualTo(window.get("used").asLong());
		assertThat(used(rule + "?key=nobody")).isZero();
		assertThat(dumps(rule)).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "log", "counting-log", "counter", "fixed", "tokens", "intervals", "leak", "leased", "synced" })
	@DisplayName("A reset acts at once on its own instance, whatever that has cached")
	void aResetFreesAtOnce(String rule) {
		assertThat(tryAcquire(rule, "neighbour")).isTrue();
		while (tryAcquire(rule, "customer")) {
			assertThat(keys(rule)).isNotEmpty();
		}
		assertThat(tryAcquire(rule, "customer")).isFalse();
		String hash = hash(rule, "customer");
		assertThat(keys(rule)).anyMatch((key) -> key.contains(hash));
		assertThat(app.send("DELETE", ENDPOINT + "/" + rule + "/" + hash).statusCode()).isEqualTo(204);
		assertThat(keys(rule)).isNotEmpty().noneMatch((key) -> key.contains(hash));
		assertThat(tryAcquire(rule, "customer")).isTrue();
		assertThat(app.send("DELETE", ENDPOINT + "/" + rule + "?key=customer").statusCode()).isEqualTo(204);
		assertThat(used(rule + "?key=customer")).isZero();
		assertThat(used(rule + "?key=neighbour")).isPositive();
	}

	@Test
	void permitsThatThisInstanceHoldsForAClientAreReported() {
		tryAcquire("leased", "holder");
		long leased = json(app.get(ENDPOINT + "/leased?key=holder")).get("leased").asLong();
		assertThat(leased).isPositive();
		assertThat(used("leased?key=holder")).as("the spent permit and the leased ones").isEqualTo(1 + leased);
		for (int i = 0; i < 3; i++) {
			tryAcquire("synced", "holder");
		}
		JsonNode synced = json(app.get(ENDPOINT + "/synced?key=holder"));
		assertThat(synced.get("unsynced").asLong()).isEqualTo(2);
		assertThat(used("synced?key=holder")).isEqualTo(1);
		assertThat(json(app.get(ENDPOINT + "/log?key=holder")).has("leased")).isFalse();
	}

	@Test
	@DisplayName("Addresses are hashes unless show-values allows them, and never look like those of anything else")
	void anAddressIsShownOnlyIfThatIsAllowed() {
		app.get("/open");
		HttpResponse<String> response = app.get(ENDPOINT + "/address?key=127.0.0.1");
		assertThat(response.body()).doesNotContain("127.0.0.1");
		JsonNode client = json(response);
		assertThat(client.get("windows").get(0).get("used").asLong()).isEqualTo(1);
		String hash = client.get("client").asString();
		assertThat(hash).matches("a[A-Za-z0-9_-]{22}")
			.isEqualTo(app.bean(SubjectEncoder.class).hash(new Subject("i127.0.0.1")));
		assertThat(json(app.get(ENDPOINT + "/address/" + hash)).get("client").asString()).isEqualTo(hash);
		assertThat(error(app.get(ENDPOINT + "/address/a" + "A".repeat(22)), 404))
			.contains("knows no client of rule 'address'", "?key=");
		assertThat(json(app.get(ENDPOINT + "/address?ip=127.0.0.1")).get("client").asString()).isEqualTo(hash);
		try (App open = start("show-values: always")) {
			open.get("/open");
			assertThat(json(open.get(ENDPOINT + "/address?key=127.0.0.1")).get("address").asString())
				.isEqualTo("127.0.0.1");
			assertThat(json(open.get(ENDPOINT + "/address")).get("heaviestClients").get(0).get("address").asString())
				.isEqualTo("127.0.0.1");
		}
	}

	private static App start(String setting) {
		return App.start(SharedCluster.yaml() + "management.endpoint.ratelimits." + setting + "\n" + RULES);
	}

	@Test
	void anInvalidRequestIsRefusedWithAnExplanation() {
		assertThat(error(app.get(ENDPOINT + "/tuple?key=acme"), 400))
			.startsWith("Rule 'tuple' counts by [path:org, header:X-Api-Key]: give 2 value(s) in ?key=");
		assertThat(error(app.send("DELETE", ENDPOINT + "/tuple"), 400)).startsWith("Rule 'tuple' counts by");
		assertThat(error(app.get(ENDPOINT + "/idle?key=a"), 400))
			.isEqualTo("Rule 'idle' counts no client, as it is disabled. Set ratelimit.rules.idle.enabled to true");
		assertThat(error(app.get(ENDPOINT + "/none?key=a"), 404)).startsWith("There is no rule 'none'.");
		assertThat(error(app.send("DELETE", ENDPOINT + "/none/g"), 404)).startsWith("There is no rule 'none'.");
		assertThat(error(app.get(ENDPOINT + "/tuple/nonsense"), 404)).contains("'nonsense'");
		RateLimiter limiter = app.bean(RateLimiter.class);
		limiter.tryAcquire("tuple", "acme", "k-1");
		JsonNode client = json(app.get(ENDPOINT + "/tuple?key=acme,k-1"));
		assertThat(client.get("windows").get(0).get("used").asLong()).isEqualTo(1);
		assertThat(json(app.get(ENDPOINT + "/tuple?key=acme&key=k-1")).get("client")).isEqualTo(client.get("client"));
		limiter.tryAcquire("all");
		assertThat(used("all/g")).isEqualTo(1);
		assertThat(app.send("DELETE", ENDPOINT + "/all").statusCode()).isEqualTo(204);
		assertThat(used("all/g")).isZero();
	}

	@Test
	void plansAndOverridesAreThoseOfTheClient() {
		String planned = "planned?key=";
		assertThat(threshold(planned + "somebody")).isEqualTo(5);
		assertThat(threshold(planned + "somebody&plan=Gold")).isEqualTo(50);
		assertThat(threshold(planned + "acme")).isEqualTo(500);
		assertThat(threshold("planned/" + hash("planned", "acme"))).as("by hash too").isEqualTo(500);
		assertThat(allowance(planned + "somebody&plan=staff")).isEqualTo("unlimited");
		assertThat(allowance(planned + "mallory")).isEqualTo("blocked");
	}

	private static long threshold(String client) {
		return window(client).get("threshold").asLong();
	}

	private static String allowance(String client) {
		return json(app.get(ENDPOINT + "/" + client)).get("allowance").asString();
	}

	@Test
	@DisplayName("P15: by default the endpoint is not on the web, and with it nothing can be changed")
	void nothingIsChangedUnlessAccessAllowsIt() {
		try (App readOnly = start("show-values: when-authorized")) {
			readOnly.bean(RateLimiter.class).tryAcquire("log", "customer");
			Set<String> keys = SharedCluster.keys(readOnly.prefix());
			String hash = json(readOnly.get(ENDPOINT + "/log?key=customer")).get("client").asString();
			assertThat(readOnly.send("DELETE", ENDPOINT + "/log/" + hash).statusCode()).isEqualTo(405);
			assertThat(readOnly.send("DELETE", ENDPOINT + "/log?key=customer").statusCode()).isEqualTo(405);
			assertThat(SharedCluster.keys(readOnly.prefix())).isEqualTo(keys);
			assertThat(json(readOnly.get(ENDPOINT + "/address?key=127.0.0.1")).has("address"))
				.as("nobody is authorized")
				.isFalse();
		}
		try (App closed = start("access: none")) {
			assertThat(closed.get(ENDPOINT).statusCode()).isEqualTo(404);
			assertThat(closed.context().getBeansOfType(Insights.class)).as("nothing is recorded").isEmpty();
		}
	}

}
