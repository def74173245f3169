package dev.ratelimit.store.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Opens sockets to servers, as a {@link Connector} needs them. Connecting and all reads
 * of the handshake end at one deadline. Only the lookup of the server's name may take
 * longer, which is why no request performs it. Tested by {@code TlsTests}.
 */
public final class ServerSockets {

	/**
	 * Larger than a shared batch, so writing one never waits for a server that does not
	 * read. Linux grants a fifth less unless it is configured otherwise.
	 */
	private static final int SEND_BUFFER_BYTES = 256 * 1024;

	private ServerSockets() {
	}

	/**
	 * Connect to a server. All addresses of its name are tried.
	 * @param host its name or address
	 * @param port its port
	 * @param deadline the end of the attempt
	 * @return the connected socket
	 * @throws IOException if no address accepts the connection in time
	 */
	public static DeadlineSocket connect(String host, int port, Deadline deadline) throws IOException {
		IOException failure = new IOException("No address of " + host + " is known");
		InetAddress[] all = InetAddress.getAllByName(host);
		for (int i = 0; i < all.length; i++) {
			// An address that does not answer leaves time for the others.
			Deadline attempt = Deadline.in(Duration.ofNanos(deadline.leftNanos() / (all.length - i)));
			try {
				return connect(new InetSocketAddress(all[i], port), deadline, attempt);
			}
			catch (IOException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	private static DeadlineSocket connect(InetSocketAddress address, Deadline deadline, Deadline attempt)
			throws IOException {
		DeadlineSocket socket = new DeadlineSocket(deadline);
		try {
			socket.setReuseAddress(true);
			socket.setKeepAlive(true);
			socket.setTcpNoDelay(true);
			// Closing never blocks.
			socket.setSoLinger(true, 0);
			socket.setSendBufferSize(SEND_BUFFER_BYTES);
			socket.connect(address, attempt.leftMillis());
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	/**
	 * Put TLS over a connected socket. The socket is closed if the handshake fails.
	 * @param plain the socket
	 * @param host the name that the certificate of the server has to be valid for
	 * @param port the port of the server
	 * @param sockets creates the socket with TLS
	 * @param parameters protocols, ciphers and how the certificate is checked
	 * @return the socket to write to and read from
	 * @throws IOException if the handshake fails
	 */
	public static Socket secure(DeadlineSocket plain, String host, int port, SSLSocketFactory sockets,
			SSLParameters parameters) throws IOException {
		try {
			SSLSocket secure = (SSLSocket) sockets.createSocket(plain, host, port, true);
			secure.setSSLParameters(parameters);
			secure.startHandshake();
			return secure;
		}
		catch (IOException | RuntimeException ex) {
			plain.close();
			throw ex;
		}
	}

}
