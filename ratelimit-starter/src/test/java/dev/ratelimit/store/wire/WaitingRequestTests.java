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
import dev.ratelimit.store.wire.WaitingRequest.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a request leaves first, or another thread handles it first.
 */
class WaitingRequestTests {

	private final ScriptCall call = new ScriptCall(Script.of("return 1"), "k".getBytes(StandardCharsets.US_ASCII),
			List.of(), NodeCall.Afterwards.NOTHING);

	private final Node node = RespNodes.nodes(1, 1).at("redis.invalid:6379");

	private final NodeCalls calls = new NodeCalls(this.node, (node, failure, cause) -> {
	});

	private final WaitingRequest pending = new WaitingRequest(this.calls, new CallTime(Patience.LONG));

	WaitingRequestTests() {
		this.calls.add(this.call);
	}

	private Fate fate() {
		return ((NodeCall.FailedCall) this.call.outcome()).fate();
	}

	@Test
	void aRequestThatHasLeftIsNeitherSentNorLeads() {
		assertThat(this.pending.leave(State.WAITING, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.NOT_TAKEN);
		assertThat(this.pending.joinBatch()).isFalse();
		assertThat(this.pending.appointLeader()).isFalse();
		assertThat(this.pending.state()).isEqualTo(State.LEFT);
	}

	@Test
	void aRequestThatWasSentMeanwhileHasNotLeft() {
		assertThat(this.pending.joinBatch()).isTrue();
		assertThat(this.pending.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.state()).isEqualTo(State.SENT);
		assertThat(this.pending.appointLeader()).isFalse();
	}

	@Test
	void aRequestThatGotABatchSlotMeanwhileHasNotLeft() {
		assertThat(this.pending.appointLeader()).isTrue();
		assertThat(this.pending.leave(State.WAITING, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.joinBatch()).isFalse();
		assertThat(this.pending.state()).isEqualTo(State.LEADS);
	}

	@Test
	void aReplyToARequestThatHasLeftIsLate() {
		this.pending.joinBatch();
		assertThat(this.pending.leave(State.SENT, StoreFailure.TIMEOUT)).isTrue();
		assertThat(fate()).isEqualTo(Fate.AWAITED);
		assertThat(this.pending.appointReader()).isFalse();
		assertThat(this.pending.end()).isFalse();
	}

	@Test
	void aReplyThatHasArrivedIsTheRequestsEvenIfItsTimeIsOver() {
		this.pending.joinBatch();
		assertThat(this.pending.end()).isTrue();
		assertThat(this.pending.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.hasEnded()).isTrue();
	}

	@Test
	void aRequestThatReadsForAllHasNotLeft() {
		this.pending.joinBatch();
		assertThat(this.pending.appointReader()).isTrue();
		assertThat(this.pending.leave(State.SENT, StoreFailure.TIMEOUT)).isFalse();
		assertThat(this.pending.end()).isTrue();
	}

	@Test
	void aRequestIsServedByTheNodeWhileItsThreadIsElsewhere() {
		this.pending.leaveAlone();
		assertThat(this.pending.isServedByNode()).isTrue();
		assertThat(this.pending.appointLeader()).isFalse();
		this.pending.attend();
		assertThat(this.pending.isServedByNode()).isFalse();
		assertThat(this.pending.appointLeader()).isTrue();
	}

	@Test
	void aWaitingRequestIsWokenWhenItsStateChanges() throws Exception {
		Thread other = new Thread(this.pending::appointLeader);
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
