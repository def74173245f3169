package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;

import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls to a node to which their slot is being moved. {@code ASKING} has a reply of its
 * own, which is an error on a server that is not part of a Cluster, as here.
 */
class AskingTests {

	private final OneConnection one = new OneConnection(ThreadKind.PLATFORM);

	private final Queue<Object> late = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() {
		this.one.close();
	}

	@Test
	void sharesABatchWithOtherCalls() {
		ScriptCall asking = call();
		ScriptCall other = call();
		RedisConnection held = this.one.take();
		FutureTask<Boolean> first = start(asking, true, OneConnection.LONG);
		FutureTask<Boolean> second = start(other, false, OneConnection.LONG);
		this.one.putBack(held);
		OneConnection.await(() -> first.isDone() && second.isDone());
		assertThat(List.of(asking.outcome(), other.outcome())).containsOnly(new ScriptCall.Replied(1L));
	}

	@Test
	void itsLateReplyIsNotTakenForThatToAnotherCall() {
		this.one.proxy().holdReplies();
		ScriptCall asking = call();
		start(asking, true, OneConnection.SHORT).run();
		assertThat(asking.outcome()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.one.proxy().passReplies();
		OneConnection.await(() -> !this.late.isEmpty());
		assertThat(this.late).containsExactly(1L);
		assertThat(OneConnection.remaining(this.one.acquire(OneConnection.LONG))).isEqualTo(99);
	}

	private FutureTask<Boolean> start(ScriptCall call, boolean asking, Duration maxWait) {
		Node node = this.one.node();
		NodeCall plain = NodeCall.first(call, node);
		NodeCalls calls = new NodeCalls(node, (where, failure, cause) -> {
		});
		calls.add(asking ? plain.askedAt(node) : plain);
		FutureTask<Boolean> task = new FutureTask<>(() -> {
			boolean ended = node.batcher().run(calls, new CallTime(maxWait));
			return ended && calls.deliver().isEmpty();
		});
		if (maxWait.equals(OneConnection.LONG)) {
			Thread thread = new Thread(task);
			thread.start();
			OneConnection.await(() -> thread.getState() == Thread.State.TIMED_WAITING || task.isDone());
		}
		return task;
	}

	private ScriptCall call() {
		return OneConnection.call(List.of(), new ScriptCall.Afterwards() {

			@Override
			public Optional<ScriptCall> ran(Object reply) {
				AskingTests.this.late.add(reply);
				return Optional.empty();
			}

			@Override
			public void didNotRun() {
				AskingTests.this.late.add("did not run");
			}

			@Override
			public void lost() {
				AskingTests.this.late.add("lost");
			}

		});
	}

}
