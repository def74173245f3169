package dev.ratelimit.store.redis;

import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases that no request waits for are reported, whatever becomes of them.
 */
class PermitReleaserTests {

	private static final int THREE_BATCHES = 150;

	private final AtomicInteger runs = new AtomicInteger();

	private final Queue<String> reported = new ConcurrentLinkedQueue<>();

	@Test
	void releasesWhoseCallThrowsAreReported() {
		UnconnectedRunner runner = new UnconnectedRunner((calls) -> {
			if (this.runs.incrementAndGet() == 2) {
				throw new OutOfMemoryError("of the test");
			}
		});
		try (RateLimitStore store = StoreCalls.store(runner,
				(rule, acknowledged) -> this.reported.add(rule + (acknowledged ? " released" : " lost")))) {
			AcquiredPermits permits = new AcquiredPermits(StoreRequests.request(Limits.of("r", "1/60s"), "s"));
			assertThat(store.settle(List.of(Settlement.release(permits)), Patience.LONG).await())
				.containsExactly(SettlementResult.AWAITED);
			Awaitility.await().atMost(Patience.LONG).until(() -> !this.reported.isEmpty());
			assertThat(this.reported).containsExactly("r lost");
		}
	}

	/** Two errors, as a second task may be enqueued when the first one ends. */
	@Test
	void anErrorOfTheListenerDoesNotDelayTheReleasesThatAreQueued() {
		CountDownLatch queued = new CountDownLatch(1);
		AtomicInteger errors = new AtomicInteger();
		UnconnectedRunner runner = new UnconnectedRunner((calls) -> {
			if (this.runs.incrementAndGet() > 1) {
				await(queued);
				throw new OutOfMemoryError("of the test");
			}
		});
		try (RateLimitStore store = StoreCalls.store(runner, (rule, acknowledged) -> {
			if (errors.incrementAndGet() <= 2) {
				throw new StackOverflowError("of the test");
			}
			this.reported.add(rule);
		})) {
			AcquiredPermits permits = new AcquiredPermits(StoreRequests.request(Limits.of("r", "1/60s"), "s"));
			assertThat(store.settle(Settlement.release(Collections.nCopies(THREE_BATCHES, permits)), Patience.LONG)
				.await()).containsOnly(SettlementResult.AWAITED);
			queued.countDown();
			Awaitility.await()
				.dontCatchUncaughtExceptions()
				.atMost(Patience.LONG)
				.until(() -> this.reported.size() >= THREE_BATCHES / 3);
		}
	}

	/** A request may read the replies to those that have left. */
	@Test
	void aListenerThatBlocksHoldsUpNoThreadThatReadsForOthers() {
		CountDownLatch left = new CountDownLatch(1);
		UnconnectedRunner runner = new UnconnectedRunner((calls) -> calls.forEach((call) -> call.afterwards().lost()));
		try (RateLimitStore store = StoreCalls.store(runner, (rule, acknowledged) -> {
			await(left);
			this.reported.add(rule);
		})) {
			StoreRequests.acquire(store, Limits.of("r", "1/60s"), "s");
			assertThat(this.reported).isEmpty();
			left.countDown();
			Awaitility.await().atMost(Patience.LONG).until(() -> this.reported.contains("r"));
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			boolean ignored = latch.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
