package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
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
			results.add(result(sent.get(i).outcome(), permits.get(i), now));
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

	private AcquireResult result(NodeCall.CallState outcome, AcquiredPermits taken, long now) {
		if (outcome instanceof NodeCall.FailedCall failed) {
			return new AcquireResult.Failed(failed.failure(), failed.fate());
		}
		Object reply = ((NodeCall.Replied) outcome).reply();
		AcquireRequest request = taken.request();
		AlignedKeys keys = (AlignedKeys) WindowKeys.of(request.limit());
		String start = this.calls.start(request);
		Optional<CountedReply> read = CountedReply.of(request, start, now, reply);
		if (read.isEmpty()) {
			return new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);
		}
		List<MetaReply> counting = new ArrayList<>(request.limit().size());
		List<Long> receipts = new ArrayList<>(request.limit().size());
		for (int i = 0; i < request.limit().size(); i++) {
			Place place = new Place(start, request.limit(), i, now);
			List<?> ofWindow = ((List<?>) reply).subList(i * keys.replies(), (i + 1) * keys.replies());
			keys.replyAt(ofWindow, place, taken.receipts().get(i)).ifPresent(counting::add);
			receipts.add(AlignedKeys.endMicros(place));
		}
		return read.get()
			.failure()
			.or(() -> counting.stream().allMatch(MetaReply.Count.class::isInstance) ? Optional.empty()
					: Optional.of(StoreFailure.ERROR))
			.<AcquireResult>map((failure) -> new AcquireResult.Failed(failure, fate(counting)))
			.orElseGet(() -> new AcquireResult.Admitted(read.get().usage(WindowState::admitted), receipts));
	}

	/** What no window has counted is counted later; what one may have must not be. */
	private static Fate fate(List<MetaReply> counting) {
		return counting.stream().allMatch(MetaReply.NotRun.class::isInstance) ? Fate.NOT_TAKEN : Fate.UNKNOWN;
	}

}
