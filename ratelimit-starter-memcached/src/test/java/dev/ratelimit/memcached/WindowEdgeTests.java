package dev.ratelimit.memcached;

import java.time.InstantSource;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fixed window from its first use to its end, on the clock of the server.
 */
class WindowEdgeTests {

	private static final long SECOND_NANOS = 1_000_000_000;

	/** The clock of the server ticks once a second, and late if the machine is busy. */
	private static final long LATE_TICK_NANOS = SECOND_NANOS;

	@Test
	void aFixedWindowIsNeverShorterThanItsLengthAndEndsWhenItsRefusalsSay() {
		AcquireRequest request = Requests.request(Requests.limit(Algorithm.FIXED_WINDOW, "edge", "3/1s"), "u1", 3);
		try (MemcachedServer server = MemcachedServer.start();
				MemcachedStore store = new MemcachedStore(MemcachedServer.connections(server.address()).open(), "rl",
						InstantSource.system(), (rule, acknowledged) -> {
						})) {
			long begun = System.nanoTime();
			assertThat(Requests.admits(store, request)).isTrue();
			long ends = Long.MAX_VALUE;
			long sent = System.nanoTime() - begun;
			AcquireResult result = Requests.acquire(store, request);
			while (result instanceof AcquireResult.Refused refused) {
				assertThat(sent).as("sent at, in nanoseconds, before the promised end").isLessThan(ends);
				long wait = Usage.longestWaitMicros(refused.usage()) * 1000;
				assertThat(wait).isBetween(SECOND_NANOS, 2 * SECOND_NANOS);
				ends = Math.min(ends, System.nanoTime() - begun + wait + LATE_TICK_NANOS);
				sent = System.nanoTime() - begun;
				result = Requests.acquire(store, request);
			}
			assertThat(System.nanoTime() - begun).as("length in nanoseconds").isGreaterThanOrEqualTo(SECOND_NANOS);
		}
	}

}
