package dev.ratelimit.store.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

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
	 * Decode the next reply, if all of it has been received. Never waits.
	 * @param received what was received and not decoded yet, from which the bytes of the
	 * reply are taken
	 * @return the reply, which is an {@link ErrorReply} if it is an error; {@code null}
	 * if a part is missing, and then nothing is taken
	 * @throws IOException if what was received is no reply
	 */
	@Nullable Object read(ByteBuffer received) throws IOException;

}
