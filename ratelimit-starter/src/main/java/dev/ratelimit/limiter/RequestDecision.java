package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;

/**
 * The decisions of all rules that were evaluated together.
 *
 * @param decided the decision of each rule, in the order of evaluation. Some rules refuse
 * without a call of the store, because they block the client or have just refused it; if
 * any does, only those rules are listed
 * @param permits the permits that were acquired and can be released; empty after a
 * refusal
 */
public record RequestDecision(List<RuleDecision> decided, List<Permit> permits) {

	public RequestDecision {
		decided = List.copyOf(decided);
		permits = List.copyOf(permits);
	}

	/**
	 * Whether the request may go on.
	 * @return whether every rule that is not in shadow admitted it
	 */
	public boolean isAdmitted() {
		for (RuleDecision one : this.decided) {
			if (one.refuses()) {
				return false;
			}
		}
		return true;
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
