package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.Exchange.State;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads act on one exchange that no thread waits for: its lane sends it and reads for
 * it, and any thread may end it because its time is over. The results are those of some
 * order. Once it has ended or left, its completion has run once, and where it has left,
 * it has found the fate of the calls.
 */
@Tag("proof-interleavings")
public class CompletionInterleavingsProof {

	private final NodeCall call = OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING);

	private final Exchange exchange = new Exchange(null, new CallTime(Patience.LONG), (node, failure, cause) -> {
	}, this::completed);

	private final AtomicInteger completions = new AtomicInteger();

	private volatile Fate fate;

	public CompletionInterleavingsProof() {
		this.exchange.add(this.call);
	}

	private void completed() {
		this.completions.incrementAndGet();
		this.fate = ((NodeCall.FailedCall) this.call.outcome()).fate();
	}

	/** As a lane is used by one thread at a time. */
	@Operation(nonParallelGroup = "lane")
	public boolean send() {
		return this.exchange.send();
	}

	@Operation(nonParallelGroup = "lane", runOnce = true)
	public void received() {
		this.exchange.received(this.call, 1L, new ArrayList<>());
		this.exchange.wakeIfEnded();
	}

	/** A lane wakes all requests of a batch, whatever has become of them. */
	@Operation(nonParallelGroup = "lane")
	public void wake() {
		this.exchange.wakeIfEnded();
	}

	@Operation
	public boolean leaveUnsent() {
		return leave(State.WAITING);
	}

	@Operation
	public boolean leaveUnanswered() {
		return leave(State.SENT);
	}

	private boolean leave(State from) {
		boolean left = this.exchange.leave(from, StoreFailure.OVERLOADED);
		if (left) {
			Interleavings.require(this.fate == ((from == State.SENT) ? Fate.AWAITED : Fate.NOT_TAKEN),
					"the completion finds the fate of the calls");
		}
		return left;
	}

	@Operation
	public State state() {
		return this.exchange.state();
	}

	@Validate
	public void theCompletionHasRunOnceIfTheRequestIsOver() {
		boolean over = this.exchange.hasEnded() || this.exchange.hasLeft();
		Interleavings.require(this.completions.get() == (over ? 1 : 0),
				"the completion runs once, when the request is over");
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(CompletionInterleavingsProof.class);
	}

}
