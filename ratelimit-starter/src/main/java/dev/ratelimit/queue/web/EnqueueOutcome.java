package dev.ratelimit.queue.web;

/**
 * The outcome of trying to enqueue a request.
 */
enum EnqueueOutcome {

	/** It is enqueued. */
	ENQUEUED,

	/**
	 * The queue is full: its client or its rule has as many requests as it may have.
	 */
	FULL,

	/** The store has not confirmed that it is enqueued. */
	NO_REPLY,

	/** Its body is larger than a stored body may be. */
	TOO_LARGE,

	/** Its body was already read elsewhere, or arrives too slowly to be read. */
	BODY_IS_GONE

}
