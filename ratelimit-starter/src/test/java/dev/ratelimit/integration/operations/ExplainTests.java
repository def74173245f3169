package dev.ratelimit.integration.operations;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.StreamSupport;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code GET /actuator/ratelimits/explain}: which rules apply to a request, which do not
 * and why, and what the client that they would count has used.
 */
@ExtendWith(SharedCluster.class)
class ExplainTests {

	private static final String RULES = """
			ratelimit.exempt: {paths: /open, addresses: 10.1.0.0/16}
			ratelimit.rules:
			  any: {paths: '/**', thresholds: 9/1h}
			  tenant: {methods: GET, paths: '/v1/organizations/{org}/product/{id}', key: 'path:org', thresholds: 2/1h}
			  writing: {methods: 'PUT, POST', paths: '/v1/**', thresholds: 9/1h}
			  keyed: {paths: '/v1/**', key: 'header:X-Api-Key', on-missing-key: deny, thresholds: 9/1h}
			  tuple: {paths: '/v1/**', key: ['header:X-Api-Key', ip, 'cookie:id'], on-missing-key: skip, thresholds: 9/1h}
			  shared: {paths: '/v1/**', key: 'header:X-Api-Key', on-missing-key: shared, thresholds: 9/1h}
			  fallback: {paths: '/v1/**', key: 'header:X-Api-Key', shadow: true, thresholds: 9/1h}
			  conditional: {paths: '/v1/**', when: "headers['x-beta'] != null", thresholds: 9/1h}
			  idle: {enabled: false, paths: '/**', thresholds: 9/1h}
			  named: {thresholds: 9/1h}
			""";

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + RULES);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	private static HttpResponse<String> get(String query) {
		return app.get("/actuator/ratelimits/explain" + query);
	}

	private static JsonNode explained(String query, String rule) {
		HttpResponse<String> response = get(query);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return StreamSupport.stream(JsonMapper.shared().readTree(response.body()).get("rules").spliterator(), false)
			.filter((one) -> one.get("rule").asString().equals(rule))
			.findFirst()
			.orElseThrow();
	}

	private static String text(String query, String rule) {
		JsonNode explained = explained(query, rule);
		return explained.get("applies").asString() + ": " + explained.get("reason").asString();
	}

	private static String path(String path) {
		return "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8);
	}

	@ParameterizedTest(name = "{0} {1}")
	@CsvSource(delimiter = '|',
			textBlock = """
					&ip=10.0.0.1              | any      | yes: /** covers it
					''                        | tenant   | yes: /v1/organizations/{org}/product/{id} covers it
					&method=HEAD              | tenant   | yes: /v1/organizations/{org}/product/{id} covers it
					&method=put               | tenant   | no: the method PUT is none of [GET]
					&method=query             | tenant   | no: the method QUERY is none of [GET]
					&method=FOO               | tenant   | yes: /v1/organizations/{org}/product/{id} covers it
					&method=GET               | writing  | no: the method GET is none of [POST, PUT]
					&key=k-1                  | keyed    | yes: /v1/** covers it
					''                        | keyed    | yes: /v1/** covers it; the key [header:X-Api-Key] is not given in key or ip; without it, the rule refuses (on-missing-key is deny)
					&key=k-1                  | tuple    | no: /v1/** covers it; the key [header:X-Api-Key, ip, cookie:id] is not given in key or ip; without it, the rule does not apply (on-missing-key is skip)
					&key=k-1,c-1&ip=10.0.0.1  | tuple    | yes: /v1/** covers it
					''                        | shared   | yes: /v1/** covers it; the key [header:X-Api-Key] is not given in key or ip; without it, the rule counts all such requests together (on-missing-key is shared)
					&ip=10.0.0.1              | fallback | yes: /v1/** covers it; the key [header:X-Api-Key] is not given in key or ip; without it, the rule counts by the address (on-missing-key is ip)
					&ip=10.0.0.1              | conditional | unknown: /v1/** covers it; whether its condition holds, headers['x-beta'] != null, is not known without a request
					''                        | idle     | no: it is disabled
					''                        | named    | unknown: it has no paths: it applies only where code names it
					&ip=10.1.2.3              | any      | no: the address is exempt by ratelimit.exempt.addresses
					""")
	void everyRuleIsExplainedByWhetherItAppliesAndWhy(String query, String rule, String expected) {
		assertThat(text(path("/v1/organizations/7/product/1") + query, rule)).isEqualTo(expected);
	}

	@Test
	void aRuleThatDoesNotApplyToAPathIsExplainedByItsPatternsOrByTheExemption() {
		assertThat(text(path("/product/1"), "tenant"))
			.isEqualTo("no: the path matches none of [/v1/organizations/{org}/product/{id}]");
		assertThat(text(path("/product/1") + "&method=POST", "tenant")).isEqualTo(
				"no: the method POST is none of [GET]; the path matches none of [/v1/organizations/{org}/product/{id}]");
		assertThat(text(path("/open"), "any")).isEqualTo("no: the path is exempt by ratelimit.exempt.paths");
		assertThat(text(path("/actuator/health"), "any")).isEqualTo(
				"no: paths of Actuator are left out unless a pattern starts with that of an endpoint or with the base path");
	}

	@Test
	@DisplayName("The windows of the client that a rule would count are shown, and no look takes anything")
	void theClientThatARuleWouldCountIsLookedAt() {
		app.get("/v1/organizations/acme/product/1", "X-Api-Key", "k-2");
		app.get("/v1/organizations/acme/product/2", "X-Api-Key", "k-2");
		Set<String> keys = SharedCluster.keys(app.prefix());
		String query = path("/v1/organizations/acme/product/3?page=2") + "&ip=127.0.0.1&key=k-2";
		JsonNode window = explained(query, "tenant").get("client").get("windows").get(0);
		assertThat(window.get("used").asLong()).isEqualTo(2);
		assertThat(window.get("remaining").asLong()).isZero();
		assertThat(window.get("retryInMillis").asLong()).isPositive();
		assertThat(used(query, "keyed")).isEqualTo(2);
		assertThat(used(query, "any")).isGreaterThanOrEqualTo(2);
		assertThat(used(path("/v1/organizations/other/product/3"), "tenant")).isZero();
		assertThat(explained(query, "fallback").get("shadow").asBoolean()).isTrue();
		assertThat(explained(query, "idle").has("client")).isFalse();
		assertThat(get(query).body()).doesNotContain("127.0.0.1", "k-2");
		assertThat(SharedCluster.keys(app.prefix())).isEqualTo(keys);
	}

	private static long used(String query, String rule) {
		return explained(query, rule).get("client").get("windows").get(0).get("used").asLong();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/v1/organizations/a%20b/product/1", "/v1/organizations/a;x=1/product/1",
			"/v1/organizations/%C3%A4/product/1" })
	@DisplayName("The explanation looks at the client that the filter counts, however the path is spelt")
	void theExplanationAgreesWithTheFilter(String path) {
		long before = used(path(path), "tenant");
		assertThat(before).isZero();
		assertThat(app.get(path, "X-Api-Key", "k-3").statusCode()).isEqualTo(200);
		assertThat(used(path(path), "tenant")).isEqualTo(1);
	}

	@Test
	void aQueryThatDescribesNoRequestIsRefusedWithAnExplanation() {
		for (String query : new String[] { "", "?method=GET", "?path=product" }) {
			assertThat(get(query).statusCode()).isEqualTo(400);
			assertThat(get(query).body()).contains("Describe a request: ?path=");
		}
	}

	@Test
	void aNameInsteadOfAnAddressIsReported() {
		assertThat(get("?path=/&ip=localhost").statusCode()).isEqualTo(400);
		assertThat(get("?path=/&ip=localhost").body()).contains("'localhost' is no IP address");
		assertThat(app.get("/actuator/ratelimits/any?key=localhost").body()).contains("is no IP address");
		assertThat(app.get("/actuator/ratelimits/fallback?ip=localhost").body()).contains("is no IP address");
		assertThat(app.get("/actuator/ratelimits/fallback?key=localhost").statusCode()).isEqualTo(200);
	}

	@Test
	void theEndpointWorksOnAManagementPortToo() {
		try (App managed = App.start(SharedCluster.yaml() + "management.server.port: 0\n" + RULES)) {
			managed.get("/v1/organizations/acme/product/1", "X-Api-Key", "k-1");
			int port = managed.context().getEnvironment().getRequiredProperty("local.management.port", Integer.class);
			assertThat(App.send(port, "GET", "/actuator/ratelimits/keyed?key=k-1").body()).contains("\"used\":1");
			assertThat(App.send(port, "GET", "/actuator/ratelimits/explain?path=/v1/x&key=k-1").body())
				.contains("\"applies\":\"yes\"", "\"used\":1");
		}
	}

}
