package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.redis.resp.ScriptRunner;

/**
 * Reports the state of Redis to operators.
 *
 * @param runner runs scripts
 * @param eviction checks the settings of Redis
 */
record RedisDiagnostics(ScriptRunner runner, EvictionCheck eviction) implements StoreDiagnostics {

	@Override
	public Optional<String> lastFailure() {
		return this.runner.lastFailure();
	}

	@Override
	public Optional<List<String>> concerns() {
		return this.eviction.concerns();
	}

	/** Redis counts every subject apart. */
	@Override
	public long sharedDecisions() {
		return 0;
	}

}
