package dev.ratelimit.integration;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of {@code docs/gateway.md}: an application that limits and forwards, before
 * one that knows nothing of limits or has limits of its own.
 */
@ExtendWith(SharedCluster.class)
class GatewayTests {

	private static final String RULES = """
			ratelimit:
			  trusted-proxies: 127.0.0.1
			  rules:
			    per-address: {paths: /api/**, key: ip, thresholds: 3/10m}
			    per-tenant: {paths: /api/**, key: 'header:X-Tenant', on-missing-key: deny, thresholds: 2/10m}
			gateway.server: http://127.0.0.1:%d
			""";

	private App server;

	private App gateway;

	@BeforeEach
	void start() {
		this.server = App.start(SharedCluster.yaml() + """
				ratelimit:
				  trusted-proxies: 127.0.0.1
				  rules:
				    orders: {paths: /api/orders, key: ip, thresholds: 2/10m}
				""", Server.class);
		this.gateway = App.start(SharedCluster.yaml() + RULES.formatted(this.server.port()), GatewayController.class);
	}

	@AfterEach
	void stop() {
		this.gateway.close();
		this.server.close();
	}

	private HttpResponse<String> get(String path, String client, String tenant) {
		return this.gateway.get(path, "X-Forwarded-For", client, "X-Tenant", tenant);
	}

	private List<String> seen() {
		return this.server.bean(Server.class).seen;
	}

	@Test
	void aRefusedRequestNeverReachesTheServer() {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			statuses.add(get("/api/items", "203.0.113.1", "acme").statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 429, 429, 429);
		assertThat(seen()).hasSize(2);
	}

	@Test
	void addressesAreCountedByTheHeaderOfTheProxyInFrontAndPassedOn() {
		for (int i = 0; i < 3; i++) {
			assertThat(get("/api/items", "203.0.113.1", "tenant-" + i).statusCode()).isEqualTo(200);
		}
		assertThat(get("/api/items", "203.0.113.1", "tenant-4").body()).contains("per-address");
		assertThat(get("/api/items", "203.0.113.2", "tenant-4").statusCode()).isEqualTo(200);
		String gateway = "127.0.0.1:" + this.gateway.port();
		assertThat(seen()).hasSize(4)
			.startsWith("GET /api/items for 203.0.113.1, 127.0.0.1 by http at " + gateway)
			.endsWith("GET /api/items for 203.0.113.2, 127.0.0.1 by http at " + gateway);
	}

	@Test
	void whoClaimsToBeSomebodyElseIsCountedAllTheSame() {
		for (int i = 0; i < 3; i++) {
			String claimed = "198.51.100." + i + ", 203.0.113.1";
			assertThat(get("/api/items", claimed, "tenant-" + i).statusCode()).isEqualTo(200);
		}
		assertThat(get("/api/items", "198.51.100.9, 203.0.113.1", "tenant-9").statusCode()).isEqualTo(429);
	}

	@Test
	void aServerWithLimitsOfItsOwnCountsTheClientAndNotTheGateway() {
		assertThat(get("/api/orders", "203.0.113.1", "a").statusCode()).isEqualTo(200);
		assertThat(get("/api/orders", "203.0.113.1", "b").statusCode()).isEqualTo(200);
		HttpResponse<String> refused = get("/api/orders", "203.0.113.1", "c");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).contains("orders");
		assertThat(get("/api/orders", "203.0.113.2", "d").statusCode()).isEqualTo(200);
		assertThat(seen()).hasSize(3);
	}

	@Test
	void theAnswerIsTheServersAndTheLimitsAreTheGateways() {
		HttpResponse<String> answer = this.gateway.get("/api/items?color=b%2Fw", "X-Tenant", "acme");
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo("GET color=b%2Fw");
		assertThat(answer.headers().firstValue("X-RateLimit-Remaining")).contains("1");
		assertThat(answer.headers().allValues("X-RateLimit-Limit")).containsExactly("2");
	}

	@Test
	void whoNamesNoTenantIsRefusedAtTheGateway() {
		assertThat(this.gateway.get("/api/items").statusCode()).isEqualTo(403);
		assertThat(seen()).isEmpty();
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
