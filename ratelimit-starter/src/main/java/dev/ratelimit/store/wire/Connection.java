package dev.ratelimit.store.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * A connection to a server. It keeps what was received of a reply until the rest of it
 * arrives, so one thread may continue to read at any byte where another one stopped. Used
 * by one thread at a time. What fails on the way is an {@link UncheckedIOException}.
 * Tested by {@code LaneTests}.
 */
public final class Connection implements AutoCloseable {

	private static final int USUAL_BYTES = 8 * 1024;

	/** No script of the limiter has a reply nearly as large. */
	private static final int MOST_BYTES = 64 * 1024 * 1024;

	private final DeadlineSocket socket;

	private final InputStream in;

	private final Codec codec;

	/** From its position to its limit: what was received and not decoded yet. */
	private ByteBuffer received = ByteBuffer.allocate(USUAL_BYTES).limit(0);

	private volatile boolean taken;

	private @Nullable Object writing;

	private volatile boolean late;

	/**
	 * Use an open socket, whose handshake is over.
	 * @param socket the socket
	 * @param secure the same socket, or the one with TLS over it
	 * @param protocol creates the codec
	 * @throws IOException if the socket is closed
	 */
	public Connection(DeadlineSocket socket, Socket secure, Protocol protocol) throws IOException {
		this.socket = socket;
		this.in = secure.getInputStream();
		this.codec = protocol.codec(secure.getOutputStream());
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

	/**
	 * A write begins that may block until the server reads.
	 * @param by what is written
	 */
	synchronized void beginLarge(Object by) {
		this.writing = by;
	}

	/** The write has ended. */
	synchronized void endLarge() {
		this.writing = null;
	}

	/**
	 * End a write that blocks as the server does not read. Called by another thread.
	 * @param of what is written; nothing happens if it no longer is
	 * @return whether it was
	 */
	synchronized boolean endWrite(Object of) {
		if (this.writing != of) {
			return false;
		}
		this.late = true;
		close();
		return true;
	}

	/**
	 * The next reply. Never waits.
	 * @return the reply, which is an {@link ErrorReply} if it is an error; {@code null}
	 * if a part of it was not received yet
	 */
	@Nullable Object read() {
		try {
			return this.received.hasRemaining() ? this.codec.read(this.received) : null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Receive what arrives next.
	 * @param nanos how long to wait for it at most
	 * @return whether something has arrived
	 */
	boolean receive(long nanos) {
		try {
			this.socket.endReadsIn(nanos);
			makeRoom();
			int end = this.received.limit();
			int count = this.in.read(this.received.array(), end, this.received.capacity() - end);
			if (count < 0) {
				throw new EOFException("The server has closed the connection");
			}
			this.received.limit(end + count);
			this.taken = true;
			return true;
		}
		catch (SocketTimeoutException ex) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void makeRoom() throws IOException {
		ByteBuffer before = this.received;
		if (!before.hasRemaining()) {
			before.position(0).limit(0);
		}
		if (before.limit() < before.capacity()) {
			return;
		}
		if (before.remaining() > MOST_BYTES) {
			throw new IOException("A reply has more than " + MOST_BYTES + " bytes");
		}
		this.received = ByteBuffer.allocate(Math.max(USUAL_BYTES, 2 * before.remaining())).put(before).flip();
	}

	/** Whether something was received that no reply was expected for. */
	boolean hasUnread() {
		return this.received.hasRemaining();
	}

	/** All that was received was processed, as far as possible before more arrives. */
	void awaitMore() {
		this.taken = false;
	}

	/** Whether something was received, and not processed yet. Called by any thread. */
	boolean hasTaken() {
		return this.taken;
	}

	/** Whether something has arrived and was not received yet. Called by any thread. */
	boolean hasArrived() {
		try {
			return this.socket.hasInput();
		}
		catch (IOException ex) {
			// The next read will report the cause.
			return false;
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
		 * @param out what the server receives; not buffered
		 * @return the codec
		 */
		Codec codec(OutputStream out);

	}

}
