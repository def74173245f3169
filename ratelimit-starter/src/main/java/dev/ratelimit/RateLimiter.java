package dev.ratelimit;

/**
 * Asks a rule from code. A key counts in the same bucket as an HTTP request with the same
 * key. What a rule says of requests does not matter here: who asks has found that it
 * applies ({@code when}), every permit counts whatever comes of it ({@code count-on}),
 * and there is no plan, but overrides hold.
 */
public interface RateLimiter {

	/**
	 * Take what one request costs: the rule's {@code cost}, or 1 where a bean works it
	 * out from a request.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule and none for
	 * {@code global}
	 * @return the decision; a failing store is decided by the rule's policy and never
	 * thrown, and a rule in shadow admits always
	 * @throws IllegalArgumentException if there is no such rule, or the number of values
	 * does not fit its key
	 */
	RateLimitDecision tryAcquire(String rule, String... key);

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
