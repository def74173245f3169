package dev.ratelimit.limiter;

import dev.ratelimit.limiter.source.PermitOwner;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquiredPermits;

/**
 * Acquired permits that may have to be settled.
 *
 * @param rule the rule they were acquired for
 * @param owner settles them
 * @param taken the permits
 */
public record Permit(RLConfig rule, PermitOwner owner, AcquiredPermits taken) {

	/**
	 * How many there are.
	 * @return the amount that keeps all of them
	 */
	public long amount() {
		return this.taken.request().cost();
	}

}
