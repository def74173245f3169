package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;

import javax.net.ssl.SSLSocket;

import dev.ratelimit.store.wire.Deadline;
import dev.ratelimit.store.wire.DeadlineSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.HostAndPortMapper;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens one socket to a server, with TLS where it is configured. Connecting, the TLS
 * handshake and all reads until the first {@link DeadlineSocket#readUntil} take no longer
 * than the connect timeout in total. Only the lookup of the server's name may take
 * longer, which is why no request performs it.
 */
final class Sockets implements JedisSocketFactory {

	/**
	 * Larger than a shared batch, so writing one never waits for a server that does not
	 * read. Linux grants a fifth less unless it is configured otherwise.
	 */
	private static final int SEND_BUFFER_BYTES = 256 * 1024;

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

	@Override
	public Socket createSocket() {
		try {
			Deadline deadline = Deadline.in(Duration.ofMillis(this.config.getConnectionTimeoutMillis()));
			this.plain = connect(deadline);
			this.socket = this.config.isSsl() ? secure(this.plain) : this.plain;
			return this.socket;
		}
		catch (IOException ex) {
			throw new JedisConnectionException("Failed to connect to " + this.address, ex);
		}
	}

	private DeadlineSocket connect(Deadline deadline) throws IOException {
		IOException failure = new IOException("No address of " + this.address.getHost() + " is known");
		InetAddress[] all = InetAddress.getAllByName(this.address.getHost());
		for (int i = 0; i < all.length; i++) {
			// An address that does not answer leaves time for the others.
			Deadline pending = Deadline.in(Duration.ofNanos(deadline.leftNanos() / (all.length - i)));
			try {
				return connect(new InetSocketAddress(all[i], this.address.getPort()), deadline, pending);
			}
			catch (IOException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	private static DeadlineSocket connect(InetSocketAddress address, Deadline deadline, Deadline pending)
			throws IOException {
		DeadlineSocket socket = new DeadlineSocket(deadline);
		try {
			socket.setReuseAddress(true);
			socket.setKeepAlive(true);
			socket.setTcpNoDelay(true);
			// Closing never blocks.
			socket.setSoLinger(true, 0);
			socket.setSendBufferSize(SEND_BUFFER_BYTES);
			socket.connect(address, pending.leftMillis());
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	private Socket secure(DeadlineSocket plain) throws IOException {
		try {
			SSLSocket secure = (SSLSocket) this.config.getSslSocketFactory()
				.createSocket(plain, this.address.getHost(), this.address.getPort(), true);
			secure.setSSLParameters(this.config.getSslParameters());
			secure.startHandshake();
			return secure;
		}
		catch (IOException | RuntimeException ex) {
			plain.close();
			throw ex;
		}
	}

}
