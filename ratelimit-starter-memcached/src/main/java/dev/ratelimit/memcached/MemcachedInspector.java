package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Reads and deletes the counts of a client.
 */
final class MemcachedInspector implements Inspector {

	private final CallRunner runner;

	private final WindowCallFactory calls;

	MemcachedInspector(CallRunner runner, WindowCallFactory calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
		ClientWindows windows = this.calls.windows(limit, subject);
		WindowReplies replies = replies(windows, windows.call(Window::read, NodeCall.Afterwards.NOTHING), maxWait);
		return replies.failure()
			.<Inspection>map((failed) -> new Inspection.NotAvailable(failed.failure()))
			.orElseGet(() -> new Inspection.Found(replies.states().stream().map((state) -> state.refused(1)).toList()));
	}

	@Override
	public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
		ClientWindows windows = this.calls.windows(limit, subject);
		return replies(windows, windows.call(Window::delete, NodeCall.Afterwards.NOTHING), maxWait).failure()
			.map(NodeCall.FailedCall::failure);
	}

	private WindowReplies replies(ClientWindows windows, MetaCall call, Duration maxWait) {
		this.runner.run(List.of(call), maxWait);
		return windows.read(call.outcome());
	}

}
