package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases that no request waits for are reported, whatever becomes of them.
 */
class PermitReleaserTests {

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
			assertThat(store.release(List.of(permits), Patience.LONG).await()).containsExactly(ReleaseResult.AWAITED);
			Awaitility.await().atMost(Patience.LONG).until(() -> !this.reported.isEmpty());
			assertThat(this.reported).containsExactly("r lost");
		}
	}

}
