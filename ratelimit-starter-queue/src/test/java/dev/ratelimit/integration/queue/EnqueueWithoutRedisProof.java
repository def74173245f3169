package dev.ratelimit.integration.queue;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Without Redis' acknowledgement no request counts as enqueued.
 */
@Tag("proof-slow")
class EnqueueWithoutRedisProof {

	@Test
	@DisplayName("never 202 without Redis' acknowledgement: while it is away the rule's policy decides")
	void withoutAnAcknowledgementOfRedisThePolicyOfTheRuleDecides() {
		try (RedisServer redis = RedisServer.start();
				FaultProxy proxy = FaultProxy.to(redis.port());
				Jedis jedis = new Jedis(redis.host(), redis.port())) {
			for (Map.Entry<String, Integer> policy : Map.of("deny", 503, "allow", 200, "local", 429).entrySet()) {
				String yaml = "spring.data.redis.port: " + proxy.port() + "\n"
						+ EnqueueSetupTests.rule("header:X-Client", "1h", policy.getKey())
						+ "ratelimit.deadline: 2s\nratelimit.deny-cache: 0ms\n";
				proxy.inject(FaultProxy.Fault.NONE);
				try (App app = App.start(yaml, Orders.class, Later.class)) {
					assertThat(KeptRequests.order(app, "ann", "one").statusCode()).isEqualTo(200);
					HttpResponse<String> enqueued = KeptRequests.order(app, "ann", "two");
					assertThat(enqueued.statusCode()).isEqualTo(202);
					awaitHeldBack(app, jedis);
					boolean denies = policy.getKey().equals("deny");
					proxy.corrupt(EnqueueWithoutRedisProof::withoutAcknowledgement);
					assertThatItsStateCanBeRead(app, KeptRequests.order(app, "ann", "three"), denies ? 503 : 429,
							proxy);
					assertThat(orderWhereTheQueueIsUnknown(app, jedis)).as(policy.getKey())
						.isEqualTo(denies ? 503 : 200);
					proxy.inject(FaultProxy.Fault.BLACK_HOLE);
					KeptRequests.order(app, "ann", "four");
					assertThat(KeptRequests.order(app, "ann", "five").statusCode()).as(policy.getKey())
						.isEqualTo(policy.getValue());
					HttpResponse<String> state = app.get(enqueued.headers().firstValue("Location").orElseThrow());
					assertThat(state.statusCode()).isEqualTo(503);
					assertThat(state.headers().firstValue("Retry-After")).contains("1");
				}
			}
		}
	}

	/** Waits until the worker has found that the limit has no room for an hour. */
	private static void awaitHeldBack(App app, Jedis jedis) {
		double soon = SharedCluster.micros() + 60_000_000.0;
		await().atMost(Patience.LONG)
			.until(() -> jedis.zcount(app.prefix() + ":{orders}:q1:due", soon, Double.MAX_VALUE) == 1);
	}

	/** Corrupts the reply of Redis that acknowledges an enqueued request. */
	private static byte[] withoutAcknowledgement(byte[] reply) {
		return new String(reply, StandardCharsets.ISO_8859_1).replace("*1\r\n:1\r\n", "?1\r\n:1\r\n")
			.getBytes(StandardCharsets.ISO_8859_1);
	}

	/** The request is enqueued without an acknowledgement: its client gets a location. */
	private static void assertThatItsStateCanBeRead(App app, HttpResponse<String> refused, int status,
			FaultProxy proxy) {
		assertThat(refused.statusCode()).isEqualTo(status);
		proxy.inject(FaultProxy.Fault.NONE);
		KeptRequests.awaitState(app, refused, "queued");
	}

	/**
	 * Redis reports that the limit has room again, but not whether other requests wait.
	 */
	private static int orderWhereTheQueueIsUnknown(App app, Jedis jedis) {
		jedis.keys(app.prefix() + ":{orders:*").forEach(jedis::del);
		jedis.aclSetUser("default", "-exists");
		try {
			return KeptRequests.order(app, "ann", "overtaking").statusCode();
		}
		finally {
			jedis.aclSetUser("default", "+exists");
		}
	}

}
