package dev.ratelimit.memcached;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * What the replies to one request mean: its cost is counted in its windows, and each has
 * room for it or not.
 *
 * @param request the request
 * @param counted what each window counts with the cost; empty where a command did not run
 * @param receipts names the windows in which the cost is counted
 * @param failure why a command did not run; empty if all ran
 */
record CountedReply(AcquireRequest request, List<Optional<WindowState>> counted, List<Long> receipts,
		Optional<StoreFailure> failure) {

	/** Where a window counts nothing for this request. */
	static final long NOT_COUNTED = 0;

	/**
	 * Interpret replies.
	 * @param request the request
	 * @param start the text with which its keys begin
	 * @param nowMicros the time at which the request was made
	 * @param reply the reply to its call
	 * @return what it means; empty if it is not one reply per command
	 */
	static Optional<CountedReply> of(AcquireRequest request, String start, long nowMicros, Object reply) {
		Limit limit = request.limit();
		WindowKeys keys = WindowKeys.of(limit);
		if (!(reply instanceof List<?> list) || list.size() != limit.size() * keys.replies()) {
			return Optional.empty();
		}
		List<MetaReply> replies = new ArrayList<>(list.size());
		for (Object each : list) {
			replies.add((MetaReply) each);
		}
		List<Optional<WindowState>> states = new ArrayList<>(limit.size());
		List<Long> receipts = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			List<MetaReply> ofWindow = replies.subList(i * keys.replies(), (i + 1) * keys.replies());
			Place place = new Place(start, limit, i, nowMicros);
			states.add(keys.state(ofWindow, place));
			receipts.add(keys.receipt(ofWindow, place).orElse(NOT_COUNTED));
		}
		return Optional.of(new CountedReply(request, states, receipts, failure(replies)));
	}

	/** Why a command did not run; empty if all ran. */
	static Optional<StoreFailure> failure(List<?> replies) {
		for (Object reply : replies) {
			if (reply instanceof MetaReply.NotRun notRun) {
				return Optional.of(notRun.error().failure());
			}
		}
		return Optional.empty();
	}

	/** Whether all commands ran. */
	boolean isComplete() {
		return this.failure.isEmpty();
	}

	/** The usage of each window, if all commands ran. */
	List<Usage> usage(Function<WindowState, Usage> usage) {
		List<Usage> windows = new ArrayList<>(this.counted.size());
		for (Optional<WindowState> state : this.counted) {
			windows.add(usage.apply(state.orElseThrow()));
		}
		return windows;
	}

	/** The result of the request, whose cost was sent. */
	AcquireResult taken() {
		if (!isComplete()) {
			return notRun();
		}
		if (this.receipts.contains(NOT_COUNTED)) {
			return new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);
		}
		return haveRoom() ? new AcquireResult.Admitted(usage(WindowState::admitted), this.receipts)
				: refused(this.request.cost());
	}

	private boolean haveRoom() {
		for (Optional<WindowState> state : this.counted) {
			if (state.orElseThrow().room() < 0) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The refusal of the request.
	 * @param sent how much of its cost was sent, and is not taken
	 */
	AcquireResult refused(long sent) {
		return isComplete()
				? new AcquireResult.Refused(usage((state) -> state.plus(-sent).refused(this.request.cost())))
				: notRun();
	}

	/** What was counted all the same is released. */
	private AcquireResult notRun() {
		return new AcquireResult.Failed(this.failure.orElseThrow(), Fate.NOT_TAKEN);
	}

	/** The permits that are counted. */
	AcquiredPermits permits() {
		return new AcquiredPermits(this.request, this.receipts);
	}

}
