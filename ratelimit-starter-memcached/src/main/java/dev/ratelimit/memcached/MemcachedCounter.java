package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Counts the permits of synced rules in the keys in which their requests count. All calls
 * of one batch are sent together; none is repeated.
 */
final class MemcachedCounter implements PermitCounter {

	private final CallRunner runner;

	private final WindowCalls calls;

	MemcachedCounter(CallRunner runner, WindowCalls calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait) {
		long now = this.calls.nowMicros();
		List<MetaCall> sent = permits.stream().map((taken) -> call(taken, now)).toList();
		this.runner.run(sent, maxWait);
		List<AcquireResult> results = new ArrayList<>(permits.size());
		for (int i = 0; i < sent.size(); i++) {
			results.add(result(sent.get(i).outcome(), permits.get(i).request(), now));
		}
		return results;
	}

	private MetaCall call(AcquiredPermits taken, long now) {
		AcquireRequest request = taken.request();
		AlignedKeys keys = (AlignedKeys) WindowKeys.of(request.limit());
		MetaCommands commands = new MetaCommands();
		String start = this.calls.start(request);
		for (int i = 0; i < request.limit().size(); i++) {
			keys.countAt(commands, new Place(start, request.limit(), i, now), request.cost(), taken.receipts().get(i));
		}
		return new MetaCall(start, commands, NodeCall.Afterwards.NOTHING);
	}

	private AcquireResult result(NodeCall.CallState outcome, AcquireRequest request, long now) {
		if (outcome instanceof NodeCall.FailedCall failed) {
			return new AcquireResult.Failed(failed.failure(), failed.fate());
		}
		return CountedReply.of(request, this.calls.start(request), now, ((NodeCall.Replied) outcome).reply())
			.filter(CountedReply::isComplete)
			.<AcquireResult>map(
					(reply) -> new AcquireResult.Admitted(reply.usage(WindowState::admitted), reply.receipts()))
			.orElseGet(() -> new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
	}

}
