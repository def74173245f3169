package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.wire.OneConnection.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of requests that share a round trip when one of them, or the connection,
 * fails.
 */
class SharingFailureTests {

	private static final Duration LONG = OneConnection.LONG;

	private static final Duration SHORT = OneConnection.SHORT;

	private final OneConnection one = new OneConnection(ThreadKind.PLATFORM);

	@AfterEach
	void close() {
		this.one.close();
	}

	@Test
	void anInterruptAffectsNoOtherRequest() throws Exception {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(LONG);
		Visitor<AcquireResult> next = this.one.send(LONG);
		Visitor<AcquireResult> waiting = this.one.send(LONG);
		Visitor<AcquireResult> last = this.one.send(LONG);
		waiting.thread().interrupt();
		assertThat(waiting.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		leader.thread().interrupt();
		assertThat(leader.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		this.one.awaitSent(2);
		next.thread().interrupt();
		assertThat(next.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.AWAITED));
		// It reads for all.
		last.thread().interrupt();
		this.one.proxy().passReplies();
		assertThat(OneConnection.remaining(last.result())).isEqualTo(98);
		this.one.awaitReported(1);
		assertThat(this.one.stored()).isEqualTo(1);
	}

	@Test
	void anInterruptedRequestIsSentIfItNeedNotWait() {
		Thread.currentThread().interrupt();
		AcquireResult result = this.one.acquire(LONG);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(result).matches(StoreRequests::isAdmitted);
	}

	@Test
	void anErrorWhileReadingIsReportedToAllAndDelaysNoOtherRequest() throws Exception {
		Lane held = this.one.take();
		Visitor<NodeCall.CallState> leader = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		Visitor<NodeCall.CallState> gone = this.one.send(OneConnection.call(List.of(), new OneConnection.Failing()),
				SHORT);
		Visitor<NodeCall.CallState> other = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(gone.result()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.awaitSent(3);
		this.one.proxy().passReplies();
		assertThat(other.result()).isEqualTo(OneConnection.failed(StoreFailure.ERROR, Fate.UNKNOWN));
		assertThat(leader.result()).isEqualTo(new NodeCall.Replied(1L));
		assertThat(StoreRequests.isAdmitted(this.one.acquire(LONG))).isTrue();
	}

	/** All replies arrive together, without a pause between them to wake a request. */
	@Test
	void aRequestWithItsReplyIsWokenWhenReadingTheNextOneEndsWithAnError() throws Exception {
		Lane held = this.one.take();
		Visitor<NodeCall.CallState> leader = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		Visitor<NodeCall.CallState> replied = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		Visitor<NodeCall.CallState> gone = this.one.send(OneConnection.call(List.of(), new OneConnection.Failing()),
				SHORT);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(gone.result()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.awaitSent(3);
		this.one.proxy().passReplies();
		assertThat(replied.task()).succeedsWithin(Patience.LONG).isEqualTo(new NodeCall.Replied(1L));
		assertThat(leader.result()).isEqualTo(new NodeCall.Replied(1L));
	}

	@Test
	void anErrorWhileWritingIsReportedToAllAndDelaysNoOtherRequest() throws Exception {
		Lane held = this.one.take();
		Visitor<NodeCall.CallState> leader = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		Visitor<NodeCall.CallState> large = this.one
			.send(OneConnection.call(new TooLarge(), NodeCall.Afterwards.NOTHING), LONG);
		this.one.putBack(held);
		assertThat(large.result()).isEqualTo(OneConnection.failed(StoreFailure.ERROR, Fate.UNKNOWN));
		assertThat(leader.result()).isEqualTo(OneConnection.failed(StoreFailure.ERROR, Fate.UNKNOWN));
		assertThat(StoreRequests.isAdmitted(this.one.acquire(LONG))).isTrue();
	}

	@Test
	void aConnectionThatBreaksFailsAllRequestsThatShareItAndNoOther() throws Exception {
		Lane held = this.one.take();
		List<Visitor<AcquireResult>> requests = List.of(this.one.send(LONG), this.one.send(LONG));
		Visitor<AcquireResult> gone = this.one.send(SHORT);
		this.one.proxy().swallowReplies();
		this.one.putBack(held);
		assertThat(gone.result()).isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.awaitSent(3);
		this.one.server().kill();
		assertThat(requests).extracting(Visitor::result)
			.containsOnly(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.UNKNOWN));
		this.one.awaitReported(1);
		assertThat(this.one.reported()).containsExactly("lost");
		this.one.server().restart();
		this.one.proxy().passReplies();
		OneConnection.await(() -> StoreRequests.isAdmitted(this.one.acquire(LONG)));
	}

	@Test
	void aFlushedScriptIsSentAgainAndCountsOnce() throws Exception {
		Lane held = this.one.take();
		List<Visitor<AcquireResult>> requests = List.of(this.one.send(LONG), this.one.send(LONG), this.one.send(LONG));
		this.one.redis().scriptFlush();
		this.one.putBack(held);
		assertThat(requests).extracting((request) -> OneConnection.remaining(request.result()))
			.containsExactlyInAnyOrder(99L, 98L, 97L);
		assertThat(this.one.stored()).isEqualTo(3);
	}

	/** Arguments for which there is no memory: weighed, they cannot be written. */
	private static final class TooLarge extends AbstractList<byte[]> {

		private final AtomicBoolean weighed = new AtomicBoolean();

		@Override
		public byte[] get(int index) {
			if (this.weighed.getAndSet(true)) {
				throw new OutOfMemoryError("of the test");
			}
			return new byte[1];
		}

		@Override
		public int size() {
			return 1;
		}

	}

}
