package dev.ratelimit;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A {@link RateLimiter} for one rule. Each method does the same as that of the limiter,
 * at the same cost and with the same failures.
 *
 * @param limiter decides
 * @param rule the id of the rule
 */
public record NamedRateLimiter(RateLimiter limiter, String rule) {

	/**
	 * Acquire the cost of one request.
	 * @param key the key
	 * @return the decision
	 * @throws IllegalArgumentException if there is no such rule, or the number of values
	 * does not match its key
	 * @see RateLimiter#tryAcquire(String, String...)
	 */
	public RateLimitDecision tryAcquire(String... key) {
		return this.limiter.tryAcquire(this.rule, key);
	}

	/**
	 * Acquire several permits, all or none.
	 * @param key the key
	 * @param permits the number of permits; at least 1
	 * @return the decision
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String...)}, or if
	 * {@code permits} is below 1
	 * @see RateLimiter#tryAcquire(String, String[], long)
	 */
	public RateLimitDecision tryAcquire(String[] key, long permits) {
		return this.limiter.tryAcquire(this.rule, key, permits);
	}

	/**
	 * Acquire the cost of one request, without a thread that waits for the store.
	 * @param key the key
	 * @return completed with the decision
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String...)}
	 * @see RateLimiter#tryAcquireAsync(String, String...)
	 */
	public CompletionStage<RateLimitDecision> tryAcquireAsync(String... key) {
		return this.limiter.tryAcquireAsync(this.rule, key);
	}

	/**
	 * Acquire several permits, all or none, without a thread that waits for the store.
	 * @param key the key
	 * @param permits the number of permits; at least 1
	 * @return completed with the decision
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String[], long)}
	 * @see RateLimiter#tryAcquireAsync(String, String[], long)
	 */
	public CompletionStage<RateLimitDecision> tryAcquireAsync(String[] key, long permits) {
		return this.limiter.tryAcquireAsync(this.rule, key, permits);
	}

	/**
	 * Acquire several permits, all or none, and wait for them.
	 * @param key the key
	 * @param permits the number of permits; at least 1
	 * @param maxWait the longest wait
	 * @return the decision
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String[], long)}, or if
	 * the wait is negative or the rule cannot schedule turns
	 * @see RateLimiter#acquire(String, String[], long, Duration)
	 */
	public RateLimitDecision acquire(String[] key, long permits, Duration maxWait) throws InterruptedException {
		return this.limiter.acquire(this.rule, key, permits, maxWait);
	}

	/**
	 * Inspect a key; takes nothing.
	 * @param key the key
	 * @return what the store would decide
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String...)}
	 * @throws UnsupportedOperationException if the store is a custom one without an
	 * inspector
	 * @see RateLimiter#peek(String, String...)
	 */
	public RateLimitDecision peek(String... key) {
		return this.limiter.peek(this.rule, key);
	}

	/**
	 * Reset a key.
	 * @param key the key
	 * @return whether the store has confirmed it
	 * @throws IllegalArgumentException as for {@link #tryAcquire(String...)}
	 * @throws UnsupportedOperationException if the store is a custom one without an
	 * inspector
	 * @see RateLimiter#reset(String, String...)
	 */
	public boolean reset(String... key) {
		return this.limiter.reset(this.rule, key);
	}

}
