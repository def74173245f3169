package dev.ratelimit.limiter.lease;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A million schedules of what may happen to instances that lease permits. The first one
 * that admits more than the limit is named by its seed, and can be run again.
 */
@Tag("proof-modes")
class ModesProof {

	private static final long SCHEDULES = Long.getLong("proof.schedules", 1_000_000);

	/** The build does the same with smaller sizes. */
	@Test
	void noScheduleOfLargerSizesIsWorse() {
		for (boolean named : new boolean[] { true, false }) {
			LeaseModel.Result result = new LeaseModel(named, 6, 2, 4, true).search((state) -> false);
			System.out.printf(Locale.ROOT,
					"Leases of a %s, limit 6, 2 instances, 4 requests, a failover: %,d states, at most %d above the limit, "
							+ "%d above what the promoted replica lacked%n",
					named ? "log" : "counter", result.states(), result.aboveLimit(), result.aboveLost());
			assertThat(result.aboveLost()).isZero();
		}
	}

	@Test
	void noWindowEverHoldsMoreThanItsThreshold() {
		long seed = Long.getLong("proof.seed", System.nanoTime());
		long start = System.nanoTime();
		LeaseScheduleTests.Seen seen = LeaseScheduleTests
			.assertNoExcess(LongStream.range(seed, seed + SCHEDULES).parallel());
		System.out.printf(Locale.ROOT,
				"P30 %,d schedules from seed %d in %d s: %,d admitted, of these %,d out of a lease, %,d windows used up, "
						+ "0 above their limit%n",
				SCHEDULES, seed, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), seen.admitted(),
				seen.leased(), seen.full());
		LeaseScheduleTests.assertNotIdle(seen, SCHEDULES);
	}

}
