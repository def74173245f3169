package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * One circuit breaker per shard. Consecutive failures that are apart from each other open
 * a breaker, and so do two deadlines without a reply. Then one call at a time probes the
 * shard, soon at first. If the probe succeeds the breaker closes, else it stays open for
 * twice as long. The number of breakers is bounded, because nodes come and go under new
 * addresses. Tested by {@code RemoteStoreBreakerTests}.
 */
public final class Breakers {

	/** More masters than a Redis Cluster is designed for. */
	private static final int MOST = 1024;

	private static final Duration IN_VAIN = Duration.ofSeconds(10);

	private final Map<String, ShardBreaker> byShard = new ConcurrentHashMap<>();

	private final BreakerSettings settings;

	private final LongSupplier nanoTime;

	/**
	 * Create breakers.
	 * @param failures how many consecutive failures open a breaker; at least 1
	 * @param open how long a breaker stays open at most until a probe; at least 1 ms
	 * @param deadline how long a call waits for the store
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public Breakers(int failures, Duration open, Duration deadline, LongSupplier nanoTime) {
		this.settings = BreakerSettings.of(failures, open, deadline);
		this.nanoTime = nanoTime;
	}

	ShardBreaker of(String shard) {
		ShardBreaker found = this.byShard.get(shard);
		if (found != null) {
			return found;
		}
		if (this.byShard.size() >= MOST) {
			// A breaker that was open opens again after a few failures.
			this.byShard.clear();
		}
		return this.byShard.computeIfAbsent(shard, (name) -> new ShardBreaker(this.settings, this.nanoTime));
	}

	/**
	 * How many shards are known.
	 * @return their number
	 */
	public int known() {
		return this.byShard.size();
	}

	/**
	 * How many of the known shards are not called at the moment.
	 * @return their number
	 */
	public int open() {
		return (int) this.byShard.values().stream().filter(ShardBreaker::isOpen).count();
	}

	/**
	 * Drop open breakers that no request uses any more, as after a failover. To be called
	 * about once a second.
	 */
	public void tidy() {
		this.byShard.values().removeIf((breaker) -> breaker.isOpenInVain(IN_VAIN));
	}

}
