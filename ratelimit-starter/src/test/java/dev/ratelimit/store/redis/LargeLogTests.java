package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A log that has grown large is trimmed in parts, so that no request keeps Redis busy for
 * long. What is left of it counts nowhere.
 */
@ExtendWith(SharedRedis.class)
class LargeLogTests {

	private static final int COST = 5000;

	private static final int THRESHOLD = 8 * COST;

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private final MovableClock clock = new MovableClock();

	private final RedisStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);

	private final Limit limit = Limits.of("r", THRESHOLD + "/1m");

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	private int requests;

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	private long remaining(long cost) {
		AcquireResult result = this.store
			.acquire(List
				.of(new AcquireRequest(this.limit, new Subject("s"), cost, new PermitId("p" + this.requests++))),
					Patience.LONG)
			.await()
			.get(0);
		assertThat(result).isInstanceOf(AcquireResult.Admitted.class);
		return ((AcquireResult.Admitted) result).usage().get(0).remaining();
	}

	private long entries() {
		return this.redis.zcard(this.redis.keys(SharedRedis.PREFIX + "*").iterator().next());
	}

	@Test
	void aRequestRemovesTenThousandEntriesAndThoseOfTheSameTime() {
		for (int i = 0; i < THRESHOLD / COST; i++) {
			remaining(COST);
			this.clock.advance(Duration.ofMillis(1));
		}
		assertThat(entries()).isEqualTo(THRESHOLD);
		this.clock.advance(WINDOW);
		assertThat(remaining(1)).isEqualTo(THRESHOLD - 1);
		assertThat(entries()).isEqualTo(5 * COST + 1);
		assertThat(remaining(1)).isEqualTo(THRESHOLD - 2);
		assertThat(entries()).isEqualTo(2 * COST + 2);
		assertThat(remaining(COST)).isEqualTo(THRESHOLD - 2 - COST);
		assertThat(entries()).as("nothing is left of it").isEqualTo(2 + COST);
	}

}
