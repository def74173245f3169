package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * Gives turns. A turn is the instant, now or later, at which a leaky bucket has leaked
 * out all earlier requests. Turns follow the order of the requests and the pace of the
 * bucket; of several buckets the slowest determines the turn. A request that does not fit
 * into a bucket is refused, so at most its capacity waits or has just been released.
 * Turns fill the bucket as permits of the meter do. So in any time {@code t} no more than
 * {@code capacity + t * threshold / window} are released, including where a rule begins
 * or ceases to delay. A request that must await a later turn of another rule is released
 * at that one, and may then exceed the pace of this bucket. The twin of {@code
 * LeakyBucketTurn.lua}, and the oracle that script is tested against. Tested by
 * {@code TurnContractTests}.
 */
final class LeakyBucketTurn {

	private LeakyBucketTurn() {
	}

	static AcquireResult acquire(FlowingBucket bucket, AcquireRequest request, WaitRange wait, long nowMicros) {
		Limit limit = request.limit();
		List<Usage> before = bucket.look(limit, request.cost(), nowMicros);
		long delay = 0;
		for (Usage usage : before) {
			delay = Math.max(delay, usage.resetMicros());
		}
		if (delay > wait.notAfterMicros()) {
			return refusal(limit, request.cost(), before, delay - wait.notAfterMicros());
		}
		AcquireResult result = bucket.acquire(limit, request.permit().text(), request.cost(), nowMicros);
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
