package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * The leaky buckets of one rule and subject, as meters. Every admission pours its cost
 * in, the threshold leaks out evenly per window, and a request that would make a bucket
 * overflow is refused. A bucket holds {@link Limit#capacity} permits, so in any time
 * {@code t} at most {@code capacity + t * threshold / window} are admitted, exactly.
 * Constant memory, about 20 bytes per window in Redis. The algorithm is the "leaky bucket
 * as a meter" of Turner, "New directions in communications" (1986); GCRA decides the
 * same. The twin of {@code LeakyBucket.lua}, and the oracle that script is tested
 * against. A bucket does not know its permits: a request that is sent again counts again.
 * Not safe for concurrent use.
 */
final class LeakyBucket implements SubjectState {

	private final FlowingBucket bucket = new FlowingBucket();

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		return this.bucket.acquire(limit, id, cost, nowMicros);
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		return this.bucket.peek(limit, nowMicros);
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		return this.bucket.release(limit, id, cost, receipts);
	}

	/**
	 * Take a turn back if it is the last one. Otherwise it lapses: no request is pulled
	 * forward, and no instant is given twice.
	 * @param emptyAtMicros the receipt of the turn: when all will have leaked out of each
	 * bucket
	 * @return whether the receipt was complete
	 */
	boolean releaseTurn(Limit limit, long cost, List<Long> emptyAtMicros) {
		return this.bucket.releaseLast(limit, cost, emptyAtMicros);
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.bucket.isIdle(nowMicros);
	}

}
