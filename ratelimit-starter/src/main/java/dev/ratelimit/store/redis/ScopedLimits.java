package dev.ratelimit.store.redis;

import dev.ratelimit.spi.LimitScope;
import dev.ratelimit.store.Limit;

/**
 * The limits that a module counts.
 *
 * @param scope how they are counted
 * @param scripts their scripts
 */
record ScopedLimits(LimitScope scope, AlgorithmScripts scripts) {

	static ScopedLimits of(LimitScope scope, String clock) {
		return new ScopedLimits(scope, AlgorithmScripts.of(scope, clock));
	}

	boolean contain(Limit limit) {
		return this.scope.covers(limit.scope());
	}

}
