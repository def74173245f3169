package dev.ratelimit.store.wire;

import java.io.IOException;

/**
 * The protocol of a store over one connection: encodes commands, decodes replies. Used by
 * one thread at a time.
 */
public interface Codec {

	/**
	 * Encode a command. Blocks only where the buffer is full and the server does not
	 * read.
	 * @param command the command
	 * @throws IOException if the connection is broken
	 */
	void write(Command command) throws IOException;

	/**
	 * Send what was encoded.
	 * @throws IOException if the connection is broken
	 */
	void flush() throws IOException;

	/**
	 * Decode the next reply. Waits for the input it needs.
	 * @return the reply, which is an {@link ErrorReply} if it is an error
	 * @throws IOException if the connection is broken or the input took too long
	 */
	Object read() throws IOException;

	/**
	 * Whether input was received that is not decoded yet. Needs no system call.
	 * @return whether there is some
	 */
	boolean hasUnread();

	/**
	 * Wait for input, and decode none of it.
	 * @throws IOException if the connection is broken or the input took too long
	 */
	void awaitInput() throws IOException;

}
