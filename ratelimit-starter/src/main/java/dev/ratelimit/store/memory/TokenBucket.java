package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The token buckets of one rule and subject. Every admission takes its cost in tokens out
 * of a bucket of {@link Limit#capacity}, which is initially full. The twin of
 * {@code TokenBucket.lua}, and the oracle that script is tested against.
 *
 * <h2>Continuous refill</h2> The threshold flows in evenly per window, to the
 * microsecond. In any time {@code t} at most {@code capacity + t * threshold / window}
 * are admitted, so with the default burst just below twice the threshold in a window. The
 * algorithm is that of RFC 2697 and its relatives, computed at each request.
 *
 * <h2>Refill by interval</h2> The bucket is full again one window after the first token
 * was taken from it, and not earlier. It admits at most N in each interval, but up to
 * {@code 2N-1} in a short time around a refill: {@code N-1} late in one interval and N at
 * the start of the next. A limit that must hold in every window needs the sliding-window
 * log.
 *
 * <h2>Memory</h2> Constant, about 20 bytes per window in Redis. A bucket does not know
 * its permits: a request that is sent again counts again. Not safe for concurrent use.
 * Tested by {@code BucketModelTests}.
 */
final class TokenBucket implements SubjectState {

	private @Nullable SubjectState bucket;

	private @Nullable Refill refill;

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		return bucket(limit).acquire(limit, id, cost, nowMicros);
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		SubjectState existing = this.bucket;
		return ((existing != null && this.refill == limit.refill()) ? existing : newBucket(limit)).peek(limit,
				nowMicros);
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		if (this.bucket == null || receipts.isEmpty()) {
			return false;
		}
		return this.refill != limit.refill() || this.bucket.release(limit, id, cost, receipts);
	}

	/** Counts made with the other refill do not apply to this one. */
	private SubjectState bucket(Limit limit) {
		SubjectState existing = this.bucket;
		if (existing == null || this.refill != limit.refill()) {
			existing = newBucket(limit);
			this.bucket = existing;
			this.refill = limit.refill();
		}
		return existing;
	}

	private static SubjectState newBucket(Limit limit) {
		return (limit.refill() == Refill.INTERVAL) ? new CountedWindows<>(IntervalBucket.UNUSED) : new FlowingBucket();
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.bucket == null || this.bucket.isIdle(nowMicros);
	}

}
