package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.Exchange.State;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads act on one exchange that a thread waits for: its lane sends it and reads for
 * it, and its owner leaves. The results are those of some order. So one thread at most
 * takes a request on from each state, and a request that has left never ends, or the
 * other way round.
 */
@Tag("proof-interleavings")
public class ExchangeInterleavingsProof {

	private final NodeCall call = OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING);

	private final Exchange exchange = Exchanges.of(null, this.call, Patience.LONG);

	public ExchangeInterleavingsProof() {
		this.exchange.attend();
	}

	/** As a lane is used by one thread at a time. */
	@Operation(nonParallelGroup = "lane")
	public boolean send() {
		return this.exchange.send();
	}

	@Operation(nonParallelGroup = "lane")
	public void startReading() {
		this.exchange.startReading();
	}

	@Operation(nonParallelGroup = "lane")
	public boolean appointReader() {
		return this.exchange.appointReader((reader) -> {
		});
	}

	@Operation(nonParallelGroup = "lane", runOnce = true)
	public void received() {
		this.exchange.received(this.call, 1L, new ArrayList<>());
	}

	@Operation
	public boolean leaveUnsent() {
		return this.exchange.leave(State.WAITING, StoreFailure.OVERLOADED);
	}

	@Operation
	public boolean leaveUnanswered() {
		return this.exchange.leave(State.SENT, StoreFailure.OVERLOADED);
	}

	@Operation
	public boolean leaveAsReader() {
		return this.exchange.leave(State.READS, StoreFailure.OVERLOADED);
	}

	@Operation
	public State state() {
		return this.exchange.state();
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(ExchangeInterleavingsProof.class);
	}

}
