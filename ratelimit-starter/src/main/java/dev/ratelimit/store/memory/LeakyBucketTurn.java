package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * Gives turns: the instant, now or later, at which a leaky bucket has leaked out what
 * came before, in the order asked for and at its pace; of several buckets the slowest
 * tells. What does not fit into one is refused, so that at most its capacity waits or has
 * just gone. Turns fill the bucket as permits of the meter do; so in any time {@code t}
 * no more than {@code capacity + t * threshold / window} are released, also where a rule
 * begins or ceases to delay; who must await a later turn of another rule goes at that
 * one, and the pace of this bucket may be exceeded then. The twin of
 * {@code LeakyBucketTurn.lua}, and the oracle that script is tested against.
 */
final class LeakyBucketTurn {

	/** Above every capacity: takes nothing, and tells when all has leaked out. */
	private static final long TOO_MUCH = 1_000_000_000_000_000L;

	private LeakyBucketTurn() {
	}

	static AcquireResult acquire(LeakyBucket bucket, AcquireRequest request, WaitRange wait, long nowMicros) {
		Limit limit = request.limit();
		String id = request.permit().text();
		List<Usage> before = ((AcquireResult.Refused) bucket.acquire(limit, id, TOO_MUCH, nowMicros)).usage();
		long delay = 0;
		for (Usage usage : before) {
			delay = Math.max(delay, usage.resetMicros());
		}
		if (delay > wait.notAfterMicros()) {
			return refusal(limit, request.cost(), before, delay - wait.notAfterMicros());
		}
		AcquireResult result = bucket.acquire(limit, id, request.cost(), nowMicros);
		if (result instanceof AcquireResult.Admitted admitted) {
			List<Long> emptyAtMicros = admitted.usage()
				.stream()
				.map((usage) -> nowMicros + usage.resetMicros())
				.toList();
			return new AcquireResult.Turn(admitted.usage(), emptyAtMicros, delay);
		}
		return result;
	}

	private static AcquireResult refusal(Limit limit, long cost, List<Usage> before, long lateMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			long room = limit.capacity(i) - cost;
			long resetMicros = before.get(i).resetMicros();
			long retryMicros = (room < 0) ? Usage.NEVER
					: Math.max(lateMicros, resetMicros - Flow.of(limit, i).wholeMicros(room));
			usage.add(new Usage(before.get(i).remaining(), resetMicros, retryMicros));
		}
		return new AcquireResult.Refused(usage);
	}

}
