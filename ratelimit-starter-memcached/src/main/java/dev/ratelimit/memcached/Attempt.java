package dev.ratelimit.memcached;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.PermitReleaser;

/**
 * A request for permits on its way: its cost is counted in all windows, and released if
 * it turns out that one of them had no room. A cost that no window can ever have room for
 * is not counted; the windows are only read.
 *
 * @param request the request
 * @param windows the windows of its client
 * @param counts whether the cost is counted
 */
record Attempt(AcquireRequest request, ClientWindows windows, boolean counts) {

	static Attempt of(AcquireRequest request, ClientWindows windows) {
		return new Attempt(request, windows, request.cost() <= request.limit().largestCost());
	}

	/**
	 * Create the call.
	 * @param releaser releases what it has counted, if its reply comes too late
	 */
	MetaCall call(PermitReleaser releaser) {
		long cost = this.request.cost();
		return this.windows.call(this.counts ? (window, commands) -> window.count(commands, cost) : Window::read,
				new Late(this, releaser));
	}

	/** The result, and what has to be released before it holds. */
	Decision decision(NodeCall.CallState outcome) {
		WindowReplies replies = this.windows.read(outcome);
		AcquireResult result = result(replies);
		return new Decision(result, (result instanceof AcquireResult.Admitted) ? Optional.empty() : counted(replies));
	}

	private AcquireResult result(WindowReplies replies) {
		if (replies.failure().isPresent()) {
			return new AcquireResult.Failed(replies.failure().get().failure(), replies.failure().get().fate());
		}
		List<WindowState> states = replies.states();
		if (!this.counts) {
			return refused(states, 0);
		}
		List<Long> receipts = replies.receipts();
		if (receipts.contains(Window.NOT_COUNTED)) {
			return new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);
		}
		List<Usage> usage = new ArrayList<>(states.size());
		for (WindowState state : states) {
			if (state.room() < 0) {
				return refused(states, this.request.cost());
			}
			usage.add(state.admitted());
		}
		return new AcquireResult.Admitted(usage, receipts);
	}

	/**
	 * The refusal of the request.
	 * @param sent how much of its cost was sent, and is not taken
	 */
	private AcquireResult refused(List<WindowState> states, long sent) {
		List<Usage> usage = new ArrayList<>(states.size());
		for (WindowState state : states) {
			usage.add(state.minus(sent).refused(this.request.cost()));
		}
		return new AcquireResult.Refused(usage);
	}

	private Optional<AcquiredPermits> counted(WindowReplies replies) {
		return (this.counts && !replies.isEmpty()) ? Optional.of(new AcquiredPermits(this.request, replies.receipts()))
				: Optional.empty();
	}

	/**
	 * A decision.
	 *
	 * @param result the result
	 * @param toRelease what is counted although it was not taken
	 */
	record Decision(AcquireResult result, Optional<AcquiredPermits> toRelease) {
	}

	/** Releases what a reply has counted that comes too late for its request. */
	private record Late(Attempt attempt, PermitReleaser releaser) implements NodeCall.Afterwards {

		@Override
		public Optional<NodeCall> ran(Object reply) {
			return this.attempt.counted(this.attempt.windows.read(new NodeCall.Replied(reply)))
				.map(this.releaser::undo);
		}

		@Override
		public void didNotRun() {
			// There is nothing to release.
		}

		@Override
		public void lost() {
			this.releaser.report(this.attempt.request.limit().rule(), false);
		}

	}

}
