package dev.ratelimit.spi;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.store.Subject;

/**
 * Acquires permits for requests that are handled later, from the same buckets as all
 * other requests. No decision is reported: that of a request was when it was taken. Safe
 * for concurrent use. The starter declares a bean of it.
 */
public interface RulePermits {

	/**
	 * Acquire the permits of a request, if it can ever have them. Waits for the store.
	 * @param rule the id of the rule
	 * @param subject the client
	 * @param plan its plan, if it had one
	 * @param cost how many permits the request needs
	 * @return the permits, or when or why not
	 */
	Acquired acquire(String rule, Subject subject, Optional<String> plan, long cost);

	/** The result of acquiring permits. */
	sealed interface Acquired {

	}

	/**
	 * The request may be handled.
	 *
	 * @param release releases the permits, if they were not used; waits for the store,
	 * and is run at most once
	 */
	record Granted(Runnable release) implements Acquired {
	}

	/**
	 * Waiting cannot help, as far as the rule is known now.
	 *
	 * @param reason why: a fixed word of ours
	 */
	record Never(String reason) implements Acquired {
	}

	/**
	 * The rule has no permits for it.
	 *
	 * @param time how long until the next try
	 */
	record NotYet(Duration time) implements Acquired {
	}

}
