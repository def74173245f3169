package dev.ratelimit.memcached;

import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.NodeCall;

/**
 * A request for permits on its way: its cost is counted in all windows, and released if
 * it turns out that one of them had no room. A cost that no window can ever have room for
 * is not counted; the windows are only read.
 *
 * @param request the request
 * @param start the text with which its keys begin
 * @param nowMicros the time, in microseconds since 1970
 * @param counts whether the cost is counted
 */
record Attempt(AcquireRequest request, String start, long nowMicros, boolean counts) {

	static Attempt of(AcquireRequest request, String start, long nowMicros) {
		return new Attempt(request, start, nowMicros, request.cost() <= request.limit().largestCost());
	}

	MetaCall call(NodeCall.Afterwards afterwards) {
		Limit limit = this.request.limit();
		WindowKeys keys = WindowKeys.of(limit);
		MetaCommands commands = new MetaCommands();
		for (int i = 0; i < limit.size(); i++) {
			Place place = new Place(this.start, limit, i, this.nowMicros);
			if (this.counts) {
				keys.count(commands, place, this.request.cost());
			}
			else {
				keys.read(commands, place);
			}
		}
		return new MetaCall(this.start, commands, afterwards);
	}

	/** The result, and what has to be released before it holds. */
	Decision decision(NodeCall.CallState outcome) {
		if (outcome instanceof NodeCall.FailedCall failed) {
			return new Decision(new AcquireResult.Failed(failed.failure(), failed.fate()), Optional.empty());
		}
		Optional<CountedReply> reply = reply(((NodeCall.Replied) outcome).reply());
		if (reply.isEmpty()) {
			return new Decision(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN), Optional.empty());
		}
		if (!this.counts) {
			return new Decision(reply.get().refused(0), Optional.empty());
		}
		AcquireResult result = reply.get().taken();
		return new Decision(result,
				(result instanceof AcquireResult.Admitted) ? Optional.empty() : Optional.of(reply.get().permits()));
	}

	/** What a reply has counted that no request waits for any more. */
	Optional<AcquiredPermits> counted(Object reply) {
		return this.counts ? reply(reply).map(CountedReply::permits) : Optional.empty();
	}

	private Optional<CountedReply> reply(Object reply) {
		return CountedReply.of(this.request, this.start, this.nowMicros, reply);
	}

	/**
	 * A decision.
	 *
	 * @param result the result
	 * @param toRelease what is counted although it was not taken
	 */
	record Decision(AcquireResult result, Optional<AcquiredPermits> toRelease) {
	}

}
