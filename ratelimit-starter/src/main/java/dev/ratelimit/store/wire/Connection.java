package dev.ratelimit.store.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;

import dev.ratelimit.store.StoreFailure;

/**
 * A connection to a server. When a reply did not arrive in time, it reports whether a
 * part of it did. Used by one thread at a time. What fails on the way is an
 * {@link UncheckedIOException}. Tested by {@code LargeWritesTests}.
 */
public final class Connection implements AutoCloseable {

	private final DeadlineSocket socket;

	private final Received received;

	private final Codec codec;

	private volatile boolean late;

	private boolean wasEmpty;

	private long receivedBefore;

	/**
	 * Use an open socket.
	 * @param socket the socket
	 * @param secure the same socket, or the one with TLS over it
	 * @param protocol creates the codec over the streams of that socket
	 * @throws IOException if the socket is closed
	 */
	public Connection(DeadlineSocket socket, Socket secure, Protocol protocol) throws IOException {
		this.socket = socket;
		this.received = new Received(secure.getInputStream());
		this.codec = protocol.codec(this.received, secure.getOutputStream());
	}

	/** The local address. */
	SocketAddress localAddress() {
		return this.socket.getLocalSocketAddress();
	}

	/**
	 * Prepare to send a command.
	 * @param command the command
	 */
	void write(Command command) {
		try {
			this.codec.write(command);
		}
		catch (IOException ex) {
			throw notWritten(ex);
		}
	}

	/** Send the commands that were written. */
	void flush() {
		try {
			this.codec.flush();
		}
		catch (IOException ex) {
			throw notWritten(ex);
		}
	}

	private UncheckedIOException notWritten(IOException cause) {
		return new UncheckedIOException(
				this.late ? new SocketTimeoutException("Not all of it was taken in time") : cause);
	}

	/** End a write because the server does not read it. Called by another thread. */
	void endWrite() {
		this.late = true;
		close();
	}

	/**
	 * Read a reply.
	 * @param deadline the time by which all of it must have arrived
	 * @return the reply, which is an {@link ErrorReply} if it is an error
	 */
	Object read(Deadline deadline) {
		this.socket.readUntil(deadline);
		this.wasEmpty = !this.codec.hasUnread();
		this.receivedBefore = received();
		try {
			return this.codec.read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether no byte has arrived of the reply that could not be read: then it can still
	 * be read later.
	 */
	boolean isUntouched() {
		return this.wasEmpty && this.receivedBefore == received();
	}

	/** With TLS, half a record may have arrived that yields no data yet. */
	private long received() {
		return this.socket.received() + this.received.count;
	}

	/** Whether more was received together with the last reply. Needs no system call. */
	boolean hasUnread() {
		return this.codec.hasUnread();
	}

	/** Whether unread input is available. */
	boolean hasInput() {
		try {
			return this.codec.hasUnread() || this.socket.hasInput();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** All that has arrived was processed, and the next read waits for more. */
	void awaitMore() {
		this.socket.awaitMore();
	}

	/** Whether something was read from the socket since then. Called by any thread. */
	boolean hasTaken() {
		return this.socket.hasTaken();
	}

	/** Whether unread input has arrived on the socket. Called by any thread. */
	boolean hasArrived() {
		try {
			return this.socket.hasInput();
		}
		catch (IOException ex) {
			// The next read will report the cause.
			return false;
		}
	}

	/**
	 * Check whether the server has closed the connection while a reply is outstanding.
	 * @param deadline the end of the check
	 */
	void requireOpen(Deadline deadline) {
		this.socket.readUntil(deadline);
		try {
			this.codec.awaitInput();
		}
		catch (IOException ex) {
			if (IoFailure.of(ex) != StoreFailure.TIMEOUT) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/** Close at once, without waiting and without a closing message. */
	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// It was already broken.
		}
	}

	/** Creates the codec of a connection. */
	@FunctionalInterface
	public interface Protocol {

		/**
		 * Create a codec.
		 * @param in what the server sends
		 * @param out what the server receives; not buffered
		 * @return the codec
		 */
		Codec codec(InputStream in, OutputStream out);

	}

	private static final class Received extends FilterInputStream {

		private long count;

		Received(InputStream in) {
			super(in);
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			int read = this.in.read(buffer, offset, length);
			this.count += Math.max(0, read);
			return read;
		}

	}

}
