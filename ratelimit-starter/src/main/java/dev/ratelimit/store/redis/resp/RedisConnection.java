package dev.ratelimit.store.redis.resp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;

import dev.ratelimit.store.StoreFailure;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * A connection to a Redis server. When a reply did not arrive in time, it reports whether
 * a part of it did. Used by one thread at a time.
 */
final class RedisConnection implements AutoCloseable {

	private final DeadlineSocket socket;

	private final Received received;

	private final Replies replies;

	private final RedisOutputStream requests;

	private volatile boolean late;

	private boolean wasEmpty;

	private long receivedBefore;

	private RedisConnection(Sockets sockets) throws IOException {
		this.socket = sockets.plain();
		this.received = new Received(sockets.socket().getInputStream());
		this.replies = new Replies(this.received);
		this.requests = new RedisOutputStream(sockets.socket().getOutputStream());
	}

	/**
	 * Connect, log in and prepare the connection. Blocks at most for the connect timeout,
	 * unless the lookup of the server's name takes longer.
	 * @param address the address of the server
	 * @param config how to connect
	 * @return the connection
	 * @throws redis.clients.jedis.exceptions.JedisException if that fails
	 */
	static RedisConnection open(HostAndPort address, JedisClientConfig config) {
		Sockets sockets = new Sockets(address, config);
		// The driver's own connection leaves no unread input behind, and is dropped.
		Connection prepared = new Connection(sockets, config);
		try {
			return new RedisConnection(sockets);
		}
		catch (IOException ex) {
			prepared.close();
			throw new JedisConnectionException(ex);
		}
	}

	/** The local address. */
	SocketAddress localAddress() {
		return this.socket.getLocalSocketAddress();
	}

	/**
	 * Prepare to send a command.
	 * @param command the command
	 */
	void write(ScriptCommand command) {
		try {
			command.writeTo(this.requests);
		}
		catch (IOException ex) {
			throw notWritten(ex);
		}
	}

	/** Send the commands that were written. */
	void flush() {
		try {
			this.requests.flush();
		}
		catch (IOException ex) {
			throw notWritten(ex);
		}
	}

	private JedisConnectionException notWritten(IOException cause) {
		return new JedisConnectionException(
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
	 * @return the reply, which is a {@link JedisDataException} if it is an error
	 */
	Object read(Deadline deadline) {
		this.socket.readUntil(deadline);
		this.wasEmpty = this.replies.isEmpty();
		this.receivedBefore = received();
		try {
			return Protocol.read(this.replies);
		}
		catch (JedisDataException ex) {
			return ex;
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
		return !this.replies.isEmpty();
	}

	/** Whether unread input is available. */
	boolean hasInput() {
		try {
			return !this.replies.isEmpty() || this.socket.hasInput();
		}
		catch (IOException ex) {
			throw new JedisConnectionException(ex);
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
			boolean ignored = this.replies.peek((byte) '*');
		}
		catch (JedisConnectionException ex) {
			if (FailureClassifier.classify(ex) == StoreFailure.TIMEOUT) {
				return;
			}
			throw ex;
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

	/** Reports whether all received input was read. */
	private static final class Replies extends RedisInputStream {

		Replies(InputStream in) {
			super(in);
		}

		boolean isEmpty() {
			return this.count >= this.limit;
		}

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
