package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.PendingRequest.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a request leaves first, or another thread handles it first.
 */
class PendingRequestTests {

	private final ScriptCall call = new ScriptCall(Script.of("return 1"), "k".getBytes(StandardCharsets.US_ASCII),
			List.of(), NodeCall.Afterwards.NOTHING);

	private final Node node = RespNodes.nodes(1, 1).at("redis.invalid:6379");

	private final NodeCalls calls = new NodeCalls(this.node, (node, failure, cause) -> {
	});

	private final PendingRequest pending = new PendingRequest(this.calls, new CallTime(Patience.LONG));

	PendingRequestTests() {
		this.calls.add(this.call);
	}

	private Fate fate() {
		return ((NodeCall.FailedCall) this.call.outcome()).fate();
	}

	@Test
	void aRequestThatHasLeftIsNeitherSentNorLeads() {
		assertThat(this.pending.leave(State.WAITING, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.NOT_TAKEN);
		assertThat(this.pending.board()).isFalse();
		assertThat(this.pending.lead()).isFalse();
		assertThat(this.pending.state()).isEqualTo(State.LEFT);
	}

	@Test
	void aRequestThatWasSentMeanwhileHasNotLeft() {
		assertThat(this.pending.board()).isTrue();
		assertThat(this.pending.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.state()).isEqualTo(State.SENT);
		assertThat(this.pending.lead()).isFalse();
	}

	@Test
	void aRequestThatGotABatchSlotMeanwhileHasNotLeft() {
		assertThat(this.pending.lead()).isTrue();
		assertThat(this.pending.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.board()).isFalse();
		assertThat(this.pending.state()).isEqualTo(State.LEADS);
	}

	@Test
	void aReplyToARequestThatHasLeftIsLate() {
		this.pending.board();
		assertThat(this.pending.leave(State.SENT, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.AWAITED);
		assertThat(this.pending.read()).isFalse();
		assertThat(this.pending.end()).isFalse();
	}

	@Test
	void aReplyThatHasArrivedIsTheRequestsEvenIfItsTimeIsOver() {
		this.pending.board();
		assertThat(this.pending.end()).isTrue();
		assertThat(this.pending.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.hasEnded()).isTrue();
	}

	@Test
	void aRequestThatReadsForAllHasNotLeft() {
		this.pending.board();
		assertThat(this.pending.read()).isTrue();
		assertThat(this.pending.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.end()).isTrue();
	}

	@Test
	void aWaitingRequestIsWokenWhenItsStateChanges() throws Exception {
		Thread other = new Thread(this.pending::lead);
		other.start();
		Deadline deadline = Deadline.in(Duration.ofMinutes(1));
		assertThat(this.pending.await(State.WAITING, deadline.leftNanos())).isEqualTo(State.LEADS);
		assertThat(deadline.isOver()).isFalse();
		other.join();
	}

	@Test
	void aRequestWaitsNoLongerThanItMay() {
		assertThat(this.pending.await(State.WAITING, Duration.ofMillis(1).toNanos())).isEqualTo(State.WAITING);
	}

}
