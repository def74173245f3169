package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * One circuit breaker per shard. Failures in a row open it that lie apart, or two
 * deadlines without an answer. Then one call at a time tries again, soon at first: if
 * that is answered the breaker closes, else it stays open for twice as long. Their number
 * is bounded, as nodes come and go under new addresses.
 */
public final class Breakers {

	/** More masters than a Redis Cluster is made for. */
	private static final int MOST = 1024;

	private static final Duration IN_VAIN = Duration.ofSeconds(10);

	private final Map<String, ShardBreaker> byShard = new ConcurrentHashMap<>();

	private final BreakerSettings terms;

	private final LongSupplier nanoTime;

	/**
	 * Create breakers.
	 * @param failures how many failures in a row open one; at least 1
	 * @param open how long it stays open at most until a call tries again; at least 1 ms
	 * @param deadline how long a call waits for the store
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public Breakers(int failures, Duration open, Duration deadline, LongSupplier nanoTime) {
		this.terms = BreakerSettings.of(failures, open, deadline);
		this.nanoTime = nanoTime;
	}

	ShardBreaker of(String shard) {
		ShardBreaker found = this.byShard.get(shard);
		if (found != null) {
			return found;
		}
		if (this.byShard.size() >= MOST) {
			// An open one opens again after a few failures.
			this.byShard.clear();
		}
		return this.byShard.computeIfAbsent(shard, (name) -> new ShardBreaker(this.terms, this.nanoTime));
	}

	/**
	 * How many shards are known.
	 * @return their number
	 */
	public int known() {
		return this.byShard.size();
	}

	/**
	 * How many of them are not called for now.
	 * @return their number
	 */
	public int open() {
		return (int) this.byShard.values().stream().filter(ShardBreaker::isOpen).count();
	}

	/**
	 * Forget open breakers that nobody asks any more, as after a failover. To be called
	 * every second or so.
	 */
	public void tidy() {
		this.byShard.values().removeIf((breaker) -> breaker.isOpenInVain(IN_VAIN));
	}

}
