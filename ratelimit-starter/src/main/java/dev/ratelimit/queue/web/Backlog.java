package dev.ratelimit.queue.web;

import dev.ratelimit.limiter.RuleRequest;

/**
 * Whether others wait that a request must not overtake.
 */
public sealed interface Backlog {

	/** As far as is known, nobody does. */
	Backlog NOBODY = new Nobody();

	/** As far as is known, nobody does. */
	record Nobody() implements Backlog {
	}

	/**
	 * Others do.
	 *
	 * @param ruleRequest what the rule asks under which they wait
	 */
	record Others(RuleRequest ruleRequest) implements Backlog {
	}

	/**
	 * The store has not said, and the rule refuses while it does not.
	 *
	 * @param ruleRequest what the rule asks
	 */
	record Unknown(RuleRequest ruleRequest) implements Backlog {
	}

}
