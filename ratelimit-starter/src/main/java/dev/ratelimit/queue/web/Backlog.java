package dev.ratelimit.queue.web;

import dev.ratelimit.limiter.RuleRequest;

/**
 * Whether other requests are queued that a request must not overtake.
 */
public sealed interface Backlog {

	/** As far as is known, no requests are queued. */
	Backlog NOBODY = new Nobody();

	/** As far as is known, no requests are queued. */
	record Nobody() implements Backlog {
	}

	/**
	 * Other requests are queued.
	 *
	 * @param ruleRequest the request to the rule under which they are queued
	 */
	record Others(RuleRequest ruleRequest) implements Backlog {
	}

	/**
	 * The store has not answered, and the rule refuses while it does not.
	 *
	 * @param ruleRequest the request to the rule
	 */
	record Unknown(RuleRequest ruleRequest) implements Backlog {
	}

}
