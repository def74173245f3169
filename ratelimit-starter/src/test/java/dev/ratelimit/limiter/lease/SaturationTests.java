package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.TestPipeline;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much of its limit a key gets when three instances always request more.
 */
class SaturationTests {

	private static final long WINDOWS = 60;

	private static final long WINDOW_MILLIS = 1000;

	private static final long LEASE_MILLIS = 100;

	@ParameterizedTest
	@CsvSource({ "1, SLIDING_WINDOW_LOG", "20, SLIDING_WINDOW_LOG", "500, SLIDING_WINDOW_LOG", "20, FIXED_WINDOW",
			"500, FIXED_WINDOW" })
	void atLeastAWindowInAWindowAndALeaseTime(long count, Algorithm algorithm) {
		Limit limit = Limit.of(RLConfig.builder("a")
			.algorithm(algorithm)
			.mode(Mode.LEASED)
			.thresholds(count + "/" + WINDOW_MILLIS + "ms")
			.build());
		MovableClock clock = new MovableClock();
		MemoryStore store = new MemoryStore(clock);
		List<Leases> instances = Stream
			.generate(() -> RenewalsByHand.atOnce(TestLimiter.over(store, clock::nanoTime).remote(), clock::nanoTime))
			.limit(3)
			.toList();
		List<TestPipeline> pipelines = instances.stream()
			.map((leases) -> TestPipeline.leasing(leases, store, clock::nanoTime))
			.toList();
		long admitted = 0;
		for (long i = 0; i < WINDOWS * WINDOW_MILLIS; i++) {
			for (int instance = 0; instance < instances.size(); instance++) {
				admitted += isAdmitted(pipelines.get(instance), limit, new PermitId("p" + i + "-" + instance)) ? 1 : 0;
				if (i % 1000 == 999) {
					instances.get(instance).tidy();
				}
			}
			clock.advance(Duration.ofMillis(1));
		}
		double least = (double) count * WINDOWS * WINDOW_MILLIS / (WINDOW_MILLIS + LEASE_MILLIS);
		// The last window and lease may be unfinished.
		assertThat((double) admitted).isBetween(least - count, (double) count * (WINDOWS + 1));
	}

	private static boolean isAdmitted(TestPipeline instance, Limit limit, PermitId id) {
		AcquireRequest request = new AcquireRequest(limit, new Subject("s"), 1, id);
		return instance.acquire(request).result() instanceof AcquireResult.Admitted;
	}

}
