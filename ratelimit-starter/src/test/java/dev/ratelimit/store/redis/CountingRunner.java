package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Counts its own calls, whatever other clients the same Redis has, and stays open when a
 * store that uses it is closed.
 *
 * @param runner runs them
 * @param calls how many there were
 */
record CountingRunner(CallRunner runner, LongAdder calls) implements CallRunner {

	CountingRunner(CallRunner runner) {
		this(runner, new LongAdder());
	}

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		this.calls.add(calls.size());
		this.runner.run(calls, maxWait);
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		this.calls.add(calls.size());
		this.runner.start(calls, maxWait, completion);
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
	}

}
