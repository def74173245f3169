package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.store.memory.MemoryStore;
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

	private static final int COST = (int) RLConfig.MAX_LOG_COST;

	/** How many requests come at the same time. */
	private static final int OF_SAME_TIME = 50;

	private static final int THRESHOLD = 8 * OF_SAME_TIME * COST;

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private static final WaitRange TURN = new WaitRange(0, Duration.ofHours(1).toNanos() / 1000);

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
			if (i % OF_SAME_TIME == OF_SAME_TIME - 1) {
				this.clock.advance(Duration.ofMillis(1));
			}
		}
		assertThat(entries()).isEqualTo(THRESHOLD);
		this.clock.advance(WINDOW);
		assertThat(remaining(1)).isEqualTo(THRESHOLD - 1);
		assertThat(entries()).isEqualTo(THRESHOLD - 15_000 + 1);
		assertThat(remaining(1)).isEqualTo(THRESHOLD - 2);
		assertThat(entries()).isEqualTo(THRESHOLD - 30_000 + 2);
		assertThat(remaining(COST)).isEqualTo(THRESHOLD - 2 - COST);
		assertThat(entries()).as("nothing is left of it").isEqualTo(2 + COST);
	}

	/** Each of its entries takes time of Redis. */
	@Test
	void aRequestAcquiresAHundredPermitsAtMost() {
		RateLimitStore twin = new MemoryStore(this.clock);
		Limit countingRefusals = Limits.countingRefusals("c", THRESHOLD + "/1m");
		for (Optional<WaitRange> turn : List.of(Optional.<WaitRange>empty(), Optional.of(TURN))) {
			for (RateLimitStore store : List.of(this.store, twin)) {
				assertThat(acquired(store, this.limit, COST + 1, turn))
					.isEqualTo(new AcquireResult.Refused(List.of(new Usage(THRESHOLD, 0, Usage.NEVER))));
				assertThat(acquired(store, this.limit, COST, turn).getClass())
					.isEqualTo(turn.isPresent() ? AcquireResult.Turn.class : AcquireResult.Admitted.class);
			}
			this.clock.advance(WINDOW);
		}
		for (RateLimitStore store : List.of(this.store, twin)) {
			assertThat(acquired(store, countingRefusals, THRESHOLD, Optional.empty()))
				.as("a refusal counts as much as an admission")
				.isEqualTo(new AcquireResult.Refused(
						List.of(new Usage(THRESHOLD - COST, WINDOW.toNanos() / 1000, Usage.NEVER))));
		}
	}

	private AcquireResult acquired(RateLimitStore store, Limit limit, long cost, Optional<WaitRange> turn) {
		return store
			.acquire(List
				.of(new AcquireRequest(limit, new Subject("s"), cost, new PermitId("p" + this.requests++), cost, turn)),
					Patience.LONG)
			.await()
			.get(0);
	}

}
