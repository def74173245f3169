package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.wire.OneConnection.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests on virtual threads, for which a thread of the node reads.
 */
class NodeThreadsTests {

	private static final Duration LONG = OneConnection.LONG;

	private final OneConnection one = new OneConnection(ThreadKind.VIRTUAL);

	@AfterEach
	void close() {
		this.one.close();
	}

	@Test
	void aThreadOfTheNodeReads() {
		this.one.proxy().holdReplies();
		Visitor<AcquireResult> request = this.one.send(LONG);
		this.one.awaitSent(1);
		OneConnection.await(() -> isAtWork(Connection.class));
		assertThat(request.thread().getState()).isEqualTo(Thread.State.TIMED_WAITING);
		this.one.proxy().passReplies();
		assertThat(OneConnection.remaining(request.result())).isEqualTo(99);
	}

	/** Whether a thread of the node runs code of the class. */
	private boolean isAtWork(Class<?> type) {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().equals("ratelimit-redis-io-" + this.one.node()))
			.flatMap((thread) -> List.of(thread.getValue()).stream())
			.anyMatch((frame) -> frame.getClassName().equals(type.getName()));
	}

	@Test
	void aThreadOfTheNodeSendsForRequestsWhoseLeaderHasGone() {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(LONG);
		Visitor<AcquireResult> waiting = this.one.send(LONG);
		leader.thread().interrupt();
		assertThat(leader.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(waiting.result())).isEqualTo(99);
	}

	@Test
	void anInterruptAffectsNoOtherRequest() {
		Lane held = this.one.take();
		Visitor<AcquireResult> first = this.one.send(LONG);
		Visitor<AcquireResult> second = this.one.send(LONG);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		this.one.awaitSent(2);
		first.thread().interrupt();
		assertThat(first.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.AWAITED));
		this.one.proxy().passReplies();
		assertThat(second.result()).matches(StoreRequests::isAdmitted);
		this.one.awaitReported(1);
		assertThat(this.one.stored()).isEqualTo(1);
	}

	@Test
	void anErrorWhileReadingFailsAllRequestsOfTheBatchAndNoOther() {
		Lane held = this.one.take();
		Visitor<NodeCall.CallState> gone = this.one.send(OneConnection.call(List.of(), new OneConnection.Failing()),
				OneConnection.SHORT);
		Visitor<NodeCall.CallState> other = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(gone.result()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.awaitSent(2);
		this.one.proxy().passReplies();
		assertThat(other.result()).isEqualTo(OneConnection.failed(StoreFailure.ERROR, Fate.UNKNOWN));
		assertThat(this.one.acquire(LONG)).matches(StoreRequests::isAdmitted);
	}

}
