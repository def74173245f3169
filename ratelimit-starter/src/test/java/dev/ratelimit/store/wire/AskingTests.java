package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.OneConnection.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls to a node to which their slot is being moved. {@code ASKING} has a reply of its
 * own, which is an error on a server that is not part of a Cluster, as here.
 */
class AskingTests {

	private final OneConnection one = new OneConnection(ThreadKind.PLATFORM);

	private final LateReplyRecorder afterwards = new LateReplyRecorder();

	private final ScriptCall asking = OneConnection.call(List.of(), this.afterwards);

	@AfterEach
	void close() {
		this.one.close();
	}

	@Test
	void sharesABatchWithOtherCalls() {
		Lane held = this.one.take();
		Visitor<Boolean> first = this.one.send(() -> ask(OneConnection.LONG));
		Visitor<NodeCall.CallState> second = this.one.send(OneConnection.call(List.of(), this.afterwards),
				OneConnection.LONG);
		this.one.putBack(held);
		assertThat(first.result()).isTrue();
		assertThat(List.of(this.asking.outcome(), second.result())).containsOnly(new NodeCall.Replied(1L));
	}

	@Test
	void itsLateReplyIsNotTakenForThatToAnotherCall() {
		this.one.proxy().holdReplies();
		assertThat(ask(OneConnection.SHORT)).isFalse();
		assertThat(this.asking.outcome()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.proxy().passReplies();
		OneConnection.await(() -> !this.afterwards.late().isEmpty());
		assertThat(this.afterwards.late()).containsExactly(1L);
		assertThat(OneConnection.remaining(this.one.acquire(OneConnection.LONG))).isEqualTo(99);
	}

	/** Returns whether the call was answered, and not by an error. */
	private boolean ask(Duration maxWait) {
		Node node = this.one.node();
		RespNodes.ask(this.asking);
		Exchange exchange = Exchanges.run(node, this.asking, maxWait);
		return exchange.hasEnded() && exchange.deliver().isEmpty();
	}

}
