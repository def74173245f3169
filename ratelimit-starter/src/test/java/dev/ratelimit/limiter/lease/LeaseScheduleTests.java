package dev.ratelimit.limiter.lease;

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

	private static final long SCHEDULES = 2_000;

	@Test
	void noWindowEverHoldsMoreThanItsThreshold() {
		long seed = System.nanoTime();
		assertNotIdle(assertNoExcess(LongStream.range(seed, seed + SCHEDULES)), SCHEDULES);
	}

	/**
	 * What schedules came to.
	 *
	 * @param admitted the requests that were admitted
	 * @param leased those of them that were decided without the store
	 * @param full the thresholds that were used up to the last permit
	 */
	record Seen(long admitted, long leased, long full) {

		static final Seen NOTHING = new Seen(0, 0, 0);

		Seen plus(Seen other) {
			return new Seen(this.admitted + other.admitted, this.leased + other.leased, this.full + other.full);
		}

	}

	static Seen assertNoExcess(LongStream seeds) {
		return seeds.mapToObj(LeaseScheduleTests::assertNoExcess).reduce(Seen.NOTHING, Seen::plus);
	}

	private static Seen assertNoExcess(long seed) {
		LeaseSchedule schedule = new LeaseSchedule(seed);
		schedule.run();
		Algorithm algorithm = schedule.config().counting().algorithm();
		AdmissionLimits limits = new AdmissionLimits(algorithm, schedule.admissions());
		long full = 0;
		for (RLThreshold threshold : schedule.config().allowances().thresholds()) {
			long excess = limits.excess(threshold);
			assertThat(excess).as("above %s of %s, seed %d", threshold, algorithm, seed).isLessThanOrEqualTo(0);
			full += (excess == 0) ? 1 : 0;
		}
		return new Seen(schedule.admissions().size(), schedule.leased(), full);
	}

	/** Schedules in which nothing is leased, or nothing used up, would show nothing. */
	static void assertNotIdle(Seen seen, long schedules) {
		assertThat(seen.leased()).as("%s", seen).isGreaterThan(seen.admitted() / 10);
		assertThat(seen.full()).as("%s", seen).isGreaterThan(schedules / 10);
	}

}
