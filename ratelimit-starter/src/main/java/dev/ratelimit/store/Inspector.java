package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Inspects what is counted for a client, and resets it. For operators: a request never
 * needs it. Safe for concurrent use, and never throws.
 */
public interface Inspector {

	/**
	 * Inspect the windows of a client. Takes nothing, writes nothing, and prolongs
	 * nothing.
	 * @param limit the limit
	 * @param subject the client; one that is not counted has all of the limit left
	 * @param maxWait how long to wait; more than zero
	 * @return what is counted now
	 */
	Inspection peek(Limit limit, Subject subject, Duration maxWait);

	/**
	 * Delete everything that is counted for a client, in all windows of a limit.
	 * @param limit the limit
	 * @param subject the client
	 * @param maxWait how long to wait; more than zero
	 * @return the failure after which the counts may still be there; empty if they are
	 * deleted
	 */
	Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait);

}
