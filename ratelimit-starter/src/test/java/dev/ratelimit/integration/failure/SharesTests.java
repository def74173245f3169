package dev.ratelimit.integration.failure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.health.RateLimitStoreDegradedEvent;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.store.StoreFailure;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The instances among which limits are shared while Redis is away.
 */
class SharesTests {

	private static RedisServer redis;

	private static Jedis jedis;

	private final String prefix = App.newPrefix();

	@BeforeAll
	static void startRedis() {
		redis = RedisServer.start();
		jedis = new Jedis(redis.host(), redis.port());
	}

	@AfterAll
	static void stopRedis() {
		jedis.close();
		redis.close();
	}

	@Test
	void anInstanceThatShutsDownRemovesItsEntry() {
		try (App staying = start()) {
			try (App leaving = start()) {
				awaitInstances(2);
				assertThat(leaving.get("/product/1").statusCode()).isEqualTo(200);
			}
			awaitInstances(1);
			assertThat(staying.get("/product/1").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void aListenerThatBlocksStopsNoHeartbeatAndNoShutdown() throws InterruptedException {
		Blocking listener;
		try (App other = start(); App app = start(Blocking.class)) {
			awaitInstances(2);
			listener = app.bean(Blocking.class);
			app.bean(StoreWatch.class).unanswered(StoreFailure.TIMEOUT);
			assertThat(listener.entered.await(30, TimeUnit.SECONDS)).isTrue();
			double blocked = beat(-1);
			Awaitility.await().until(() -> beat(0) > blocked + 1000);
			assertThat(instances()).isEqualTo(2);
			assertThat(other.get("/product/1").statusCode()).isEqualTo(200);
		}
		assertThat(listener.left.getCount()).isOne();
		listener.left.countDown();
	}

	/**
	 * When an instance has sent its last beat, from the oldest (0) to the latest (-1).
	 */
	private double beat(long index) {
		return jedis.zrangeWithScores(this.prefix + ":{instances}", index, index).get(0).getScore();
	}

	private long instances() {
		return jedis.zcard(this.prefix + ":{instances}");
	}

	private void awaitInstances(long count) {
		Awaitility.await().until(() -> instances() == count);
	}

	private App start(Class<?>... beans) {
		return App.start(this.prefix, """
				spring.data.redis.port: %d
				ratelimit.deadline: 10s
				ratelimit.rules.first: {paths: '/product/1', thresholds: 100/10m}
				""".formatted(redis.port()), beans);
	}

	static class Blocking {

		final CountDownLatch entered = new CountDownLatch(1);

		final CountDownLatch left = new CountDownLatch(1);

		@EventListener
		void onDegraded(RateLimitStoreDegradedEvent event) throws InterruptedException {
			this.entered.countDown();
			this.left.await();
		}

	}

}
