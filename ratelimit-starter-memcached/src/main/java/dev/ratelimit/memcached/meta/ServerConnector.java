package dev.ratelimit.memcached.meta;

import java.io.EOFException;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLParameters;

import dev.ratelimit.store.wire.Connection;
import dev.ratelimit.store.wire.Connector;
import dev.ratelimit.store.wire.Deadline;
import dev.ratelimit.store.wire.DeadlineSocket;
import dev.ratelimit.store.wire.NoConnectionException;
import dev.ratelimit.store.wire.ServerSockets;

/**
 * Connects, logs in, and refuses servers that are too old for the commands of the
 * limiter. Blocks at most for the connect timeout, unless the lookup of the server's name
 * takes longer.
 */
final class ServerConnector implements Connector {

	/** The oldest version that was tried. */
	static final Version OLDEST = Version.parse("1.6.12");

	private static final Pattern VERSION = Pattern.compile("VERSION (\\d{1,6}\\.\\d{1,6}\\.\\d{1,6})\\b.*");

	private static final int LONGEST_LINE = 2048;

	private final Duration timeout;

	private final Optional<Credentials> credentials;

	private final Optional<Tls> tls;

	private volatile Optional<String> unusable = Optional.empty();

	ServerConnector(Duration timeout, Optional<Credentials> credentials, Optional<Tls> tls) {
		this.timeout = timeout;
		this.credentials = credentials;
		this.tls = tls;
	}

	/**
	 * Why a server that answered can never be used.
	 * @return the server and its version; empty if each that answered can be used
	 */
	Optional<String> unusable() {
		return this.unusable;
	}

	@Override
	public Connection connect(String address) throws NoConnectionException {
		ServerAddress server = ServerAddress.of(address).orElseThrow();
		try {
			DeadlineSocket plain = ServerSockets.connect(server.host(), server.port(), Deadline.in(this.timeout));
			try {
				Socket socket = secure(plain, server);
				logIn(socket);
				requireVersion(socket, server);
				return new Connection(plain, socket, MetaCodec::new);
			}
			catch (IOException | NoConnectionException | RuntimeException ex) {
				plain.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw MetaErrors.noConnection(ex);
		}
	}

	private Socket secure(DeadlineSocket plain, ServerAddress server) throws IOException {
		if (this.tls.isEmpty()) {
			return plain;
		}
		SSLParameters parameters = this.tls.get().parameters().get();
		// Without this, a certificate of any host would be accepted.
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		return ServerSockets.secure(plain, server.host(), server.port(), this.tls.get().sockets().get(), parameters);
	}

	/**
	 * The key and the numbers of this {@code set} mean nothing to a server with users.
	 * One without would store the password, so it is expired already, under a key that no
	 * application uses.
	 */
	private void logIn(Socket socket) throws IOException, NoConnectionException {
		if (this.credentials.isEmpty()) {
			return;
		}
		String payload = this.credentials.get().username() + " " + this.credentials.get().password();
		String line = ask("set dev.ratelimit.memcached:login 0 -1 " + payload.getBytes(StandardCharsets.UTF_8).length
				+ "\r\n" + payload + "\r\n", socket);
		if (!"STORED".equals(line)) {
			throw MetaErrors.noConnection(line);
		}
	}

	private void requireVersion(Socket socket, ServerAddress server) throws IOException, NoConnectionException {
		String line = ask("version\r\n", socket);
		Optional<Version> version = version(line);
		if (version.isEmpty()) {
			throw MetaErrors.noConnection(line);
		}
		if (version.get().compareTo(OLDEST) < 0) {
			String reason = "Memcached at %s has version %s, and %s or newer is needed".formatted(server, version.get(),
					OLDEST);
			this.unusable = Optional.of(reason);
			throw MetaErrors.noConnection(reason);
		}
	}

	/** Send a command whose reply is one line. */
	private static String ask(String command, Socket socket) throws IOException {
		socket.getOutputStream().write(command.getBytes(StandardCharsets.UTF_8));
		StringBuilder line = new StringBuilder();
		// Leaves all that follows to the codec.
		for (int c = socket.getInputStream().read(); c != '\n'; c = socket.getInputStream().read()) {
			if (c < 0 || line.length() == LONGEST_LINE) {
				throw new EOFException("Memcached has closed the connection, or a line of its reply does not end");
			}
			line.append((char) c);
		}
		return line.toString().stripTrailing();
	}

	/**
	 * Read the reply to {@code version}.
	 * @param line for example {@code VERSION 1.6.18}
	 * @return the version; empty if the line has another form
	 */
	static Optional<Version> version(String line) {
		Matcher matcher = VERSION.matcher(line);
		return matcher.matches() ? Optional.of(Version.parse(matcher.group(1))) : Optional.empty();
	}

}
