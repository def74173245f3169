package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Looks at what is counted for somebody, and lets it be forgotten. For operators: a
 * request never needs it. Safe for concurrent use, and never throws.
 */
public interface Inspector {

	/**
	 * Look at the windows of a client. Takes nothing, writes nothing, and prolongs
	 * nothing.
	 * @param limit the limit
	 * @param subject the client; one that nobody has counted has all of the limit
	 * @param maxWait how long to wait, more than nothing
	 * @return what is counted now
	 */
	Inspection peek(Limit limit, Subject subject, Duration maxWait);

	/**
	 * Forget a client, whatever was counted for it, in all windows of a limit.
	 * @param limit the limit
	 * @param subject the client
	 * @param maxWait how long to wait, more than nothing
	 * @return why it may not be forgotten; nothing if it is
	 */
	Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait);

}
