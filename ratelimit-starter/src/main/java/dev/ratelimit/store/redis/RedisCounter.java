package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;

/**
 * Counts in the same keys in which the algorithm counts the permits that it admits
 * itself. All calls of one batch are sent together; none is repeated.
 */
final class RedisCounter implements PermitCounter {

	private final CallRunner runner;

	private final ScriptCallFactory calls;

	RedisCounter(CallRunner runner, ScriptCallFactory calls) {
		this.runner = runner;
		this.calls = calls;
	}

	@Override
	public List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait) {
		List<ScriptCall> counted = new ArrayList<>(permits.size());
		for (AcquiredPermits taken : permits) {
			counted.add(this.calls.count(taken));
		}
		this.runner.run(counted, maxWait);
		List<AcquireResult> results = new ArrayList<>(permits.size());
		for (int i = 0; i < counted.size(); i++) {
			results.add(RedisStore.result(counted.get(i), permits.get(i).request()));
		}
		return results;
	}

}
