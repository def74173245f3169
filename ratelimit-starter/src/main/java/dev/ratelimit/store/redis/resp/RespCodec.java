package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import dev.ratelimit.store.wire.Codec;
import dev.ratelimit.store.wire.Command;
import dev.ratelimit.store.wire.Connection;
import dev.ratelimit.store.wire.NoConnectionException;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * Redis' protocol, encoded and decoded by Jedis. Tested by {@code ProvokedErrorsTests}.
 */
final class RespCodec implements Codec {

	private final Replies replies;

	private final RedisOutputStream requests;

	RespCodec(InputStream in, OutputStream out) {
		this.replies = new Replies(in);
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
	public Object read() throws IOException {
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

	@Override
	public boolean hasUnread() {
		return !this.replies.isEmpty();
	}

	@Override
	public void awaitInput() throws IOException {
		try {
			boolean ignored = this.replies.peek((byte) '*');
		}
		catch (JedisConnectionException ex) {
			throw unwrapped(ex);
		}
	}

	private static IOException unwrapped(JedisConnectionException ex) {
		return (ex.getCause() instanceof IOException cause) ? cause : new IOException(ex.getMessage(), ex);
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

}
