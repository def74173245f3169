package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;

/**
 * What all rules that were asked together decided.
 *
 * @param decided what each rule decided, in the order asked; where any rule refuses
 * without asking a store, because it blocks the one who asks or has refused just now,
 * only these rules
 * @param permits what was taken and can be given back; empty after a refusal
 */
public record RequestDecision(List<RuleDecision> decided, List<Permit> permits) {

	public RequestDecision {
		decided = List.copyOf(decided);
		permits = List.copyOf(permits);
	}

	/**
	 * Whether the request may go on.
	 * @return whether every rule that is in force admitted it
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
	 * @return the time until the last of its turns has come, from the answer of the store
	 * on; zero where it was given none
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
