package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Inspects the keys of clients with the scripts that decide, which are kept from writing.
 * Needs no rights beyond theirs.
 */
final class RedisInspector implements Inspector {

	/** Shorter than any id of a request, so no log contains it. */
	private static final PermitId NO_PERMIT = new PermitId("-");

	private final CallRunner runner;

	private final ScriptCallFactory calls;

	private final Script reset = Script.load("Reset.lua");

	RedisInspector(CallRunner runner, ScriptCallFactory calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
		AcquireRequest request = new AcquireRequest(limit, subject, 1, NO_PERMIT);
		ScriptCall call = this.calls.peek(request);
		this.runner.run(List.of(call), maxWait);
		AcquireResult result = RedisStore.result(call, request, this.calls.scoped(limit).isPresent());
		if (result instanceof AcquireResult.Failed failed) {
			return new Inspection.NotAvailable(failed.failure());
		}
		return new Inspection.Found(usage(result));
	}

	private static List<Usage> usage(AcquireResult result) {
		return (result instanceof AcquireResult.Refused refused) ? refused.usage()
				: ((AcquireResult.Admitted) result).usage();
	}

	@Override
	public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
		ScriptCall call = this.calls.reset(new AcquireRequest(limit, subject, 1, NO_PERMIT), this.reset);
		boolean othersReset = this.calls.scoped(limit)
			.map((scoped) -> scoped.scope().reset(limit, subject, maxWait))
			.orElse(true);
		this.runner.run(List.of(call), maxWait);
		if (call.outcome() instanceof NodeCall.FailedCall failed) {
			return Optional.of(failed.failure());
		}
		return othersReset ? Optional.empty() : Optional.of(StoreFailure.UNREACHABLE);
	}

}
