package dev.ratelimit;

import java.time.Duration;

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

	/**
	 * Take several permits, all or none, and wait for them: the store gives the request
	 * the earliest instant at which the rule has room, behind all others that wait for
	 * the same key on any instance, and this method returns when it has come, never
	 * earlier. Costs one call of the store, however long the wait. A virtual thread
	 * leaves its carrier meanwhile.
	 * <p>
	 * Only a rule with {@code sliding-window-log} in strict mode that does not count its
	 * refusals gives turns. Whoever calls {@code tryAcquire} meanwhile finds them
	 * counted, and never goes between them and the limit.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @param permits how many; at least 1
	 * @param maxWait how long to wait at most; zero for not at all. Where the turn would
	 * come later, the request is rejected at once and takes nothing. The answer of the
	 * store itself takes {@code ratelimit.deadline} at most
	 * @return the decision, when the turn has come; while the store fails, that of the
	 * rule's policy, where {@code local} waits for a turn of this instance
	 * @throws InterruptedException if the thread is interrupted; permits that it had a
	 * turn for lapse
	 * @throws IllegalArgumentException as for
	 * {@link #tryAcquire(String, String[], long)}, or if the wait is negative or the rule
	 * gives no turns
	 */
	RateLimitDecision acquire(String rule, String[] key, long permits, Duration maxWait) throws InterruptedException;

	/**
	 * Give nobody who {@linkplain #acquire acquires} a turn for a while, on any instance,
	 * as a provider has asked for it. Turns that were given before stand. The end of the
	 * pause costs one permit. A pause that is asked for while another one lasts longer
	 * changes nothing; one that the store does not hear of is lost.
	 * @param rule the id of a rule that gives turns
	 * @param key the key, one value per key source of the rule
	 * @param pause how long, from now on; more than nothing, at most a day
	 * @throws IllegalArgumentException as for {@link #acquire}, or if the pause is no
	 * such time
	 */
	void pause(String rule, String[] key, Duration pause);

}
