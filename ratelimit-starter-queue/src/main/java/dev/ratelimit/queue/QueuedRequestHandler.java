package dev.ratelimit.queue;

/**
 * Handles requests that were answered with 202 and enqueued, because the limit of a rule
 * with {@code on-limit: enqueue} was exceeded. One bean of this type handles those of all
 * such rules.
 */
@FunctionalInterface
public interface QueuedRequestHandler {

	/**
	 * Handle a request. Called on a thread of the queue when the limit has permits for
	 * it, one request of a key at a time and in the order of arrival. Requests of other
	 * keys may be handled meanwhile. When this method returns, the request is done.
	 * <p>
	 * Requests are handled at least once: the same request is passed again if the
	 * application dies before it has reported to the store that the request is done. Its
	 * {@linkplain QueuedRequest#id() id} stays the same, so work that was already done
	 * can be recognized.
	 * <p>
	 * The handler of the path has not run, and nothing that is checked there: neither
	 * method security, such as {@code @PreAuthorize}, nor {@code @RateLimited}, nor
	 * whether the path, the content type and the body are valid.
	 * @param request the request
	 * @throws Exception if it could not be handled: it is retried after a while, and
	 * delays the others of its key until then; after too many attempts it becomes a dead
	 * letter
	 */
	void handle(QueuedRequest request) throws Exception;

}
