package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.integration.support.TimedStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The article that lists the algorithms, over HTTP.
 */
@DisplayName("Article 3, the catalogue of algorithms")
@ExtendWith(SharedCluster.class)
class CatalogueHttpTests {

	private static final String RULES = """
			ratelimit.trusted-proxies: [127.0.0.1, '::1']
			ratelimit.rules:
			  posts: {paths: /product/post, key: 'header:X-User', algorithm: token-bucket, thresholds: 1/s}
			  friends: {paths: /product/friend, key: 'header:X-User', algorithm: token-bucket, thresholds: 150/day}
			  likes: {paths: /product/like, key: 'header:X-User', algorithm: token-bucket, thresholds: 5/s}
			  address: {paths: /open, key: ip, algorithm: token-bucket, thresholds: 2/s}
			  all: {paths: /open, key: global, algorithm: token-bucket, thresholds: 10000/s}
			  tenant: {paths: /product/1, key: ['header:X-Tenant', ip], thresholds: '2/1m, 9/1h'}
			  user: {paths: /product/1, key: 'header:X-User', thresholds: 1/1m}
			  premium: {paths: /product/1, thresholds: 1/1m, when: "headers['X-Plan'] == 'premium'"}
			  strict: {paths: /product/2, key: 'header:X-User', on-missing-key: deny, thresholds: 1/1m}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(RULES, TimedStore.class);
	}

	@Test
	@DisplayName("3.7 The body of a 429 names what was exceeded and when to retry, as the headers do, and no client")
	void theBodyNamesWhatWasExceededAndWhenToRetry() {
		try (App onRedis = App.start(SharedCluster.yaml() + """
				ratelimit.rules.search:
				  paths: /product/1
				  key: [header:X-User, ip]
				  thresholds: 2/1h, 5/1d
				""")) {
			onRedis.get("/product/1", "X-User", "alice");
			onRedis.get("/product/1", "X-User", "alice");
			HttpResponse<String> refused = onRedis.get("/product/1", "X-User", "alice");
			assertThat(refused.statusCode()).isEqualTo(429);
			String wait = refused.headers().firstValue("Retry-After").orElseThrow();
			assertThat(Integer.parseInt(wait)).isBetween(1, 3600);
			Map<?, ?> problem = JsonMapper.shared().readValue(refused.body(), Map.class);
			assertThat(problem.get("detail"))
				.isEqualTo("Quota search-1h is exceeded: 2 per 1 hour. Retry in " + wait + " seconds.");
			assertThat(problem.get("limit")).isEqualTo(2).hasToString(header(refused, "X-RateLimit-Limit"));
			assertThat(problem.get("retry-after")).hasToString(wait);
			assertThat(problem.get("violated-policies")).isEqualTo(List.of("search-1h"));
			assertThat(refused.body()).doesNotContain("alice", "127.0.0.1");
			HttpResponse<String> head = onRedis.send("HEAD", "/product/1", "X-User", "alice");
			assertThat(head.statusCode()).isEqualTo(429);
			assertThat(head.headers().firstValue("Retry-After")).isPresent();
			assertThat(head.body()).isEmpty();
		}
	}

	private static String header(HttpResponse<String> response, String name) {
		return response.headers().firstValue(name).orElseThrow();
	}

	@Test
	@DisplayName("3.10 A user has three buckets: a post a second, 150 friends a day, five likes a second")
	void aUserHasThreeBuckets() {
		assertThat(admitted("alice", "friend", 151)).isEqualTo(150);
		assertThat(admitted("alice", "post", 2)).as("friends take nothing from posts").isEqualTo(1);
		assertThat(admitted("alice", "like", 6)).as("posts take nothing from likes").isEqualTo(5);
		assertThat(admitted("bob", "friend", 1)).as("of another user").isEqualTo(1);
		app.bean(MovableClock.class).advance(Duration.ofSeconds(1));
		assertThat(admitted("alice", "friend", 1)).as("of a day").isZero();
		assertThat(admitted("alice", "post", 2)).isEqualTo(1);
		assertThat(admitted("alice", "like", 6)).isEqualTo(5);
	}

	@Test
	@DisplayName("3.11 Each address has a bucket, and all share a global one of 10,000 a second")
	void everyAddressHasABucketAndAllShareOne() {
		app.bean(RateLimiter.class).tryAcquire("all", new String[0], 9_997);
		assertThat(from("192.0.2.1", 3)).containsExactly(200, 200, 429);
		assertThat(from("192.0.2.2", 2)).as("another address, the last of all").containsExactly(200, 429);
		app.bean(MovableClock.class).advance(Duration.ofSeconds(1));
		assertThat(from("192.0.2.2", 3)).containsExactly(200, 200, 429);
	}

	private static List<Integer> from(String address, int times) {
		return Stream.generate(() -> app.get("/open", "X-Forwarded-For", address).statusCode()).limit(times).toList();
	}

	private static int admitted(String user, String what, int times) {
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < times; i++) {
			statuses.add(app.send("POST", "/product/" + what, "X-User", user).statusCode());
		}
		assertThat(statuses).containsAnyOf(200, 429).isSubsetOf(200, 429);
		return Collections.frequency(statuses, 200);
	}

	@Test
	@DisplayName("3.20 At DEBUG a request leaves one line per rule: rule, key source, decision and outcome, but no client")
	void aRequestLeavesALineAtDebug() {
		String[] client = { "X-Tenant", "acme", "X-User", "alice" };
		try (CapturedLog log = new CapturedLog(Level.INFO)) {
			app.get("/product/1", "X-Tenant", "other", "X-User", "bob");
			assertThat(log.events()).as("at INFO").isEmpty();
		}
		try (CapturedLog log = new CapturedLog(Level.DEBUG)) {
			app.get("/product/1", client);
			app.get("/product/1", client);
			app.get("/product/2");
			app.get("/v1/product");
			assertThat(log.events()).extracting(ILoggingEvent::getFormattedMessage)
				.containsExactly("Rule premium: skipped, as it does not apply",
						"Rule tenant, key [header:X-Tenant, ip]: allowed by memory; "
								+ "tenant-1m has 1 of 2 left; tenant-1h has 8 of 9 left",
						"Rule user, key [header:X-User]: allowed by memory; user has 0 of 1 left",
						"Rule premium: skipped, as it does not apply",
						"Rule tenant, key [header:X-Tenant, ip]: released by memory; "
								+ "tenant-1m has 0 of 2 left; tenant-1h has 7 of 9 left",
						"Rule user, key [header:X-User]: rejected by memory; user has 0 of 1 left",
						"Rule strict: rejected, as its key is missing");
		}
	}

}
