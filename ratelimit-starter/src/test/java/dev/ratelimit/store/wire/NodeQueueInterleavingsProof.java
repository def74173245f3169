package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.fixture.Patience;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads add requests to one queue, remove them, board them and make them lead. Where
 * there is room, the results are those of some order, so no request is lost, and none is
 * taken from the queue twice. At the end the count is the number that still waits. At no
 * time do more wait than may. (A request may be refused while another one is just being
 * removed, which the count permits.)
 */
@Tag("proof-interleavings")
@Param(name = "request", gen = IntGen.class, conf = "0:2")
public class NodeQueueInterleavingsProof {

	private final NodeQueue waiting = new NodeQueue(10);

	private final List<WaitingRequest> requests = Stream.generate(NodeQueueInterleavingsProof::request)
		.limit(3)
		.toList();

	private static WaitingRequest request() {
		return new WaitingRequest(new NodeCalls(null, (node, failure, cause) -> {
		}), new CallTime(Patience.LONG));
	}

	@Operation(runOnce = true)
	public boolean addFirst() {
		return this.waiting.add(this.requests.get(0));
	}

	@Operation(runOnce = true)
	public boolean addSecond() {
		return this.waiting.add(this.requests.get(1));
	}

	@Operation(runOnce = true)
	public boolean addThird() {
		return this.waiting.add(this.requests.get(2));
	}

	@Operation
	public boolean remove(@Param(name = "request") int request) {
		return this.waiting.remove(this.requests.get(request));
	}

	@Operation
	public int oldest() {
		return this.requests.indexOf(this.waiting.oldest());
	}

	@Operation
	public boolean leadOldest() {
		return this.waiting.leadOldest();
	}

	@Operation
	public int board() {
		return boardOne(this.waiting);
	}

	private int boardOne(NodeQueue waiting) {
		List<WaitingRequest> boarded = new ArrayList<>(1);
		waiting.board(boarded, 1, null);
		return boarded.isEmpty() ? -1 : this.requests.indexOf(boarded.get(0));
	}

	@Validate
	public void theCountIsTheNumberThatWaits() {
		int waited = this.waiting.count();
		int boarded = 0;
		while (!this.waiting.isEmpty()) {
			boardOne(this.waiting);
			boarded++;
		}
		Interleavings.require(waited == boarded && this.waiting.count() == 0, "the count is the number that waits");
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(NodeQueueInterleavingsProof.class);
	}

}
