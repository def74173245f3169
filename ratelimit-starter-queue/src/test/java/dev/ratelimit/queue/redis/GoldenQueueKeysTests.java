package dev.ratelimit.queue.redis;

import java.time.Duration;
import java.util.Map;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoredKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * What Redis stores of a queue: instances of two versions with the same format handle the
 * same items while an application is deployed.
 */
class GoldenQueueKeysTests {

	private final MovableClock clock = new MovableClock();

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@BeforeEach
	void begin() {
		this.redis.flushAll();
	}

	@AfterEach
	void empty() {
		this.redis.flushAll();
		this.redis.close();
	}

	@Test
	void theKeysOfTheQueueAreUnchanged() {
		ItemQueue queue = TimedQueues.on(SharedRedis.runner(), this.clock);
		ItemQueue.Room room = new ItemQueue.Room(3, 5, 1 << 20);
		QueuedSubject subject = new QueuedSubject("orders", "hann");
		for (int i = 0; i < 3; i++) {
			queue.enqueue(subject, "i" + i, Map.of("body", new byte[] { 1, 2, 3 }), room, Patience.LONG);
		}
		StringBuilder text = new StringBuilder("== three are kept\n").append(StoredKeys.describe(this.redis));
		LeasedItem first = queue.start(subject, "t1", "worker", Duration.ofMinutes(1), Patience.LONG)
			.leased()
			.orElseThrow();
		text.append("== one is held\n").append(StoredKeys.describe(this.redis));
		queue.done(first, Duration.ofHours(1), Patience.LONG);
		text.append("== one is done\n").append(StoredKeys.describe(this.redis));
		// Redis names the entries of a stream by its own clock.
		Golden.assertUnchanged("redis-keys-of-the-queue.txt", text.toString().replaceAll("\\b\\d{13}-\\d+", "ENTRY"));
	}

}
