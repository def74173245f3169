package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads spend and release permits of the same key, while another one syncs: in the
 * end the store has counted each permit that was kept, once.
 */
class LostUpdateTests {

	private static final Subject SUBJECT = new Subject("s");

	private static final int THREADS = 8;

	private static final int REQUESTS = 20_000;

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final SyncedInstance instance = new SyncedInstance(new CountingStore(this.memory), this.clock,
			SyncedInstance.oneOf(2));

	@ParameterizedTest
	@CsvSource({ "FIXED_WINDOW, 999999999999/1d, 10", "FIXED_WINDOW, 300000/1d, 10",
			"SLIDING_WINDOW_COUNTER, 300000/1d, 10", "FIXED_WINDOW, 3000/1d, 10", "FIXED_WINDOW, 300000/1d, 1",
			"SLIDING_WINDOW_COUNTER, 300000/1d, 1" })
	@DisplayName("0.25, E11: no update is lost, whatever many threads do at once")
	void keptPermitsAreCountedOnce(Algorithm algorithm, String threshold, int released) throws Exception {
		Limit limit = Limit
			.of(RLConfig.builder("r").algorithm(algorithm).mode(Mode.SYNCED).thresholds(threshold).build());
		ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
		AtomicBoolean spending = new AtomicBoolean(true);
		try {
			Future<?> rounds = threads.submit(() -> {
				while (spending.get()) {
					this.instance.round();
					this.instance.hurry();
				}
			});
			List<Callable<Long>> spenders = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				spenders.add(() -> spend(limit, released));
			}
			long kept = 0;
			for (Future<Long> each : threads.invokeAll(spenders)) {
				kept += each.get();
			}
			spending.set(false);
			rounds.get();
			this.instance.close();
			assertThat(counted(limit)).isEqualTo(Math.min(limit.count(0), kept));
			assertThat(kept).isLessThanOrEqualTo(limit.count(0) + 2 * (limit.count(0) / 5 / 3));
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Releases one of so many permits. If all are released, the store is always nearly
	 * empty. Returns how many were kept.
	 */
	private long spend(Limit limit, int released) {
		long kept = 0;
		for (int i = 0; i < REQUESTS; i++) {
			Slot slot = this.instance.acquireSlot(limit, SUBJECT, 1);
			if (slot.result() instanceof AcquireResult.Admitted) {
				kept++;
				if (i % released == 0) {
					this.instance.release(slot);
					kept--;
				}
			}
		}
		return kept;
	}

	private long counted(Limit limit) {
		AcquireResult result = this.memory
			.acquire(List.of(new AcquireRequest(limit, SUBJECT, limit.count(0) + 1, new PermitId("look"))),
					Duration.ofSeconds(1))
			.await()
			.get(0);
		return limit.count(0) - ((AcquireResult.Refused) result).usage().get(0).remaining();
	}

}
