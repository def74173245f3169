package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.fixture.Patience;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads add more requests to one queue than may wait, and board others. At no time do
 * more wait than may, and at the end the count is the number that waits. (A request may
 * be refused although another one is just leaving, so which ones are added is not
 * compared.)
 */
@Tag("proof-interleavings")
public class FullQueueInterleavingsProof {

	private static final int MOST = 2;

	private final NodeQueue waiting = new NodeQueue(MOST);

	/** Raised after a request was added, and lowered before one is boarded. */
	private final AtomicInteger atLeast = new AtomicInteger();

	@Operation
	public void add() {
		NodeCalls calls = new NodeCalls(null, (node, failure, cause) -> {
		});
		if (this.waiting.add(new WaitingRequest(calls, new CallTime(Patience.LONG)))) {
			Interleavings.require(this.atLeast.incrementAndGet() <= MOST, "no more wait than may");
		}
	}

	@Operation
	public void board() {
		this.atLeast.decrementAndGet();
		List<WaitingRequest> boarded = new ArrayList<>(1);
		this.waiting.board(boarded, 1, null);
		if (boarded.isEmpty()) {
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
