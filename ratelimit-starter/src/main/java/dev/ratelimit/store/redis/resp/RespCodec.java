package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

import dev.ratelimit.store.wire.Codec;
import dev.ratelimit.store.wire.Command;
import dev.ratelimit.store.wire.Connection;
import dev.ratelimit.store.wire.NoConnectionException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * Redis' protocol, encoded and decoded by Jedis. Tested by {@code RespCodecTests}.
 */
final class RespCodec implements Codec {

	/** {@code \r\n}. */
	private static final int END_OF_LINE = 2;

	private final Slice slice = new Slice();

	private final RedisInputStream replies = new RedisInputStream(this.slice);

	private final RedisOutputStream requests;

	RespCodec(OutputStream out) {
		this.requests = new RedisOutputStream(out);
	}

	/**
	 * Connect, log in and prepare the connection. Blocks at most for the connect timeout,
	 * unless the lookup of the server's name takes longer.
	 * @param address the address of the server
	 * @param config how to connect
	 * @param database the number of the database
	 * @return the connection
	 * @throws NoConnectionException if that fails
	 */
	static Connection connect(HostAndPort address, JedisClientConfig config, int database)
			throws NoConnectionException {
		Sockets sockets = new Sockets(address, config);
		try {
			// The driver's own connection leaves no unread input behind, and is dropped.
			select(database, new redis.clients.jedis.Connection(sockets, config));
			return new Connection(sockets.plain(), sockets.socket(), RespCodec::new);
		}
		catch (IOException | JedisException ex) {
			sockets.close();
			throw RespErrors.noConnection(ex);
		}
		catch (RuntimeException ex) {
			sockets.close();
			throw ex;
		}
	}

	private static void select(int database, redis.clients.jedis.Connection prepared) {
		if (database == 0) {
			return;
		}
		try {
			prepared.select(database);
		}
		catch (JedisDataException ex) {
			throw new JedisDataException(ex.getMessage() + " (spring.data.redis.database is " + database + ")");
		}
	}

	@Override
	public void write(Command command) throws IOException {
		((ScriptCommand) command).writeTo(this.requests);
	}

	@Override
	public void flush() throws IOException {
		this.requests.flush();
	}

	@Override
	public @Nullable Object read(ByteBuffer received) throws IOException {
		int end = endOfReply(received);
		if (end < 0) {
			return null;
		}
		this.slice.set(received, end);
		try {
			return Protocol.read(this.replies);
		}
		catch (JedisDataException ex) {
			return RespErrors.reply(ex);
		}
		catch (JedisConnectionException ex) {
			throw unwrapped(ex);
		}
	}

	/**
	 * Find the end of a reply without decoding it.
	 * @param received the reply, from the position on
	 * @return the index behind its last byte; -1 if a part of it is missing
	 */
	private static int endOfReply(ByteBuffer received) {
		int at = received.position();
		for (long open = 1; open > 0; open--) {
			int line = at;
			do {
				if (at == received.limit()) {
					return -1;
				}
			}
			while (received.get(at++) != '\n');
			byte type = received.get(line);
			if (type == '*') {
				open += Math.max(0, number(received, line + 1));
			}
			else if (type == '$') {
				long length = number(received, line + 1);
				if (length > received.limit() - at - END_OF_LINE) {
					return -1;
				}
				at += (length < 0) ? 0 : (int) length + END_OF_LINE;
			}
		}
		return at;
	}

	/** The number up to the end of its line; -1 for any negative one. */
	private static long number(ByteBuffer received, int from) {
		long number = 0;
		int at = from;
		for (byte digit = received.get(at); digit >= '0' && digit <= '9'; digit = received.get(++at)) {
			number = 10 * number + digit - '0';
		}
		return (received.get(from) == '-') ? -1 : number;
	}

	private static IOException unwrapped(JedisConnectionException ex) {
		return (ex.getCause() instanceof IOException cause) ? cause : new IOException(ex.getMessage(), ex);
	}

	/** One whole reply. */
	private static final class Slice extends InputStream {

		private ByteBuffer received = ByteBuffer.allocate(0);

		private int end;

		void set(ByteBuffer received, int end) {
			this.received = received;
			this.end = end;
		}

		@Override
		public int read() {
			return (this.received.position() < this.end) ? this.received.get() & 0xff : -1;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) {
			int count = Math.min(length, this.end - this.received.position());
			this.received.get(bytes, offset, count);
			return (count > 0) ? count : -1;
		}

	}

}
