package dev.ratelimit.store.wire;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records how calls ended that no request waits for any more.
 *
 * @param late the late replies, or what is known without one
 */
record LateReplyRecorder(Queue<Object> late) implements NodeCall.Afterwards {

	LateReplyRecorder() {
		this(new ConcurrentLinkedQueue<>());
	}

	@Override
	public Optional<NodeCall> ran(Object reply) {
		this.late.add(reply);
		return Optional.empty();
	}

	@Override
	public void didNotRun() {
		this.late.add("did not run");
	}

	@Override
	public void lost() {
		this.late.add("lost");
	}

}
