package dev.ratelimit.web;

import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;

/**
 * Whether other requests are queued that a request must not overtake.
 */
public sealed interface Backlog {

	/** As far as is known, no requests are queued. */
	Backlog EMPTY = new Empty();

	/** As far as is known, no requests are queued. */
	record Empty() implements Backlog {
	}

	/**
	 * Other requests are queued.
	 *
	 * @param refusal the refusal of a request behind them, by the rule under which they
	 * are queued
	 */
	record Others(RuleDecision refusal) implements Backlog {
	}

	/**
	 * The store has not answered, and the rule refuses while it does not.
	 *
	 * @param ruleRequest the request to the rule
	 */
	record Unknown(RuleRequest ruleRequest) implements Backlog {
	}

}
