package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;

/**
 * Counts in the same keys in which the algorithm counts the permits that it admits
 * itself. All calls of one batch are sent together; none is repeated.
 */
final class RedisCounter implements PermitCounter {

	private final CallRunner runner;

	private final ScriptCalls calls;

	private final Map<Algorithm, Script> scripts;

	RedisCounter(CallRunner runner, ScriptCalls calls, Map<Algorithm, Script> scripts) {
		this.runner = runner;
		this.calls = calls;
		this.scripts = scripts;
	}

	/** On Redis' own clock. */
	static RedisCounter shipped(CallRunner runner, ScriptCalls calls) {
		Map<Algorithm, Script> scripts = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : Mode.ModeKind.SYNCED.algorithms()) {
			scripts.put(algorithm,
					Script.of(Script.readAll(AlgorithmScripts.sync(algorithm)) + Script.read(Script.CLOCK)));
		}
		return new RedisCounter(runner, calls, scripts);
	}

	@Override
	public List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait) {
		List<ScriptCall> counted = new ArrayList<>(permits.size());
		for (AcquiredPermits taken : permits) {
			counted.add(this.calls.count(taken, script(taken)));
		}
		this.runner.run(counted, maxWait);
		List<AcquireResult> results = new ArrayList<>(permits.size());
		for (int i = 0; i < counted.size(); i++) {
			results.add(RedisStore.result(counted.get(i), permits.get(i).request()));
		}
		return results;
	}

	private Script script(AcquiredPermits taken) {
		return Objects.requireNonNull(this.scripts.get(taken.request().limit().algorithm()));
	}

}
