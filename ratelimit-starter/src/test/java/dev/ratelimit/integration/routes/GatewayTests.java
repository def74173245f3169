package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of {@code docs/gateway.md}: an application that limits and forwards, in
 * front of one that has no limits or limits of its own.
 */
@ExtendWith(SharedCluster.class)
class GatewayTests {

	private static final String RULES = """
			ratelimit:
			  trusted-proxies: 127.0.0.1
			  rules:
			    per-address: {paths: /api/**, key: ip, thresholds: 3/10m}
			    per-tenant: {paths: /api/**, key: 'header:X-Tenant', on-missing-key: deny, thresholds: 2/10m}
			    login: {paths: /api/login, key: global, thresholds: 2/10m}
			gateway.server: http://127.0.0.1:%d
			""";

	private static final AtomicInteger TESTS = new AtomicInteger();

	private static App server;

	private static App gateway;

	private final int number = TESTS.incrementAndGet();

	/** A client that no other test uses. */
	private final String client = "203.0.113." + this.number;

	private final String other = "192.0.2." + this.number;

	@BeforeAll
	static void start() {
		server = App.start(SharedCluster.yaml() + """
				ratelimit:
				  trusted-proxies: 127.0.0.1
				  rules:
				    orders: {paths: /api/orders, key: ip, thresholds: 2/10m}
				""", Server.class);
		gateway = App.start(SharedCluster.yaml() + RULES.formatted(server.port()), GatewayController.class);
	}

	@AfterAll
	static void stop() {
		gateway.close();
		server.close();
	}

	@BeforeEach
	void clearSeen() {
		seen().clear();
	}

	private HttpResponse<String> get(String path, String client, String tenant) {
		return gateway.get(path, "X-Forwarded-For", client, "X-Tenant", tenant + "-of-test-" + this.number);
	}

	private static List<String> seen() {
		return server.bean(Server.class).seen;
	}

	@Test
	@DisplayName("3.1 In a gateway, a refused request never reaches the server behind it")
	void aRefusedRequestNeverReachesTheServer() {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			statuses.add(get("/api/items", this.client, "acme").statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 429, 429, 429);
		assertThat(seen()).hasSize(2);
	}

	@Test
	void addressesAreCountedByTheHeaderOfTheProxyInFrontAndPassedOn() {
		for (int i = 0; i < 3; i++) {
			assertThat(get("/api/items", this.client, "tenant-" + i).statusCode()).isEqualTo(200);
		}
		assertThat(get("/api/items", this.client, "tenant-4").body()).contains("per-address");
		assertThat(get("/api/items", this.other, "tenant-4").statusCode()).isEqualTo(200);
		String host = "127.0.0.1:" + gateway.port();
		assertThat(seen()).hasSize(4)
			.startsWith("GET /api/items for " + this.client + ", 127.0.0.1 by http at " + host)
			.endsWith("GET /api/items for " + this.other + ", 127.0.0.1 by http at " + host);
	}

	@Test
	void aSpoofedForwardedForPrefixIsIgnored() {
		for (int i = 0; i < 3; i++) {
			String claimed = "198.51.100." + i + ", " + this.client;
			assertThat(get("/api/items", claimed, "tenant-" + i).statusCode()).isEqualTo(200);
		}
		assertThat(get("/api/items", "198.51.100.9, " + this.client, "tenant-9").statusCode()).isEqualTo(429);
	}

	@Test
	void aServerWithLimitsOfItsOwnCountsTheClientAndNotTheGateway() {
		assertThat(get("/api/orders", this.client, "a").statusCode()).isEqualTo(200);
		assertThat(get("/api/orders", this.client, "b").statusCode()).isEqualTo(200);
		HttpResponse<String> refused = get("/api/orders", this.client, "c");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).contains("orders");
		assertThat(get("/api/orders", this.other, "d").statusCode()).isEqualTo(200);
		assertThat(seen()).hasSize(3);
	}

	@Test
	void theAnswerIsTheServersAndTheLimitsAreTheGateways() {
		HttpResponse<String> answer = gateway.get("/api/items?color=b%2Fw", "X-Tenant", "acme");
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo("GET color=b%2Fw");
		assertThat(answer.headers().firstValue("X-RateLimit-Remaining")).contains("1");
		assertThat(answer.headers().allValues("X-RateLimit-Limit")).containsExactly("2");
	}

	@Test
	void aRequestWithoutATenantIsRefusedAtTheGateway() {
		assertThat(gateway.get("/api/items").statusCode()).isEqualTo(403);
		assertThat(seen()).isEmpty();
	}

	@Test
	void noSpellingOfAPathBypassesARule() {
		List<Integer> statuses = new ArrayList<>();
		for (String path : List.of("/api/login", "/api/log%69n;x=1", "/api//login", "/api/./login", "/api/%2e/login",
				"/api/;x/login", "/api/x/../login", "/api/x/%2e%2e/login", "/api/x/..;/login", "/api/%252e/login",
				"/api/%20/login", "/api/login/", "/api/login//", "/api/login/.", "/api/login/x/..", "/api/login")) {
			statuses.add(get(path, "198.51.100." + (100 + statuses.size()), path).statusCode());
		}
		assertThat(statuses).startsWith(200, 200, 404).endsWith(404, 429);
		assertThat(statuses.subList(2, statuses.size() - 1)).containsOnly(404);
		assertThat(seen()).hasSize(2).allSatisfy((request) -> assertThat(request).startsWith("GET /api/login for "));
	}

	@Test
	void thePageShowsTheController() throws IOException {
		String source = Files
			.readString(Path.of("src/test/java/dev/ratelimit/integration/routes/GatewayController.java"));
		assertThat(Path.of("../docs/gateway.md")).content()
			.contains(source.substring(source.indexOf("@RestController")));
	}

	@Test
	void segmentsArePassedOnAsTheyWereMatched() {
		assertThat(get("/api/caf%C3%A9%20%7Bx%7D;a=b/+1", this.client, "acme").statusCode()).isEqualTo(200);
		assertThat(seen()).singleElement().asString().startsWith("GET /api/caf%C3%A9%20%7Bx%7D/+1 for ");
	}

	@RestController
	static class Server {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@RequestMapping("/api/**")
		ResponseEntity<String> answer(HttpServletRequest request) {
			this.seen.add("%s %s for %s by %s at %s".formatted(request.getMethod(), request.getRequestURI(),
					request.getHeader("X-Forwarded-For"), request.getHeader("X-Forwarded-Proto"),
					request.getHeader("X-Forwarded-Host")));
			return ResponseEntity.ok(request.getMethod() + " " + request.getQueryString());
		}

	}

}
