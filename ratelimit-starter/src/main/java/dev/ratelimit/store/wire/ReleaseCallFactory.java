package dev.ratelimit.store.wire;

import dev.ratelimit.store.AcquiredPermits;

/**
 * Converts permits into the calls that release them. Safe for concurrent use.
 */
public interface ReleaseCallFactory {

	/**
	 * Create a call that releases permits. It is sent once, as soon as it has its turn:
	 * up to four deadlines later, or more if this instance stands still meanwhile. One
	 * that has its reply already, as nothing can be released any more, is not sent.
	 * @param permits the permits
	 * @param afterwards is notified how the call ended, if no request waits any more
	 * @return the call
	 */
	NodeCall release(AcquiredPermits permits, NodeCall.Afterwards afterwards);

	/**
	 * Whether the permits are released.
	 * @param permits the permits
	 * @param reply the reply to the call, which is no error
	 * @return whether the node could identify them
	 */
	boolean isAcknowledged(AcquiredPermits permits, Object reply);

}
