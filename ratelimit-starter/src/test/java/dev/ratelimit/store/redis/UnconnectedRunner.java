package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Runs nothing: the calls keep the outcome that they begin with.
 *
 * @param seen receives the calls
 */
record UnconnectedRunner(Consumer<List<? extends NodeCall>> seen) implements CallRunner {

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		this.seen.accept(calls);
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		this.seen.accept(calls);
		completion.run();
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		return describe();
	}

	@Override
	public String describe() {
		return "nowhere";
	}

	@Override
	public void close() {
	}

}
