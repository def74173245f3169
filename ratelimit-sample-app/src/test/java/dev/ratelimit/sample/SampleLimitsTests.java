package dev.ratelimit.sample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * The sample's own rules, on its own embedded cluster.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.application.name=sample-limits")
@DirtiesContext
class SampleLimitsTests {

	@LocalServerPort
	private int port;

	private RestTestClient client;

	@BeforeEach
	void connect() {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	@Test
	@DisplayName("A person can exhaust /hello by hand: three pass, the fourth is refused")
	void helloAdmitsThree() {
		for (String remaining : new String[] { "2", "1", "0" }) {
			this.client.get()
				.uri("/hello")
				.exchangeSuccessfully()
				.expectHeader()
				.valueEquals("X-RateLimit-Remaining", remaining);
		}
		this.client.get()
			.uri("/hello")
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.exists("Retry-After")
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.violated-policies[0]")
			.isEqualTo("hello");
	}

	@Test
	@DisplayName("1.18 The article's rules for /v1/product and /v2/product are in force")
	void articlesRulesAreInForce() {
		this.client.get()
			.uri("/v1/product")
			.exchangeSuccessfully()
			.expectHeader()
			.valueEquals("RateLimit-Policy", "\"v1-product-2s\";q=500;w=2,\"v1-product-5s\";q=1000;w=5");
		this.client.get()
			.uri("/v2/product")
			.exchangeSuccessfully()
			.expectHeader()
			.valueEquals("RateLimit-Policy", "\"v2-product-3s\";q=400;w=3,\"v2-product-10s\";q=1100;w=10");
	}

	@Test
	@DisplayName("0.9 The article's limits per organization are in force: 1000 reads and 100 writes in ten seconds")
	void limitsPerOrganizationAreInForce() {
		this.client.get()
			.uri("/v1/organizations/acme/product/1")
			.exchangeSuccessfully()
			.expectHeader()
			.valueEquals("RateLimit-Policy", "\"get-product\";q=1000;w=10");
		this.client.put()
			.uri("/v1/organizations/acme/product/1")
			.exchangeSuccessfully()
			.expectHeader()
			.valueEquals("RateLimit-Policy", "\"put-product\";q=100;w=10");
	}

}
