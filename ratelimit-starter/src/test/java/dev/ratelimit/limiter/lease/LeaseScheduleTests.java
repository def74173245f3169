package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLThreshold;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever happens to instances that lease permits, no window ever holds more than its
 * threshold.
 */
class LeaseScheduleTests {

	static final long SCHEDULES = 10_000;

	private static final AtomicLong ADMITTED = new AtomicLong();

	private static final AtomicLong LEASED = new AtomicLong();

	private static final AtomicLong FULL = new AtomicLong();

	@Test
	void noWindowEverHoldsMoreThanItsThreshold() {
		long seed = System.nanoTime();
		assertNoExcess(LongStream.range(seed, seed + SCHEDULES));
		// Schedules in which nothing is leased, or nothing used up, would show nothing.
		assertThat(LEASED.get()).as("leased of %s admitted", ADMITTED).isGreaterThan(ADMITTED.get() / 10);
		assertThat(FULL.get()).as("schedules that used a window up").isGreaterThan(SCHEDULES / 10);
	}

	/** The last one on two clocks is told by its seed. */
	static void assertNoExcess(LongStream seeds) {
		seeds.forEach((seed) -> {
			LeaseSchedule schedule = new LeaseSchedule(seed);
			schedule.run();
			Algorithm algorithm = schedule.config().algorithm();
			AdmissionLimits limits = new AdmissionLimits(algorithm, schedule.admissions());
			List<RLThreshold> thresholds = schedule.config().thresholds();
			for (RLThreshold threshold : thresholds) {
				long excess = limits.excess(threshold);
				assertThat(excess).as("above %s of %s, seed %d", threshold, algorithm, seed).isLessThanOrEqualTo(0);
				if (excess == 0) {
					FULL.incrementAndGet();
				}
			}
			ADMITTED.addAndGet(schedule.admissions().size());
			LEASED.addAndGet(schedule.leased());
		});
	}

}
