package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A refusal releases its permits also where this application has used up the deadline
 * before the server could answer.
 */
class LateRefusalTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	@Test
	void aPartOfTheDeadlineIsLeftForTheRelease() {
		try (MemcachedServer server = MemcachedServer.start();
				Late runner = new Late(MemcachedServer.connections(server.address()).open(), new ArrayList<>());
				MemcachedStore store = new MemcachedStore(runner, "rl", new TestClock(), (rule, acknowledged) -> {
				})) {
			AcquireRequest request = Requests.request(Requests.limit(Algorithm.FIXED_WINDOW, "late", "1/60s"), "u1", 1);
			assertThat(store.acquire(List.of(request), DEADLINE).await().get(0))
				.isInstanceOf(AcquireResult.Admitted.class);
			assertThat(store.acquire(List.of(request), DEADLINE).await().get(0))
				.isInstanceOf(AcquireResult.Refused.class);
			assertThat(runner.waits).containsExactly(DEADLINE, DEADLINE, DEADLINE.dividedBy(5));
		}
	}

	/**
	 * Waits longer than the deadline before it sends.
	 *
	 * @param runner sends the calls
	 * @param waits the times that calls were given
	 */
	private record Late(CallRunner runner, List<Duration> waits) implements CallRunner {

		@Override
		public void run(List<? extends NodeCall> calls, Duration maxWait) {
			this.waits.add(maxWait);
			LockSupport.parkNanos(DEADLINE.multipliedBy(2).toNanos());
			this.runner.run(calls, Requests.PATIENCE);
		}

		@Override
		public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
			run(calls, maxWait);
			completion.run();
		}

		@Override
		public String shard(Supplier<byte[]> key) {
			return this.runner.shard(key);
		}

		@Override
		public String describe() {
			return this.runner.describe();
		}

		@Override
		public void close() {
			this.runner.close();
		}

	}

}
