package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.Interleavings;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.WaitingRequest.State;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads act on one request that no thread waits for: its batch sends it and reads for
 * it, and any thread may end it because its time is over. The results are those of some
 * order. Once it has ended or left, its completion has run once, and where it has left,
 * it has found the fate of the calls.
 */
@Tag("proof-interleavings")
public class CompletionInterleavingsProof {

	private static final Script SCRIPT = Script.of("return 1");

	private static final byte[] KEY = "k".getBytes(StandardCharsets.US_ASCII);

	private final NodeCall call = new ScriptCall(SCRIPT, KEY, List.of(), NodeCall.Afterwards.NOTHING);

	private final WaitingRequest pending;

	private final AtomicInteger completions = new AtomicInteger();

	private volatile Fate fate;

	public CompletionInterleavingsProof() {
		NodeCalls calls = new NodeCalls(null, (node, failure, cause) -> {
		});
		calls.add(this.call);
		this.pending = WaitingRequest.completing(calls, new CallTime(Patience.LONG), this::completed);
	}

	private void completed(WaitingRequest pending) {
		this.completions.incrementAndGet();
		this.fate = ((NodeCall.FailedCall) this.call.outcome()).fate();
	}

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
	public boolean read() {
		return this.pending.appointReader();
	}

	@Operation(nonParallelGroup = "batch")
	public boolean end() {
		boolean ended = this.pending.end();
		this.pending.wake();
		return ended;
	}

	/** A batch wakes all requests that it has answered, whatever has become of them. */
	@Operation
	public void wake() {
		this.pending.wake();
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
		boolean left = this.pending.leave(from, StoreFailure.TIMEOUT);
		if (left) {
			this.pending.complete();
			Interleavings.require(this.fate == ((from == State.SENT) ? Fate.AWAITED : Fate.NOT_TAKEN),
					"the completion finds the fate of the calls");
		}
		return left;
	}

	@Operation
	public State state() {
		return this.pending.state();
	}

	@Validate
	public void theCompletionHasRunOnceIfTheRequestIsOver() {
		boolean over = this.pending.hasEnded() || this.pending.hasLeft();
		Interleavings.require(this.completions.get() == (over ? 1 : 0),
				"the completion runs once, when the request is over");
	}

	@Test
	void everyInterleavingHasTheResultsOfSomeOrder() {
		Interleavings.requireSomeOrder(CompletionInterleavingsProof.class);
	}

}
