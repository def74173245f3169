package dev.ratelimit.limiter.sync;

import java.util.List;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.limiter.sync.LocalBudget.Spent;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Usage;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads spend from one budget, return permits to it and close it. The results are those
 * of some order, so no permit is spent twice or after the close, and the total that the
 * close returned is final. What is spent never exceeds the room.
 */
@Tag("proof-interleavings")
@Param(name = "permits", gen = IntGen.class, conf = "1:3")
public class LocalBudgetInterleavingsProof {

	private static final long ROOM = 5;

	private static final Limit LIMIT = Limits.of("r", "5/1m");

	private static final StoreWindows WINDOWS = StoreWindows
		.of(LIMIT, List.of(new Usage(ROOM, 60_000_000, 0)), List.of(1L), 0, 0)
		.orElseThrow();

	private final LocalBudget budget = new LocalBudget(LIMIT, WINDOWS, new long[] { ROOM }, new long[] { ROOM }, 0);

	@Operation
	public Spent spend(@Param(name = "permits") int permits) {
		return this.budget.spend(permits, 0);
	}

	@Operation
	public long takeBack(@Param(name = "permits") int permits) {
		return this.budget.takeBack(permits);
	}

	@Operation
	public long unsynced() {
		return this.budget.unsynced();
	}

	@Operation(runOnce = true)
	public long close() {
		return this.budget.close();
	}

	@Validate
	public void noMoreIsSpentThanGranted() {
		Interleavings.require(this.budget.unsynced() <= ROOM, "no more is spent than granted");
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(LocalBudgetInterleavingsProof.class);
	}

}
