package dev.ratelimit.queue.web;

import dev.ratelimit.limiter.Ask;

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
	 * @param ask what the rule asks under which they wait
	 */
	record Others(Ask ask) implements Backlog {
	}

	/**
	 * The store has not said, and the rule refuses while it does not.
	 *
	 * @param ask what the rule asks
	 */
	record Unknown(Ask ask) implements Backlog {
	}

}
