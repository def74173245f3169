package dev.ratelimit.store.wire;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.WaitingRequest.State;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads act on one request that a thread waits for: any of them may make it lead, its
 * batch sends it and reads for it, and its owner leaves. The results are those of some
 * order. So one thread at most takes a request on from each state, and a request that has
 * left never ends, or the other way round.
 */
@Tag("proof-interleavings")
public class WaitingRequestInterleavingsProof {

	private final WaitingRequest pending = new WaitingRequest(new NodeCalls(null, (node, failure, cause) -> {
	}), new CallTime(Patience.LONG));

	@Operation
	public boolean lead() {
		return this.pending.appointLeader();
	}

	/** As a batch is used by one thread at a time. */
	@Operation(nonParallelGroup = "batch")
	public boolean board() {
		return this.pending.joinBatch();
	}

	@Operation(nonParallelGroup = "batch")
	public void sent() {
		this.pending.sent();
	}

	@Operation(nonParallelGroup = "batch")
	public boolean read() {
		return this.pending.appointReader();
	}

	@Operation(nonParallelGroup = "batch")
	public boolean end() {
		return this.pending.end();
	}

	@Operation
	public boolean leaveUnsent() {
		return this.pending.leave(State.WAITING, StoreFailure.OVERLOADED);
	}

	@Operation
	public boolean leaveUnanswered() {
		return this.pending.leave(State.SENT, StoreFailure.TIMEOUT);
	}

	@Operation
	public boolean leaveAsReader() {
		return this.pending.leave(State.READS, StoreFailure.TIMEOUT);
	}

	@Operation
	public State state() {
		return this.pending.state();
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(WaitingRequestInterleavingsProof.class);
	}

}
