package dev.ratelimit;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Acquires permits of a rule from code. A key counts in the same bucket as an HTTP
 * request with the same key. The settings of a rule that concern requests do not apply
 * here: the caller has decided that the rule applies ({@code when}), every permit counts
 * regardless of the outcome ({@code count-on}), and there is no plan. Overrides do apply.
 */
public interface RateLimiter {

	/**
	 * Acquire the cost of one request: the rule's {@code cost}, or 1 if a bean computes
	 * it from a request.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule and none for
	 * {@code global}
	 * @return the decision. If the store fails, the rule's policy decides and no
	 * exception is thrown; a rule in shadow always admits
	 * @throws IllegalArgumentException if there is no such rule, or the number of values
	 * does not match its key
	 */
	RateLimitDecision tryAcquire(String rule, String... key);

	/**
	 * Acquire several permits, all or none.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @param permits the number of permits; at least 1, and at most 100 in a log. More
	 * than the rule can ever admit are refused without a time to wait
	 * @return the decision
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String, String...)}, or
	 * if {@code permits} is below 1, or above 100 in a log
	 */
	RateLimitDecision tryAcquire(String rule, String[] key, long permits);

	/**
	 * As {@link #tryAcquire(String, String...)}, but without a thread that waits for the
	 * store. The decision has begun when this method returns.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @return completed with the decision: at once if the store is not needed, else on
	 * the {@linkplain java.util.concurrent.CompletableFuture#defaultExecutor() default
	 * executor} of futures. Never completed with an exception
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String, String...)}
	 */
	CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, String... key);

	/**
	 * As {@link #tryAcquire(String, String[], long)}, but without a thread that waits for
	 * the store. The decision has begun when this method returns.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @param permits the number of permits; at least 1
	 * @return as for {@link #tryAcquireAsync(String, String...)}
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String, String[], long)}
	 */
	CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, String[] key, long permits);

	/**
	 * Acquire several permits, all or none, and wait for them. The store assigns the
	 * request the earliest instant at which the rule has room, behind all requests that
	 * wait for the same key on any instance. This method returns at that instant, never
	 * earlier. It costs one call of the store, however long the wait. A virtual thread
	 * releases its carrier while it waits.
	 * <p>
	 * Only a rule with {@code sliding-window-log} in strict mode that does not count its
	 * refusals can schedule turns. Waiting requests are already counted, so a call of
	 * {@code tryAcquire} meanwhile cannot overtake them.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @param permits the number of permits; at least 1
	 * @param maxWait the longest wait; zero to not wait at all. If the turn would come
	 * later, the request is rejected at once and acquires nothing. The response of the
	 * store itself takes at most {@code ratelimit.deadline}
	 * @return the decision, when the turn has come. While the store fails, it is the
	 * decision of the rule's policy; with {@code local} the request waits for a turn of
	 * this instance
	 * @throws InterruptedException if the thread is interrupted; the permits of its turn
	 * lapse
	 * @throws IllegalArgumentException as for
	 * {@link #tryAcquire(String, String[], long)}, or if the wait is negative or the rule
	 * cannot schedule turns
	 */
	RateLimitDecision acquire(String rule, String[] key, long permits, Duration maxWait) throws InterruptedException;

	/**
	 * Pause a key, as a provider has requested: for a while no call of {@link #acquire}
	 * gets a turn, on any instance. Turns that were scheduled before are kept. The end of
	 * the pause costs one permit. A pause has no effect while a longer one lasts. A pause
	 * that does not reach the store is lost.
	 * @param rule the id of a rule that can schedule turns
	 * @param key the key, one value per key source of the rule
	 * @param pause the time from now on; positive, at most a day
	 * @throws IllegalArgumentException as for {@link #acquire}, or if the pause is out of
	 * range
	 */
	void pause(String rule, String[] key, Duration pause);

	/**
	 * Inspect a key. Takes nothing, stores nothing and prolongs nothing. Costs one call
	 * of the store, which is made even while its circuit breaker is open, and takes at
	 * most {@code ratelimit.deadline}.
	 * <p>
	 * In mode {@code leased}, permits that an instance has reserved count as used. In
	 * mode {@code synced}, permits that instances have not reported yet do not count.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @return what the store would decide about a request for one permit, also for a rule
	 * in shadow. If the store does not answer, {@link RateLimitDecision.Unavailable}, or
	 * for {@code on-store-failure: allow} an admission without quotas
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String, String...)}
	 * @throws UnsupportedOperationException if the store is a custom one without an
	 * inspector
	 */
	RateLimitDecision peek(String rule, String... key);

	/**
	 * Reset a key: it has the whole limit again, in all windows. On this instance, calls
	 * that are under way may still take effect. Other instances repeat a refusal for at
	 * most {@code ratelimit.deny-cache}, spend what they have leased for at most
	 * {@code lease-time}, and report what they have not synced yet. Costs one call of the
	 * store, and one more for each plan or override with other windows, and looks through
	 * the refusals in memory: not for every request.
	 * @param rule the id of a rule
	 * @param key the key, one value per key source of the rule
	 * @return whether the store has confirmed it; if not, the key may still be counted.
	 * Always {@code true} for a rule that is disabled, and so counts nothing
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String, String...)}
	 * @throws UnsupportedOperationException if the store is a custom one without an
	 * inspector
	 */
	boolean reset(String rule, String... key);

}
