package dev.ratelimit.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample application as the goal {@code process-aot} has prepared it, without
 * conditions, classes to scan or annotations to read at run time: its limits are enforced
 * nevertheless.
 */
@Tag("proof-aot")
class AotProof {

	private static SampleProcess application;

	private final HttpClient client = HttpClient.newHttpClient();

	@BeforeAll
	static void start() {
		application = SampleProcess.start("-Dspring.aot.enabled=true");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	private HttpResponse<String> send(String method, String path, String body) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(application.url() + path))
			.header("Content-Type", "application/json")
			.method(method, BodyPublishers.ofString(body))
			.build();
		return this.client.send(request, BodyHandlers.ofString());
	}

	@Test
	void theContextIsTheOneOfTheBuild() {
		assertThat(application.log()).contains("Starting AOT-processed SampleApplication");
	}

	@Test
	void rulesOfTheConfigurationLimit() throws Exception {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			statuses.add(send("GET", "/hello", "").statusCode());
		}
		System.out.println("AOT: /hello answered " + statuses);
		assertThat(statuses).containsExactly(200, 200, 200, 429);
	}

	@Test
	void anAnnotatedBeanLimits() throws Exception {
		String message = "{\"sender\":\"alice\",\"text\":\"You won the lottery\"}";
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			statuses.add(send("POST", "/messages", message).statusCode());
		}
		System.out.println("AOT: an annotated bean answered " + statuses);
		assertThat(statuses.get(0)).isLessThan(300);
		assertThat(statuses.get(1)).isEqualTo(429);
	}

	@Test
	void theEndpointShowsTheRules() throws Exception {
		assertThat(send("GET", "/actuator/ratelimits", "").body()).contains("\"id\":\"hello\"",
				"\"id\":\"list-offers\"");
	}

	@Test
	void theDocumentShowsTheLimits() throws Exception {
		assertThat(send("GET", "/v3/api-docs", "").body()).contains("\"429\"", "\"x-ratelimit\":[{\"rule\":\"hello\"");
	}

}
