package dev.ratelimit.memcached;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What callers, operators and the health see of limits in Memcached.
 */
class OperatorTests {

	private MemcachedServer server;

	private TestApplication application;

	@BeforeEach
	void start() {
		this.server = MemcachedServer.start();
		this.application = new TestApplication(this.server, "ratelimit.rules.login.paths=/login",
				"ratelimit.rules.login.key=header:Client", "ratelimit.rules.login.algorithm=fixed-window",
				"ratelimit.rules.login.thresholds=2/1h", "ratelimit.rules.login.overrides[0].key=bob",
				"ratelimit.rules.login.overrides[0].thresholds=1/2h", "ratelimit.rules.login.on-store-failure=deny",
				"management.endpoints.web.exposure.include=*", "management.endpoint.health.show-details=always",
				"management.endpoint.ratelimits.access=unrestricted");
	}

	@AfterEach
	void stop() {
		if (this.application != null) {
			this.application.close();
			this.server.close();
		}
	}

	@Test
	void aClientIsLimitedShownAndReset() {
		assertThat(this.application.get("/login", "alice").headers().firstValue("X-RateLimit-Remaining")).hasValue("1");
		assertThat(this.application.get("/login", "alice").statusCode()).isEqualTo(200);
		HttpResponse<String> refused = this.application.get("/login", "alice");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(3590L, 3601L);
		assertThat(this.application.get("/actuator/ratelimits/login?key=alice", "").body())
			.contains("\"threshold\":2,\"window\":\"1h\",\"used\":2,\"remaining\":0");
		assertThat(this.application.delete("/actuator/ratelimits/login?key=alice").statusCode()).isBetween(200, 204);
		assertThat(this.application.get("/login", "alice").statusCode()).isEqualTo(200);
	}

	/** Each window has a key of its own. */
	@Test
	void aClientWithOtherWindowsIsResetToo() {
		assertThat(this.application.get("/login", "bob").statusCode()).isEqualTo(200);
		assertThat(this.application.get("/login", "bob").statusCode()).isEqualTo(429);
		assertThat(this.application.delete("/actuator/ratelimits/login?key=bob").statusCode()).isBetween(200, 204);
		assertThat(this.application.get("/login", "bob").statusCode()).isEqualTo(200);
	}

	@Test
	void theHealthNamesTheStoreAndStaysUpWithoutIt() {
		assertThat(this.application.get("/actuator/health", "").body())
			.contains("\"store\":\"Memcached at 127.0.0.1:" + this.server.port() + "\"", "\"state\":\"answering\"");
		this.server.kill();
		assertThat(this.application.get("/login", "alice").statusCode()).isEqualTo(503);
		HttpResponse<String> health = this.application.get("/actuator/health", "");
		assertThat(health.statusCode()).isEqualTo(200);
		assertThat(health.body()).contains("\"state\":\"degraded\"", "\"reason\":\"unreachable\"");
	}

}
