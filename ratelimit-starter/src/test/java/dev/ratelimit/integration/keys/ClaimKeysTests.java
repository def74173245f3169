package dev.ratelimit.integration.keys;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules that count by a claim of the user's JWT, behind Spring Security as a resource
 * server sets it up.
 */
class ClaimKeysTests {

	private static final String YAML = """
			ratelimit.rules:
			  by-tenant: {paths: '/product/*', key: 'claim:tenant', thresholds: 2/10m}
			  strict: {paths: /v1/product, key: 'claim:https://example.com/org', on-missing-key: deny, thresholds: 2/10m}
			  planned: {paths: /v2/product, key: principal, plan-key: 'claim:plan', thresholds: 1/10m, plans: {paid: 3/10m}}
			""";

	private static final SecretKey OURS = key("the secret that both sides know.");

	private static final SecretKey FORGED = key("a secret that somebody made up..");

	private static App app;

	@BeforeAll
	static void start() {
		app = App.startSecured(YAML, ResourceServer.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	@BeforeEach
	void resetStore() {
		app.bean(RecordingMemoryStore.class).reset();
	}

	@Test
	@DisplayName("2.10, 3.2 Each OAuth2 client, by a claim of its tokens, has one bucket for all its users")
	void eachValueOfAClaimHasItsOwnBucketForAllUsers() {
		assertThat(status("/product/1", Map.of("sub", "alice", "tenant", "t1"))).isEqualTo(200);
		assertThat(status("/product/1", Map.of("sub", "bob", "tenant", "t1"))).isEqualTo(200);
		assertThat(status("/product/1", Map.of("sub", "alice", "tenant", "t1"))).isEqualTo(429);
		assertThat(status("/product/1", Map.of("sub", "alice", "tenant", "t2"))).isEqualTo(200);
	}

	@Test
	void aNumberIsNotTheTextOfItsDigits() {
		for (Object tenant : List.of(7, "7", "number:7", true, "true")) {
			for (int expected : new int[] { 200, 200, 429 }) {
				assertThat(status("/product/1", Map.of("tenant", tenant))).as("%s", tenant).isEqualTo(expected);
			}
		}
	}

	@Test
	void codeThatAcquiresWithTheSameValueCountsInTheSameBucket() {
		RateLimiter limiter = app.bean(RateLimiter.class);
		assertThat(status("/product/1", Map.of("tenant", "t1"))).isEqualTo(200);
		assertThat(status("/product/1", Map.of("tenant", 7))).isEqualTo(200);
		assertThat(limiter.tryAcquire("by-tenant", new String[] { "t1" }, 2).isAllowed()).isFalse();
		assertThat(limiter.tryAcquire("by-tenant", new String[] { "number:7" }, 2).isAllowed()).isFalse();
		assertThat(limiter.tryAcquire("by-tenant", new String[] { "7" }, 2).isAllowed()).isTrue();
	}

	@Test
	void aTokenWithoutAUsableClaimIsCountedByAddress() {
		assertThat(status("/product/1", Map.of("sub", "alice"))).isEqualTo(200);
		assertThat(status("/product/1", Map.of("sub", "bob", "tenant", List.of("t1", "t2")))).isEqualTo(200);
		assertThat(status("/product/1", Map.of("sub", "carol", "tenant", " "))).isEqualTo(429);
		assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).containsOnly("by-tenant i127.0.0.1").hasSize(3);
	}

	@Test
	void aRuleCanRequireTheClaim() {
		assertThat(status("/v1/product", Map.of("sub", "alice"))).isEqualTo(403);
		assertThat(status("/v1/product", Map.of("https://example.com/org", "acme"))).isEqualTo(200);
	}

	@Test
	void aPlanMayBeAClaim() {
		for (int expected : new int[] { 200, 429 }) {
			assertThat(status("/v2/product", Map.of("sub", "alice"))).isEqualTo(expected);
		}
		for (int expected : new int[] { 200, 200, 200, 429 }) {
			assertThat(status("/v2/product", Map.of("sub", "bob", "plan", "paid"))).isEqualTo(expected);
		}
	}

	@Test
	void aTokenWithAForgedSignatureIsNotCounted() {
		String forged = token(FORGED, Map.of("tenant", "t1"));
		assertThat(app.get("/product/1", "Authorization", forged).statusCode()).isEqualTo(401);
		assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).isEmpty();
	}

	@Test
	void anAnnotatedMethodCountsByTheClaimOfTheRequest() {
		for (int expected : new int[] { 200, 429 }) {
			assertThat(status("/report", Map.of("tenant", "t1"))).isEqualTo(expected);
		}
		assertThat(status("/report", Map.of("tenant", "t2"))).isEqualTo(200);
	}

	private static int status(String path, Map<String, Object> claims) {
		return app.get(path, "Authorization", token(OURS, claims)).statusCode();
	}

	private static String token(SecretKey key, Map<String, Object> claims) {
		JwtClaimsSet set = JwtClaimsSet.builder()
			.expiresAt(Instant.now().plusSeconds(3600))
			.claims((all) -> all.putAll(claims))
			.build();
		JwsHeader header = JwsHeader.with(MacAlgorithm.HS256).build();
		NimbusJwtEncoder encoder = new NimbusJwtEncoder(new ImmutableSecret<>(key));
		return "Bearer " + encoder.encode(JwtEncoderParameters.from(header, set)).getTokenValue();
	}

	private static SecretKey key(String secret) {
		return new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), "HmacSHA256");
	}

	@Configuration(proxyBeanMethods = false)
	static class ResourceServer {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.oauth2ResourceServer((server) -> server.jwt(Customizer.withDefaults()))
				.build();
		}

		@Bean
		JwtDecoder decoder() {
			return NimbusJwtDecoder.withSecretKey(OURS).build();
		}

		@Bean
		RecordingMemoryStore rateLimitStore() {
			return new RecordingMemoryStore(new MovableClock());
		}

		@Bean
		Reports reports() {
			return new Reports();
		}

		@Bean
		ReportController reportController(Reports reports) {
			return new ReportController(reports);
		}

	}

	static class Reports {

		@RateLimited(thresholds = "1/10m", key = "claim:tenant")
		public String write() {
			return "written";
		}

	}

	@RestController
	static class ReportController {

		private final Reports reports;

		ReportController(Reports reports) {
			this.reports = reports;
		}

		@GetMapping("/report")
		String report() {
			return this.reports.write();
		}

	}

}
