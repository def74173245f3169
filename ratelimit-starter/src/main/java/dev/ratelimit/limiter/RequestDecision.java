package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;

/**
 * The decisions of all rules that were evaluated together. Tested by
 * {@code RequestLimiterTests}.
 */
public final class RequestDecision {

	private final List<RuleDecision> decided;

	private final List<RuleAttempt> attempts;

	private final boolean admitted;

	/**
	 * Create a decision without permits.
	 * @param decided the decision of each rule
	 */
	public RequestDecision(List<RuleDecision> decided) {
		this(decided, List.of());
	}

	/**
	 * Create a decision.
	 * @param decided the decision of each rule
	 * @param attempts the same rules, some of which may have acquired permits
	 */
	RequestDecision(List<RuleDecision> decided, List<RuleAttempt> attempts) {
		this.decided = List.copyOf(decided);
		this.attempts = attempts;
		this.admitted = admits(this.decided);
	}

	private static boolean admits(List<RuleDecision> decided) {
		for (int i = 0; i < decided.size(); i++) {
			if (decided.get(i).refuses()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The decision of each rule.
	 * @return the decisions in the order of evaluation. Some rules refuse without a call
	 * of the store, because they block the client or have just refused it; if any does,
	 * only those rules are listed
	 */
	public List<RuleDecision> decided() {
		return this.decided;
	}

	/**
	 * The permits that were acquired and can be released. Few requests release any, so
	 * each call makes the list.
	 * @return the permits; empty after a refusal
	 */
	public List<Permit> permits() {
		if (this.attempts.size() <= 1) {
			Permit permit = this.attempts.isEmpty() ? null : this.attempts.get(0).permit();
			return (permit != null) ? List.of(permit) : List.of();
		}
		List<Permit> permits = new ArrayList<>(this.attempts.size());
		for (RuleAttempt attempt : this.attempts) {
			Permit permit = attempt.permit();
			if (permit != null) {
				permits.add(permit);
			}
		}
		return permits;
	}

	/**
	 * Whether the request may go on.
	 * @return whether every rule that is not in shadow admitted it
	 */
	public boolean isAdmitted() {
		return this.admitted;
	}

	/**
	 * How long the request waits until it may go on.
	 * @return the time from the result of the store until the last of its turns; zero if
	 * it was given no turn
	 */
	public Duration delay() {
		Duration longest = Duration.ZERO;
		for (RuleDecision one : this.decided) {
			if (one.decision() instanceof Allowed allowed && !one.isShadow()
					&& allowed.delay().compareTo(longest) > 0) {
				longest = allowed.delay();
			}
		}
		return longest;
	}

	/**
	 * The rules that refused.
	 * @return their decisions
	 */
	public List<RateLimitDecision> refusals() {
		List<RateLimitDecision> refusals = new ArrayList<>(this.decided.size());
		for (RuleDecision one : this.decided) {
			if (one.refuses()) {
				refusals.add(one.decision());
			}
		}
		return Collections.unmodifiableList(refusals);
	}

}
