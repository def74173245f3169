package dev.ratelimit.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends requests to an application. Each thread uses its own connection and does as
 * little work as possible, because clients and application share the machine.
 */
final class HttpClients implements Contender {

	private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int STATUS_AT = "HTTP/1.1 ".length();

	private final int port;

	private final String path;

	private final AutoCloseable application;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final ThreadLocal<Connection> connections = ThreadLocal.withInitial(this::connect);

	HttpClients(int port, String path, AutoCloseable application) {
		this.port = port;
		this.path = path;
		this.application = application;
	}

	private Connection connect() {
		try {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
			socket.setTcpNoDelay(true);
			this.sockets.add(socket);
			return new Connection(socket, new BufferedInputStream(socket.getInputStream()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public boolean tryAcquire(String key) {
		Connection connection = this.connections.get();
		try {
			connection.socket.getOutputStream()
				.write(("GET " + this.path + " HTTP/1.1\r\nHost: localhost\r\nX-Client: " + key + "\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			Reply reply = connection.read();
			if (reply.closed()) {
				connection.socket.close();
				this.connections.remove();
			}
			if (reply.status() != 200 && reply.status() != 429) {
				throw new IllegalStateException("The application responded with status " + reply.status());
			}
			return reply.status() == 200;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			for (Socket socket : this.sockets) {
				socket.close();
			}
			this.application.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException("An application does not close", ex);
		}
	}

	/**
	 * A response.
	 *
	 * @param status its status
	 * @param closed whether the connection is closed after it
	 */
	private record Reply(int status, boolean closed) {
	}

	private record Connection(Socket socket, InputStream in) {

		Reply read() throws IOException {
			byte[] head = new byte[4096];
			int length = 0;
			int matched = 0;
			while (matched < END_OF_HEAD.length) {
				int next = this.in.read();
				if (next < 0 || length == head.length) {
					throw new IOException("The head of the response has no end");
				}
				head[length++] = (byte) next;
				matched = (next == END_OF_HEAD[matched]) ? matched + 1 : (next == END_OF_HEAD[0]) ? 1 : 0;
			}
			String text = new String(head, 0, length, StandardCharsets.US_ASCII);
			this.in.skipNBytes(bodyLength(text));
			return new Reply(Integer.parseInt(text, STATUS_AT, STATUS_AT + 3, 10),
					text.contains("\r\nConnection: close"));
		}

		private static int bodyLength(String head) {
			String name = "\r\nContent-Length: ";
			int at = head.indexOf(name);
			if (at < 0) {
				throw new IllegalStateException("A body of unknown length: " + head);
			}
			return Integer.parseInt(head, at + name.length(), head.indexOf('\r', at + 2), 10);
		}

	}

}
