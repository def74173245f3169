package dev.ratelimit.outbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;

/**
 * A limiter that decides as the test specifies, and records its calls.
 */
final class StubLimiter implements RateLimiter {

	private final List<String> calls = new ArrayList<>();

	private final Map<String, RateLimitDecision> refusals = new HashMap<>();

	private boolean interrupting;

	private boolean failing;

	void refuse(Rejected refusal) {
		this.refusals.put(refusal.rule(), refusal);
	}

	/** From now on it is interrupted while it waits. */
	void interrupt() {
		this.interrupting = true;
	}

	/** From now on it knows none of the rules to pause. */
	void failToPause() {
		this.failing = true;
	}

	List<String> calls() {
		return this.calls;
	}

	@Override
	public RateLimitDecision tryAcquire(String rule, String... key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public RateLimitDecision tryAcquire(String rule, String[] key, long permits) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, String... key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, String[] key, long permits) {
		throw new UnsupportedOperationException();
	}

	@Override
	public RateLimitDecision acquire(String rule, String[] key, long permits, Duration maxWait)
			throws InterruptedException {
		this.calls.add("acquire " + permits + " of " + rule + " " + Arrays.toString(key) + " within " + maxWait);
		if (this.interrupting) {
			throw new InterruptedException();
		}
		return this.refusals.getOrDefault(rule, new Allowed(rule, Source.STORE, List.of()));
	}

	@Override
	public RateLimitDecision peek(String rule, String... key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean reset(String rule, String... key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void pause(String rule, String[] key, Duration pause) {
		if (this.failing) {
			throw new IllegalArgumentException("There is no rate limit rule '" + rule + "'");
		}
		this.calls.add("pause " + rule + " " + Arrays.toString(key) + " for " + pause);
	}

}
