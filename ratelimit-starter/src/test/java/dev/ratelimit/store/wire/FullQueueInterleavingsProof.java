package dev.ratelimit.store.wire;

import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads add more requests to one queue than may wait, and take others. At no time do
 * more wait than may, and at the end the count is the number that waits. (A request may
 * be refused although another one is just leaving, so which ones are added is not
 * compared.)
 */
@Tag("proof-interleavings")
public class FullQueueInterleavingsProof {

	private static final int MOST = 2;

	private final NodeQueue waiting = new NodeQueue(MOST, 1);

	/** Raised after a request was added, and lowered before one is taken. */
	private final AtomicInteger atLeast = new AtomicInteger();

	@Operation
	public void add() {
		if (this.waiting.add(Exchanges.of(null, 1))) {
			Interleavings.require(this.atLeast.incrementAndGet() <= MOST, "no more wait than may");
		}
	}

	@Operation
	public void take() {
		this.atLeast.decrementAndGet();
		if (this.waiting.poll() == null) {
			this.atLeast.incrementAndGet();
		}
	}

	@Validate
	public void theCountIsTheNumberThatWaits() {
		Interleavings.require(this.waiting.count() == this.atLeast.get(), "the count is the number that waits");
	}

	@Test
	void noInterleavingAddsMoreThanMayWait() {
		Interleavings.requireSomeOrder(FullQueueInterleavingsProof.class);
	}

}
