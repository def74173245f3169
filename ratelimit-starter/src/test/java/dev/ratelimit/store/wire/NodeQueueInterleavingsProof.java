package dev.ratelimit.store.wire;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads add requests to one queue, remove them and take them. Where there is room, the
 * results are those of some order, so no request is lost, and none is taken from the
 * queue twice. At the end the count is the number that still waits. At no time do more
 * wait than may. (A request may be refused while another one is just being removed, which
 * the count permits.)
 */
@Tag("proof-interleavings")
@Param(name = "request", gen = IntGen.class, conf = "0:2")
public class NodeQueueInterleavingsProof {

	private final NodeQueue waiting = new NodeQueue(10, 1);

	private final List<Exchange> requests = Stream.generate(() -> Exchanges.of(null, 1)).limit(3).toList();

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
	public void remove(@Param(name = "request") int request) {
		this.waiting.remove(this.requests.get(request));
	}

	@Operation
	public int take() {
		return this.requests.indexOf(this.waiting.poll());
	}

	@Validate
	public void theCountIsTheNumberThatWaits() {
		int waited = this.waiting.count();
		int taken = 0;
		while (this.waiting.poll() != null) {
			taken++;
		}
		Interleavings.require(waited == taken && this.waiting.count() == 0, "the count is the number that waits");
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(NodeQueueInterleavingsProof.class);
	}

}
