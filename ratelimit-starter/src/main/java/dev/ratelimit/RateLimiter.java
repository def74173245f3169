package dev.ratelimit;

/**
 * Asks a rule from code. A key counts in the same bucket as an HTTP request with the same
 * key.
 */
public interface RateLimiter {

	/**
	 * Take one permit.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule and none for
	 * {@code global}
	 * @return the decision; a failing store is decided by the rule's policy and never
	 * thrown
	 * @throws IllegalArgumentException if there is no such rule, or the number of values
	 * does not fit its key
	 */
	default RateLimitDecision tryAcquire(String rule, String... key) {
		return tryAcquire(rule, key, 1);
	}

	/**
	 * Take several permits, all or none.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @param permits how many; at least 1
	 * @return the decision
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String, String...)}, or
	 * if {@code permits} is below 1
	 */
	RateLimitDecision tryAcquire(String rule, String[] key, long permits);

}
