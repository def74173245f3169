package dev.ratelimit.store.wire;

import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads take batch slots and free them. At no time are more taken than there are, and
 * at the end all that were freed can be taken again.
 */
@Tag("proof-interleavings")
public class BatchSlotsInterleavingsProof {

	private static final int MOST = 2;

	private final BatchSlots slots = new BatchSlots(MOST, BatchSlots.PATIENCE);

	/** Raised after a slot was taken, and lowered before it is freed. */
	private final AtomicInteger taken = new AtomicInteger();

	@Operation
	public void takeUsual() {
		count(this.slots.takeUsual(1));
	}

	@Operation
	public void takeAny() {
		count(this.slots.takeAny());
	}

	private void count(boolean took) {
		if (took) {
			Interleavings.require(this.taken.incrementAndGet() <= MOST, "no more are taken than there are");
		}
	}

	@Operation
	public void free() {
		if (this.taken.getAndUpdate((now) -> Math.max(0, now - 1)) > 0) {
			this.slots.free();
		}
	}

	@Validate
	public void whatWasFreedCanBeTakenAgain() {
		int free = 0;
		while (this.slots.takeAny()) {
			free++;
		}
		Interleavings.require(this.taken.get() + free == MOST, "each slot is taken or free");
	}

	@Test
	void noInterleavingTakesMoreThanThereAre() {
		Interleavings.requireSomeOrder(BatchSlotsInterleavingsProof.class);
	}

}
