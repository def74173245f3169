package dev.ratelimit.support;

/**
 * Works in the background or keeps connections open. It begins when it is created, ends
 * when it is closed, and may begin again.
 */
public interface Restartable extends AutoCloseable {

	/** Begin again, after it was closed. */
	void restart();

	/** End, and leave nothing behind: no thread that works, no connection. */
	@Override
	void close();

}
