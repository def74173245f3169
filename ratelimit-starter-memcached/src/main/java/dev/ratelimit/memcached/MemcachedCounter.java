package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.memcached.meta.MetaCall;
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

	private final WindowCallFactory calls;

	MemcachedCounter(CallRunner runner, WindowCallFactory calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait) {
		List<ClientWindows> windows = new ArrayList<>(permits.size());
		List<MetaCall> sent = new ArrayList<>(permits.size());
		for (AcquiredPermits taken : permits) {
			AcquireRequest request = taken.request();
			ClientWindows ofClient = this.calls.windows(request);
			windows.add(ofClient);
			sent.add(ofClient.call((window, commands) -> aligned(window).countAt(commands, request.cost(),
					taken.receipts().get(window.index())), NodeCall.Afterwards.NOTHING));
		}
		this.runner.run(sent, maxWait);
		List<AcquireResult> results = new ArrayList<>(permits.size());
		for (int i = 0; i < sent.size(); i++) {
			results.add(result(windows.get(i).read(sent.get(i).outcome()), permits.get(i).receipts()));
		}
		return results;
	}

	/** The windows of synced rules are no others. */
	private static AlignedWindow aligned(Window window) {
		return (AlignedWindow) window;
	}

	private static AcquireResult result(WindowReplies replies, List<Long> countedAt) {
		if (replies.isEmpty()) {
			NodeCall.FailedCall failed = replies.failure().orElseThrow();
			return new AcquireResult.Failed(failed.failure(), failed.fate());
		}
		List<MetaReply> counting = new ArrayList<>(countedAt.size());
		List<Long> receipts = new ArrayList<>(countedAt.size());
		for (Window window : replies.windows()) {
			aligned(window).replyAt(replies.of(window), countedAt.get(window.index())).ifPresent(counting::add);
			receipts.add(aligned(window).endMicros());
		}
		if (replies.failure().isPresent()) {
			return new AcquireResult.Failed(replies.failure().get().failure(), fate(counting));
		}
		if (!counting.stream().allMatch(MetaReply.Count.class::isInstance)) {
			return new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);
		}
		return new AcquireResult.Admitted(replies.states().stream().map(WindowState::admitted).toList(), receipts);
	}

	/** What no window has counted is counted later; what one may have must not be. */
	private static Fate fate(List<MetaReply> counting) {
		return counting.stream().allMatch(MetaReply.NotRun.class::isInstance) ? Fate.NOT_TAKEN : Fate.UNKNOWN;
	}

}
