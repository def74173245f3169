package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.wire.OneConnection.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that share a round trip: in which order, and for how long.
 */
@ParameterizedClass
@EnumSource
class SharingTests {

	private static final Duration LONG = OneConnection.LONG;

	private static final Duration SHORT = OneConnection.SHORT;

	private final OneConnection one;

	SharingTests(ThreadKind kind) {
		this.one = new OneConnection(kind);
	}

	@AfterEach
	void close() {
		this.one.close();
	}

	@Test
	void waitingRequestsGoTogetherInTheOrderOfArrival() throws Exception {
		Lane held = this.one.take();
		List<Visitor<AcquireResult>> requests = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			requests.add(this.one.send(LONG));
		}
		long readsBefore = this.one.stat("stats", "total_reads_processed:");
		this.one.putBack(held);
		for (int i = 0; i < 20; i++) {
			assertThat(OneConnection.remaining(requests.get(i).result())).isEqualTo(99 - i);
		}
		assertThat(this.one.stat("stats", "total_reads_processed:") - readsBefore)
			.as("one read by Redis, and that of INFO")
			.isEqualTo(2);
		assertThat(this.one.stat("commandstats", "evalsha:calls=")).as("one command, as they call one script")
			.isEqualTo(1);
	}

	@Test
	void aLeaderWithLittleTimeCutsNoOtherRequestShort() throws Exception {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(SHORT);
		Visitor<AcquireResult> other = this.one.send(LONG);
		Visitor<AcquireResult> another = this.one.send(LONG);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(leader.result()).isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.awaitSent(3);
		this.one.proxy().passReplies();
		assertThat(OneConnection.remaining(other.result())).isEqualTo(98);
		assertThat(OneConnection.remaining(another.result())).isEqualTo(97);
		this.one.awaitReported(1);
		assertThat(this.one.reported()).containsExactly("released");
		assertThat(this.one.stored()).isEqualTo(2);
	}

	@Test
	void aRequestThatIsTakenAlongLeavesWhenItsOwnTimeIsOver() throws Exception {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(LONG);
		Visitor<AcquireResult> other = this.one.send(SHORT);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(other.result()).isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		assertThat(leader.task()).isNotDone();
		this.one.awaitSent(2);
		this.one.proxy().passReplies();
		assertThat(OneConnection.remaining(leader.result())).isEqualTo(99);
		this.one.awaitReported(1);
		assertThat(this.one.reported()).containsExactly("released");
		assertThat(this.one.stored()).isEqualTo(1);
		assertThat(OneConnection.remaining(this.one.acquire(LONG))).as("over the same connection").isEqualTo(98);
	}

	@Test
	void permitsThatArriveWhenAllHaveLeftAreReleasedOnce() throws Exception {
		Lane held = this.one.take();
		List<Visitor<AcquireResult>> requests = List.of(this.one.send(SHORT), this.one.send(SHORT),
				this.one.send(SHORT));
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		for (Visitor<AcquireResult> request : requests) {
			assertThat(request.result()).isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		}
		this.one.proxy().passReplies();
		this.one.awaitReported(3);
		assertThat(this.one.reported()).containsOnly("released");
		assertThat(this.one.stored()).isZero();
		assertThat(OneConnection.remaining(this.one.acquire(LONG))).isEqualTo(99);
	}

	@Test
	void aRequestThatStillWaitsWhenItsTimeIsOverIsNeverSent() throws Exception {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(LONG);
		Visitor<AcquireResult> other = this.one.send(SHORT);
		assertThat(other.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(leader.result())).isEqualTo(99);
		assertThat(this.one.stored()).isEqualTo(1);
		assertThat(this.one.stat("commandstats", "evalsha:calls=")).as("the leader's").isEqualTo(1);
		assertThat(this.one.reported()).isEmpty();
		assertThat(OneConnection.remaining(this.one.acquire(LONG))).as("nothing was released").isEqualTo(98);
	}

	@Test
	void theDeadlineBeginsWhenTheCallIsWritten() throws Exception {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(SHORT);
		Visitor<AcquireResult> other = this.one.send(SHORT);
		Deadline deadline = Deadline.in(SHORT);
		OneConnection.await(deadline::isOver);
		this.one.putBack(held);
		assertThat(OneConnection.remaining(leader.result()) + OneConnection.remaining(other.result()))
			.isEqualTo(99 + 98);
	}

	@Test
	void aWaitForAConnectionIsTheServersFailureIfItAnswersNoRequest() throws Exception {
		Lane held = this.one.take();
		this.one.node().notAnswered();
		Visitor<AcquireResult> leader = this.one.send(SHORT);
		Visitor<AcquireResult> other = this.one.send(SHORT);
		assertThat(leader.result()).isEqualTo(StoreRequests.failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN));
		assertThat(other.result()).isIn(StoreRequests.failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN),
				StoreRequests.failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(this.one.acquire(LONG))).isEqualTo(99);
		assertThat(this.one.node().isSilent()).isFalse();
	}

	@Test
	void aCallWithoutWaitDoesNotMarkTheServerSilent() {
		this.one.proxy().holdReplies();
		assertThat(this.one.acquire(Duration.ZERO)).isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		assertThat(this.one.node().isSilent()).isFalse();
		this.one.proxy().passReplies();
	}

	/** Only a thread of ours was late: it reads for all, and has something else to do. */
	@Test
	void aReplyThatHasArrivedIsUsedAlsoAfterTheDeadline() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch resting = new CountDownLatch(1);
		Lane held = this.one.take();
		Visitor<NodeCall.CallState> reader = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				LONG);
		Visitor<NodeCall.CallState> gone = this.one.send(OneConnection.call(List.of(), new Resting(busy, resting)),
				SHORT);
		Duration longer = SHORT.multipliedBy(4);
		Visitor<NodeCall.CallState> late = this.one.send(OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING),
				longer);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		this.one.awaitSent(3);
		assertThat(gone.result()).isEqualTo(new NodeCall.FailedCall(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.proxy().passReplies();
		busy.await();
		Deadline deadline = Deadline.in(longer);
		OneConnection.await(deadline::isOver);
		resting.countDown();
		assertThat(late.result()).isEqualTo(new NodeCall.Replied(1L));
		assertThat(reader.result()).isEqualTo(new NodeCall.Replied(1L));
	}

	@Test
	void aLeaderWhoseTimeIsOverMakesPlaceForTheNext() throws Exception {
		Lane held = this.one.take();
		Visitor<AcquireResult> leader = this.one.send(SHORT);
		Visitor<AcquireResult> next = this.one.send(LONG);
		assertThat(leader.result()).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(next.result())).isEqualTo(99);
	}

	@Test
	void noMoreRequestsThanAllowedWait() throws Exception {
		Lane held = this.one.take();
		List<Visitor<AcquireResult>> requests = new ArrayList<>();
		for (int i = 0; i < OneConnection.MAX_WAITING; i++) {
			requests.add(this.one.send(LONG));
		}
		assertThat(this.one.acquire(LONG)).isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(requests).extracting(Visitor::result).allMatch(StoreRequests::isAdmitted);
		assertThat(StoreRequests.isAdmitted(this.one.acquire(LONG))).isTrue();
	}

	/** Holds up the thread that reads. */
	private record Resting(CountDownLatch busy, CountDownLatch resting) implements NodeCall.Afterwards {

		@Override
		public Optional<NodeCall> ran(Object reply) {
			this.busy.countDown();
			try {
				this.resting.await();
			}
			catch (InterruptedException ex) {
				throw new AssertionError(ex);
			}
			return Optional.empty();
		}

		@Override
		public void didNotRun() {
		}

		@Override
		public void lost() {
		}

	}

}
