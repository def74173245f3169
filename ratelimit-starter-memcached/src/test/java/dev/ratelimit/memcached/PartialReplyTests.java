package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the permits of synced rules and the operators get where only some commands of a
 * call ran.
 */
class PartialReplyTests {

	private static final MetaReply NOT_RUN = new MetaReply.NotRun(
			new ErrorReply(StoreFailure.UNAVAILABLE, false, false, false, new IllegalStateException()));

	private static final MetaReply COUNT = new MetaReply.Count(4, 61);

	private static final AcquireRequest REQUEST = Requests
		.request(Requests.synced(Algorithm.SLIDING_WINDOW_COUNTER, "two", "9/60s", "9/3600s"), "u1", 4);

	private final WindowCallFactory calls = new WindowCallFactory("rl", new TestClock());

	private AcquireResult counted(MetaReply... replies) {
		long minute = endOfWindow(60_000_000);
		long hour = endOfWindow(3_600_000_000L);
		return new MemcachedCounter(new Replies(List.of(replies)), this.calls)
			.count(List.of(new AcquiredPermits(REQUEST, List.of(minute, hour))), Requests.PATIENCE)
			.get(0);
	}

	private long endOfWindow(long windowMicros) {
		return (this.calls.nowMicros() / windowMicros + 1) * windowMicros;
	}

	@Test
	void permitsThatNoWindowCountedAreNotTaken() {
		assertThat(counted(new MetaReply.NotFound(), NOT_RUN, COUNT, NOT_RUN))
			.isEqualTo(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
	}

	@Test
	void permitsThatAWindowCountedAreNotCountedAgain() {
		assertThat(counted(new MetaReply.NotFound(), COUNT, new MetaReply.NotFound(), NOT_RUN))
			.isEqualTo(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.UNKNOWN));
	}

	@Test
	void permitsOfWhichAWindowReportsNoCountMayBeTaken() {
		for (MetaReply none : List.of(new MetaReply.NotFound(), new MetaReply.Done())) {
			assertThat(counted(new MetaReply.NotFound(), COUNT, new MetaReply.NotFound(), none))
				.isEqualTo(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
			assertThat(counted(new MetaReply.NotFound(), none, new MetaReply.NotFound(), NOT_RUN))
				.isEqualTo(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.UNKNOWN));
		}
	}

	@Test
	void anOperatorSeesWhyACountCouldNotBeReadOrReset() {
		MemcachedInspector inspector = new MemcachedInspector(
				new Replies(List.of(new MetaReply.NotFound(), COUNT, new MetaReply.NotFound(), NOT_RUN)), this.calls);
		assertThat(inspector.peek(REQUEST.limit(), REQUEST.subject(), Requests.PATIENCE))
			.isEqualTo(new Inspection.NotAvailable(StoreFailure.UNAVAILABLE));
		assertThat(inspector.reset(REQUEST.limit(), REQUEST.subject(), Requests.PATIENCE))
			.contains(StoreFailure.UNAVAILABLE);
	}

	/**
	 * Replies the same to each call.
	 *
	 * @param replies the replies
	 */
	private record Replies(List<MetaReply> replies) implements CallRunner {

		@Override
		public void run(List<? extends NodeCall> calls, Duration maxWait) {
			calls.forEach((call) -> call.replied(this.replies));
		}

		@Override
		public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
			run(calls, maxWait);
			completion.run();
		}

		@Override
		public String shard(Supplier<byte[]> key) {
			return "one";
		}

		@Override
		public String describe() {
			return "one";
		}

		@Override
		public void close() {
		}

	}

}
