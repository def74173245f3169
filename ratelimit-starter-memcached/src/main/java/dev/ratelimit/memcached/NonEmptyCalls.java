package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Runs releases. One without commands, as nothing of it may be released any more, ends at
 * once and needs no server.
 *
 * @param runner runs the others
 */
record NonEmptyCalls(CallRunner runner) implements CallRunner {

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		List<NodeCall> toSend = toSend(calls);
		if (!toSend.isEmpty()) {
			this.runner.run(toSend, maxWait);
		}
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		List<NodeCall> toSend = toSend(calls);
		if (toSend.isEmpty()) {
			completion.run();
		}
		else {
			this.runner.start(toSend, maxWait, completion);
		}
	}

	private static List<NodeCall> toSend(List<? extends NodeCall> calls) {
		List<NodeCall> toSend = new ArrayList<>(calls.size());
		for (NodeCall call : calls) {
			if (((MetaCall) call).isEmpty()) {
				call.replied(List.of());
			}
			else {
				toSend.add(call);
			}
		}
		return toSend;
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		return this.runner.shard(key);
	}

	@Override
	public String describe() {
		return this.runner.describe();
	}

	@Override
	public void close() {
		this.runner.close();
	}

}
