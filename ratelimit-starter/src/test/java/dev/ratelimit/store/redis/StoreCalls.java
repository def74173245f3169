package dev.ratelimit.store.redis;

import java.util.Map;
import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * The script calls of the store, for tests of their transport.
 */
public final class StoreCalls {

	private final ScriptCallFactory calls;

	private StoreCalls(Map<StoredFormat, AlgorithmScripts> scripts) {
		this.calls = new ScriptCallFactory(SharedRedis.PREFIX, scripts, Optional.empty());
	}

	/** With the scripts as they are shipped. */
	public static StoreCalls shipped() {
		return new StoreCalls(AlgorithmScripts.load());
	}

	/** With the same scripts, which receive the time as one more argument. */
	public static StoreCalls onInjectedTime() {
		return new StoreCalls(AlgorithmScripts.load(InjectedTime.CLOCK));
	}

	/** A store with connections of the test. */
	public static RateLimitStore store(CallRunner runner, LateReplyListener late) {
		return new RedisStore(runner, SharedRedis.PREFIX, AlgorithmScripts.load(), late);
	}

	public ScriptCall of(AcquireRequest request) {
		return this.calls.take(request, NodeCall.Afterwards.NOTHING);
	}

	/** The result of a call that has a reply. */
	public static AcquireResult result(ScriptCall call, AcquireRequest request) {
		return UsageReply.read(((NodeCall.Replied) call.outcome()).reply(), request, false);
	}

}
