package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Reads and deletes the counts of a client.
 */
final class MemcachedInspector implements Inspector {

	private static final PermitId NO_PERMIT = new PermitId("inspected");

	private final CallRunner runner;

	private final WindowCalls calls;

	MemcachedInspector(CallRunner runner, WindowCalls calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
		long now = this.calls.nowMicros();
		String start = this.calls.start(limit, subject);
		MetaCommands commands = new MetaCommands();
		for (int i = 0; i < limit.size(); i++) {
			WindowKeys.of(limit).read(commands, new Place(start, limit, i, now));
		}
		NodeCall.CallState outcome = run(start, commands, maxWait);
		if (outcome instanceof NodeCall.FailedCall failed) {
			return new Inspection.NotAvailable(failed.failure());
		}
		AcquireRequest one = new AcquireRequest(limit, subject, 1, NO_PERMIT);
		return CountedReply.of(one, start, now, ((NodeCall.Replied) outcome).reply())
			.map(MemcachedInspector::inspection)
			.orElseGet(() -> new Inspection.NotAvailable(StoreFailure.ERROR));
	}

	private static Inspection inspection(CountedReply reply) {
		return reply.failure()
			.<Inspection>map(Inspection.NotAvailable::new)
			.orElseGet(() -> new Inspection.Found(reply.usage((state) -> state.refused(1))));
	}

	@Override
	public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
		String start = this.calls.start(limit, subject);
		MetaCommands commands = new MetaCommands();
		for (int i = 0; i < limit.size(); i++) {
			WindowKeys.of(limit).delete(commands, new Place(start, limit, i, this.calls.nowMicros()));
		}
		NodeCall.CallState outcome = run(start, commands, maxWait);
		if (outcome instanceof NodeCall.FailedCall failed) {
			return Optional.of(failed.failure());
		}
		return (((NodeCall.Replied) outcome).reply() instanceof List<?> replies) ? CountedReply.failure(replies)
				: Optional.of(StoreFailure.ERROR);
	}

	private NodeCall.CallState run(String start, MetaCommands commands, Duration maxWait) {
		MetaCall call = new MetaCall(start, commands, NodeCall.Afterwards.NOTHING);
		this.runner.run(List.of(call), maxWait);
		return call.outcome();
	}

}
