package dev.ratelimit.limiter;

import dev.ratelimit.RateLimitDecision;

/**
 * What one rule decided.
 *
 * @param ask what was asked
 * @param decision what it would have come to, also where the rule is in shadow
 */
public record Decided(Ask ask, RateLimitDecision decision) {

	/**
	 * Whether the request has to be refused.
	 * @return whether the rule refused and is not in shadow
	 */
	public boolean refuses() {
		return !this.decision.isAllowed() && !isShadow();
	}

	/**
	 * Whether the rule only reports.
	 * @return whether it is in shadow
	 */
	public boolean isShadow() {
		return this.ask.rule().config().shadow();
	}

}
