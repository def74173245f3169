package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Sends every request alone, which no application can do: each has a connection for
 * itself until it is answered.
 */
public final class UnsharedConnections implements CallRunner {

	/** All, each with one connection. */
	private final List<CallRunner> runners;

	/** The one used last comes first. */
	private final BlockingDeque<CallRunner> free;

	private UnsharedConnections(List<CallRunner> runners) {
		this.runners = runners;
		this.free = new LinkedBlockingDeque<>(runners);
	}

	/**
	 * Open the connections.
	 * @param details where Redis is
	 * @param settings the settings of the store
	 * @return a runner of scripts on that Redis
	 */
	public static CallRunner open(RedisDetails details, RedisStoreSettings settings) {
		RedisStoreSettings single = new RedisStoreSettings(settings.keyPrefix(), settings.connectTimeout(), 1,
				settings.maxWaiting());
		return new UnsharedConnections(Stream.generate(() -> new RedisConnections(details, single).open())
			.limit(settings.maxConnections())
			.toList());
	}

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		CallRunner alone;
		try {
			alone = this.free.takeFirst();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Nothing interrupts a benchmark", ex);
		}
		try {
			alone.run(calls, maxWait);
		}
		finally {
			this.free.addFirst(alone);
		}
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		run(calls, maxWait);
		completion.run();
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		return this.runners.get(0).shard(key);
	}

	@Override
	public String describe() {
		return this.runners.get(0).describe();
	}

	@Override
	public void close() {
		this.runners.forEach(CallRunner::close);
	}

}
