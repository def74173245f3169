package dev.ratelimit.store.wire;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.StoreRequests;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of calls on a connection that breaks after the requests have left.
 */
class LateRepliesTests {

	/** Such as the release of an admission whose reply was the last one to arrive. */
	@Test
	void aCallThatWasNotSentDidNotRun() {
		LateReplyRecorder sent = new LateReplyRecorder();
		LateReplyRecorder unsent = new LateReplyRecorder();
		try (OneConnection one = new OneConnection(Thread::new)) {
			NodeCall outstanding = OneConnection.call(List.of(), sent);
			new LateReplies(one.node(), one.take(), true, List.of(outstanding.command(1)),
					List.of(OneConnection.call(List.of(), unsent)))
				.giveUp(StoreFailure.UNREACHABLE);
		}
		assertThat(sent.late()).containsExactly("lost");
		assertThat(unsent.late()).containsExactly("did not run");
	}

	@Test
	void aConnectionThatNoThreadCanReadIsReplaced() {
		LateReplyRecorder sent = new LateReplyRecorder();
		NodeCall outstanding = OneConnection.call(List.of(), sent);
		try (OneConnection one = new OneConnection(Thread::new);
				LateReplyReader reader = new LateReplyReader(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
						new LinkedBlockingQueue<>(1), LateRepliesTests::noThread))) {
			reader.await(one.node(), one.take(), true, List.of(outstanding.command(1)), List.of());
			assertThat(sent.late()).containsExactly("lost");
			assertThat(one.acquire(OneConnection.LONG)).as("over the only connection that is allowed")
				.matches(StoreRequests::isAdmitted);
		}
	}

	private static Thread noThread(Runnable task) {
		throw new OutOfMemoryError("of a test");
	}

}
