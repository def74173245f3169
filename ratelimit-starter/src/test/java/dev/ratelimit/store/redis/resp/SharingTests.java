package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.Asking;
import dev.ratelimit.store.redis.resp.OneConnection.Visitor;
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

	private static final Duration AGES = OneConnection.AGES;

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
	void whoWaitsGoesTogetherInTheOrderOfComing() throws Exception {
		RedisConnection held = this.one.take();
		List<Visitor<AcquireResult>> visitors = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			visitors.add(this.one.comes(AGES));
		}
		long readsBefore = this.one.stat("stats", "total_reads_processed:");
		this.one.putBack(held);
		for (int i = 0; i < 20; i++) {
			assertThat(OneConnection.remaining(visitors.get(i).result())).isEqualTo(99 - i);
		}
		assertThat(this.one.stat("stats", "total_reads_processed:") - readsBefore)
			.as("one read by Redis, and that of INFO")
			.isEqualTo(2);
		assertThat(this.one.stat("commandstats", "evalsha:calls=")).as("one command, as they call one script")
			.isEqualTo(1);
	}

	@Test
	void whoLeadsAndHasLittleTimeCutsNobodyShort() throws Exception {
		RedisConnection held = this.one.take();
		Visitor<AcquireResult> leader = this.one.comes(SHORT);
		Visitor<AcquireResult> other = this.one.comes(AGES);
		Visitor<AcquireResult> another = this.one.comes(AGES);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(leader.result()).isEqualTo(Asking.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.awaitSent(3);
		this.one.proxy().passReplies();
		assertThat(OneConnection.remaining(other.result())).isEqualTo(98);
		assertThat(OneConnection.remaining(another.result())).isEqualTo(97);
		this.one.awaitHeard(1);
		assertThat(this.one.heard()).containsExactly("given back");
		assertThat(this.one.stored()).isEqualTo(2);
	}

	@Test
	void whoIsTakenAlongLeavesWhenItsOwnTimeIsOver() throws Exception {
		RedisConnection held = this.one.take();
		Visitor<AcquireResult> leader = this.one.comes(AGES);
		Visitor<AcquireResult> other = this.one.comes(SHORT);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		assertThat(other.result()).isEqualTo(Asking.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		assertThat(leader.task()).isNotDone();
		this.one.awaitSent(2);
		this.one.proxy().passReplies();
		assertThat(OneConnection.remaining(leader.result())).isEqualTo(99);
		this.one.awaitHeard(1);
		assertThat(this.one.heard()).containsExactly("given back");
		assertThat(this.one.stored()).isEqualTo(1);
		assertThat(OneConnection.remaining(this.one.acquire(AGES))).as("over the same connection").isEqualTo(98);
	}

	@Test
	void whatComesWhenAllHaveLeftIsGivenBackOnce() throws Exception {
		RedisConnection held = this.one.take();
		List<Visitor<AcquireResult>> visitors = List.of(this.one.comes(SHORT), this.one.comes(SHORT),
				this.one.comes(SHORT));
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		for (Visitor<AcquireResult> visitor : visitors) {
			assertThat(visitor.result()).isEqualTo(Asking.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		}
		this.one.proxy().passReplies();
		this.one.awaitHeard(3);
		assertThat(this.one.heard()).containsOnly("given back");
		assertThat(this.one.stored()).isZero();
		assertThat(OneConnection.remaining(this.one.acquire(AGES))).isEqualTo(99);
	}

	@Test
	void whoStillWaitsWhenItsTimeIsOverIsNeverSent() throws Exception {
		RedisConnection held = this.one.take();
		Visitor<AcquireResult> leader = this.one.comes(AGES);
		Visitor<AcquireResult> other = this.one.comes(SHORT);
		assertThat(other.result()).isEqualTo(Asking.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(leader.result())).isEqualTo(99);
		assertThat(this.one.stored()).isEqualTo(1);
		assertThat(this.one.stat("commandstats", "evalsha:calls=")).as("the leader's").isEqualTo(1);
		assertThat(this.one.heard()).isEmpty();
		assertThat(OneConnection.remaining(this.one.acquire(AGES))).as("nothing was given back").isEqualTo(98);
	}

	@Test
	void theDeadlineBeginsWhenTheCallIsWritten() throws Exception {
		RedisConnection held = this.one.take();
		Visitor<AcquireResult> leader = this.one.comes(SHORT);
		Visitor<AcquireResult> other = this.one.comes(SHORT);
		Deadline deadline = Deadline.in(SHORT);
		OneConnection.await(deadline::isOver);
		this.one.putBack(held);
		assertThat(OneConnection.remaining(leader.result()) + OneConnection.remaining(other.result()))
			.isEqualTo(99 + 98);
	}

	@Test
	void whereTheServerAnswersNobodyAWaitForATurnIsItsFailure() throws Exception {
		RedisConnection held = this.one.take();
		this.one.node().notAnswered();
		Visitor<AcquireResult> leader = this.one.comes(SHORT);
		Visitor<AcquireResult> other = this.one.comes(SHORT);
		assertThat(leader.result()).isEqualTo(Asking.failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN));
		assertThat(other.result()).isIn(Asking.failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN),
				Asking.failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(this.one.acquire(AGES))).isEqualTo(99);
		assertThat(this.one.node().isSilent()).isFalse();
	}

	/** Only a thread of ours was late: it reads for all, and has something else to do. */
	@Test
	void aReplyThatHasArrivedIsUsedAlsoAfterTheDeadline() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch resting = new CountDownLatch(1);
		RedisConnection held = this.one.take();
		Visitor<ScriptCall.CallState> reader = this.one
			.comes(OneConnection.call(List.of(), ScriptCall.Afterwards.NOTHING), AGES);
		Visitor<ScriptCall.CallState> gone = this.one.comes(OneConnection.call(List.of(), new Resting(busy, resting)),
				SHORT);
		Duration longer = SHORT.multipliedBy(2);
		Visitor<ScriptCall.CallState> late = this.one
			.comes(OneConnection.call(List.of(), ScriptCall.Afterwards.NOTHING), longer);
		this.one.proxy().holdReplies();
		this.one.putBack(held);
		this.one.awaitSent(3);
		assertThat(gone.result())
			.isEqualTo(new ScriptCall.FailedCall(new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.AWAITED)));
		this.one.proxy().passReplies();
		busy.await();
		Deadline deadline = Deadline.in(longer);
		OneConnection.await(deadline::isOver);
		resting.countDown();
		assertThat(late.result()).isEqualTo(new ScriptCall.Replied(1L));
		assertThat(reader.result()).isEqualTo(new ScriptCall.Replied(1L));
	}

	@Test
	void whoseTimeIsOverWhileItLeadsMakesPlaceForTheNext() throws Exception {
		RedisConnection held = this.one.take();
		Visitor<AcquireResult> leader = this.one.comes(SHORT);
		Visitor<AcquireResult> next = this.one.comes(AGES);
		assertThat(leader.result()).isEqualTo(Asking.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(OneConnection.remaining(next.result())).isEqualTo(99);
	}

	@Test
	void noMoreThanSoManyWait() throws Exception {
		RedisConnection held = this.one.take();
		List<Visitor<AcquireResult>> visitors = new ArrayList<>(List.of(this.one.comes(AGES)));
		for (int i = 0; i < OneConnection.MAX_WAITING; i++) {
			visitors.add(this.one.comes(AGES));
		}
		assertThat(this.one.acquire(AGES)).isEqualTo(Asking.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		this.one.putBack(held);
		assertThat(visitors).extracting(Visitor::result).allMatch(Asking::isAdmitted);
		assertThat(Asking.isAdmitted(this.one.acquire(AGES))).isTrue();
	}

	/** Holds up the thread that reads. */
	private record Resting(CountDownLatch busy, CountDownLatch resting) implements ScriptCall.Afterwards {

		@Override
		public Optional<ScriptCall> ran(Object reply) {
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
