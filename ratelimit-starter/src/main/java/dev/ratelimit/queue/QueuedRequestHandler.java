package dev.ratelimit.queue;

/**
 * Handles requests that were answered with 202 and kept, because the limit of a rule with
 * {@code on-limit: enqueue} was reached. One bean of this type handles those of all such
 * rules.
 */
@FunctionalInterface
public interface QueuedRequestHandler {

	/**
	 * Handle a request. Called on a thread of the queue when the limit has room, one
	 * request of a key at a time and in the order they came; those of other keys may be
	 * handled meanwhile. Where it returns, the request is done.
	 * <p>
	 * At least once: the same request comes again if the application dies before the
	 * store has heard that it is done. Its {@linkplain QueuedRequest#id() id} stays the
	 * same, so that what was done already can be told.
	 * @param request the request
	 * @throws Exception if it could not be handled: it comes again after a while, and
	 * holds back the others of its key until then; after too many attempts it becomes a
	 * dead letter
	 */
	void handle(QueuedRequest request) throws Exception;

}
