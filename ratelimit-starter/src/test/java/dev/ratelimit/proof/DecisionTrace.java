package dev.ratelimit.proof;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;

/**
 * Every decision of an application: when, by which source, and how long it took.
 */
final class DecisionTrace implements DecisionListener {

	private final Queue<Decision> decisions = new ConcurrentLinkedQueue<>();

	private final AtomicLong lostReleases = new AtomicLong();

	@Override
	public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		this.decisions.add(new Decision(System.nanoTime(), decision.rule(), decision.source(),
				outcome == Outcome.ALLOWED, Duration.ofNanos(nanos)));
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
	}

	@Override
	public void late(String rule) {
	}

	@Override
	public void released(String rule, boolean acknowledged) {
		if (!acknowledged) {
			this.lostReleases.incrementAndGet();
		}
	}

	List<Decision> all() {
		return List.copyOf(this.decisions);
	}

	List<Decision> since(long nanos) {
		return this.decisions.stream().filter((decision) -> decision.atNanos() - nanos >= 0).toList();
	}

	/** How many permits stay counted although they were not used. */
	long lostReleases() {
		return this.lostReleases.get();
	}

	void clear() {
		this.decisions.clear();
		this.lostReleases.set(0);
	}

	/**
	 * A decision.
	 *
	 * @param atNanos when it had been made
	 * @param rule the rule
	 * @param source what decided
	 * @param allowed whether the request may go on
	 * @param took how long that took, all rules of the request together
	 */
	record Decision(long atNanos, String rule, Source source, boolean allowed, Duration took) {

		/**
		 * Whether Redis was called. Decisions of a synced rule do not show that, but
		 * Redis was called for the first request of each client: these are the ones
		 * admitted when all other clients have used up their limit.
		 */
		boolean isShared() {
			return this.source == Source.STORE || (this.source == Source.MEMORY && this.allowed);
		}

	}

}
