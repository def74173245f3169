package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.limiter.Permit;
import dev.ratelimit.rule.OnLimit;

/**
 * The permits of one request that may still be settled. A permit is taken once, by the
 * thread that releases it. Tested by {@code RateLimitFilterOutcomeTests}.
 */
final class RequestPermits {

	private final AtomicReference<List<Permit>> acquired = new AtomicReference<>(List.of());

	/** The permits of handlers that run: only the outcome may still release them. */
	private final AtomicReference<List<Permit>> ofHandlers = new AtomicReference<>(List.of());

	void add(List<Permit> permits) {
		this.acquired.updateAndGet((before) -> joined(before, permits));
	}

	/** No permit is released any more: all of them stay counted for good. */
	void keepForGood() {
		this.acquired.set(List.of());
	}

	/**
	 * A handler starts to run: the permits it was admitted with stay acquired, even if
	 * another handler that it includes or forwards to is refused. Otherwise a client that
	 * can provoke that refusal could call this handler for free.
	 */
	void keepUntilOutcome() {
		List<Permit> taken = take();
		this.ofHandlers.updateAndGet((before) -> joined(before, taken));
	}

	/**
	 * Take the permits that a refusal releases: all that were acquired, except those of
	 * handlers that run.
	 */
	List<Permit> take() {
		return this.acquired.getAndSet(List.of());
	}

	/**
	 * Take the permits of delays, which a request releases that no client waits for: a
	 * module has answered it, or its client has left.
	 */
	List<Permit> takeTurns() {
		List<Permit> all = this.acquired.getAndUpdate((taken) -> turns(taken, false));
		return turns(all, true);
	}

	private static List<Permit> turns(List<Permit> permits, boolean which) {
		return permits.stream()
			.filter((permit) -> (permit.rule().enforcement().onLimit() instanceof OnLimit.Delay) == which)
			.toList();
	}

	/**
	 * Take all permits that may still be settled, those of handlers that run included.
	 */
	List<Permit> takeAll() {
		return joined(this.ofHandlers.getAndSet(List.of()), take());
	}

	private static List<Permit> joined(List<Permit> some, List<Permit> others) {
		if (some.isEmpty() || others.isEmpty()) {
			return some.isEmpty() ? others : some;
		}
		List<Permit> all = new ArrayList<>(some);
		all.addAll(others);
		return all;
	}

}
