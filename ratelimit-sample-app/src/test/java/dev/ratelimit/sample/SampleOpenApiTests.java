package dev.ratelimit.sample;

import java.util.List;
import java.util.stream.StreamSupport;

import org.json.JSONObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The OpenAPI document of the sample shows its limits, and is not limited itself.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SampleOpenApiTests {

	@LocalServerPort
	private int port;

	private RestTestClient client;

	private JSONObject paths;

	@BeforeEach
	void read() {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
		String document = this.client.get()
			.uri("/v3/api-docs")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		this.paths = new JSONObject(document).getJSONObject("paths");
	}

	private JSONObject operation(String method, String path) {
		return this.paths.getJSONObject(path).getJSONObject(method);
	}

	private List<String> rules(String method, String path) {
		return StreamSupport.stream(operation(method, path).getJSONArray("x-ratelimit").spliterator(), false)
			.map((rule) -> ((JSONObject) rule).getString("rule"))
			.toList();
	}

	@Test
	void eachLimitedOperationHasTheResponseOfARefusal() {
		JSONObject refusal = operation("get", "/hello").getJSONObject("responses").getJSONObject("429");
		assertThat(refusal.getJSONObject("headers").keySet()).containsExactlyInAnyOrder("Retry-After",
				"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Retry-After",
				"RateLimit-Policy", "RateLimit");
		assertThat(refusal.getJSONObject("content").keySet()).containsExactly("application/problem+json");
		assertThat(operation("get", "/hello").getJSONArray("x-ratelimit").toString())
			.isEqualTo("[{\"policies\":[{\"q\":3,\"w\":10,\"name\":\"hello\"}],\"rule\":\"hello\"}]");
	}

	@Test
	void eachOperationHasTheRulesThatCoverIt() {
		String product = "/v1/organizations/{orgId}/product/{id}";
		assertThat(rules("get", product)).containsExactlyInAnyOrder("address", "get-product");
		assertThat(rules("put", product)).containsExactlyInAnyOrder("address", "put-product");
		assertThat(rules("get", "/offers")).as("none in shadow").containsExactlyInAnyOrder("address", "list-offers");
		assertThat(rules("post", "/messages")).as("none of another bean").containsExactly("send-message");
		assertThat(operation("post", "/orders").getJSONObject("responses").keySet()).contains("202", "429");
	}

	@Test
	void noRuleCoversTheDocumentAndItsPage() {
		for (String path : List.of("/v3/api-docs", "/swagger-ui/index.html")) {
			this.client.get().uri(path).exchangeSuccessfully().expectHeader().doesNotExist("RateLimit-Policy");
		}
	}

}
