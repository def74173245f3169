package dev.ratelimit.memcached;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.NodeCall;

/**
 * The replies to a call on the windows of a client.
 *
 * @param windows the windows
 * @param replies the replies, as many per window as {@link Window#replies()}; empty if it
 * is unknown which commands ran
 * @param failure why not all commands ran; empty if all did. What some of them have
 * counted all the same is to be released
 */
record WindowReplies(List<Window> windows, List<MetaReply> replies, Optional<NodeCall.FailedCall> failure) {

	static WindowReplies of(List<Window> windows, NodeCall.CallState outcome) {
		if (outcome instanceof NodeCall.FailedCall failed) {
			return new WindowReplies(windows, List.of(), Optional.of(failed));
		}
		Object reply = ((NodeCall.Replied) outcome).reply();
		if (!(reply instanceof List<?> list) || list.size() != windows.size() * windows.get(0).replies()) {
			return new WindowReplies(windows, List.of(),
					Optional.of(new NodeCall.FailedCall(StoreFailure.ERROR, Fate.UNKNOWN)));
		}
		List<MetaReply> replies = new ArrayList<>(list.size());
		Optional<NodeCall.FailedCall> failure = Optional.empty();
		for (Object each : list) {
			replies.add((MetaReply) each);
			if (each instanceof MetaReply.NotRun notRun && failure.isEmpty()) {
				failure = Optional.of(new NodeCall.FailedCall(notRun.error().failure(), Fate.NOT_TAKEN));
			}
		}
		return new WindowReplies(windows, replies, failure);
	}

	/** Whether it is unknown which commands ran. */
	boolean isEmpty() {
		return this.replies.isEmpty();
	}

	/** The replies for one window. */
	List<MetaReply> of(Window window) {
		return this.replies.subList(window.index() * window.replies(), (window.index() + 1) * window.replies());
	}

	/** What each window counts, if all commands ran. */
	List<WindowState> states() {
		List<WindowState> states = new ArrayList<>(this.windows.size());
		for (Window window : this.windows) {
			states.add(window.state(of(window)));
		}
		return states;
	}

	/** Names the windows in which a cost is counted. */
	List<Long> receipts() {
		List<Long> receipts = new ArrayList<>(this.windows.size());
		for (Window window : this.windows) {
			receipts.add(window.receipt(of(window)));
		}
		return receipts;
	}

}
