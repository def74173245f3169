package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.RateLimitDecision;

/**
 * What all rules that were asked together decided.
 *
 * @param decisions one per rule, in the order asked
 * @param permits what was taken and can be given back; empty after a refusal
 */
public record Verdict(List<RateLimitDecision> decisions, List<Permit> permits) {

	public Verdict {
		decisions = List.copyOf(decisions);
		permits = List.copyOf(permits);
	}

	/**
	 * Whether the request may go on.
	 * @return whether every rule admitted it
	 */
	public boolean isAdmitted() {
		for (RateLimitDecision decision : this.decisions) {
			if (!decision.isAllowed()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The rules that refused.
	 * @return their decisions
	 */
	public List<RateLimitDecision> refusals() {
		return this.decisions.stream().filter((decision) -> !decision.isAllowed()).toList();
	}

}
