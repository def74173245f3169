package dev.ratelimit.queue;

/**
 * The state of an item.
 *
 * @param progress how far it has come
 * @param attempts how often it was leased
 */
public record ItemState(Progress progress, int attempts) {

	/** The progress of an item. */
	public enum Progress {

		/** It waits for its turn, or for its next attempt. */
		QUEUED,

		/** A worker has it, or had it when the worker died. */
		RUNNING,

		/** It was handled. */
		DONE,

		/** It will not be retried. */
		DEAD

	}

}
