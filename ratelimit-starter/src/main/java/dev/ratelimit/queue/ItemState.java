package dev.ratelimit.queue;

/**
 * What has become of an item.
 *
 * @param progress how far it has come
 * @param attempts how often it was handed out
 */
public record ItemState(Progress progress, int attempts) {

	/** How far an item has come. */
	public enum Progress {

		/** It waits for its turn, or for its next attempt. */
		QUEUED,

		/** A worker has it, or had it when it died. */
		RUNNING,

		/** It was handled. */
		DONE,

		/** It will not be tried again. */
		DEAD

	}

}
