package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;

import dev.ratelimit.store.wire.Deadline;
import dev.ratelimit.store.wire.DeadlineSocket;
import dev.ratelimit.store.wire.ServerSockets;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens one socket to a server for the driver, with TLS where it is configured. It takes
 * no longer than the connect timeout in total, except for the lookup of the server's
 * name. Tested by {@code TlsTests}.
 */
final class Sockets implements JedisSocketFactory {

	private final HostAndPort address;

	private final JedisClientConfig config;

	private @Nullable DeadlineSocket plain;

	private @Nullable Socket socket;

	Sockets(HostAndPort address, JedisClientConfig config) {
		HostAndPortMapper mapper = config.getHostAndPortMapper();
		this.address = (mapper != null) ? mapper.getHostAndPort(address) : address;
		this.config = config;
	}

	/** The plain socket, after it was created. */
	DeadlineSocket plain() {
		return Objects.requireNonNull(this.plain);
	}

	/** The socket to write to and read from, after it was created. */
	Socket socket() {
		return Objects.requireNonNull(this.socket);
	}

	/**
	 * Close what was created. The driver does so after a failure of its own only, and not
	 * if a supplier of credentials or certificates has thrown.
	 */
	void close() {
		try {
			if (this.plain != null) {
				this.plain.close();
			}
		}
		catch (IOException ex) {
			// It is of no use any more.
		}
	}

	@Override
	public Socket createSocket() {
		try {
			Deadline deadline = Deadline.in(Duration.ofMillis(this.config.getConnectionTimeoutMillis()));
			this.plain = ServerSockets.connect(this.address.getHost(), this.address.getPort(), deadline);
			this.socket = this.config.isSsl() ? secure(this.plain) : this.plain;
			return this.socket;
		}
		catch (IOException ex) {
			throw new JedisConnectionException("Failed to connect to " + this.address, ex);
		}
	}

	private Socket secure(DeadlineSocket plain) throws IOException {
		return ServerSockets.secure(plain, this.address.getHost(), this.address.getPort(),
				this.config.getSslSocketFactory(), this.config.getSslParameters());
	}

}
