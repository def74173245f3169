package dev.ratelimit.memcached;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.memcached.meta.ServerAddress;

/**
 * Stands between a store with one connection and its server, and records what both send.
 */
final class RecordingProxy implements AutoCloseable {

	private final ServerSocket listening;

	private final int port;

	private final List<Socket> open = new CopyOnWriteArrayList<>();

	private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

	private final ByteArrayOutputStream received = new ByteArrayOutputStream();

	RecordingProxy(MemcachedServer server) {
		try {
			this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.port = server.port();
		run(this::accept);
	}

	private static void run(Action action) {
		Thread thread = new Thread(() -> {
			try {
				action.run();
			}
			catch (IOException ex) {
				// One of the two has closed.
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		Socket client = this.listening.accept();
		Socket server = new Socket(InetAddress.getLoopbackAddress(), this.port);
		this.open.addAll(List.of(client, server));
		run(() -> copy(client, server, this.sent));
		copy(server, client, this.received);
	}

	private static void copy(Socket from, Socket to, ByteArrayOutputStream record) throws IOException {
		InputStream in = from.getInputStream();
		OutputStream out = to.getOutputStream();
		byte[] buffer = new byte[4096];
		for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
			record.write(buffer, 0, read);
			out.write(buffer, 0, read);
		}
	}

	ServerAddress address() {
		return new ServerAddress("127.0.0.1", this.listening.getLocalPort());
	}

	/** What was sent since the last call. */
	String sent() {
		return text(this.sent);
	}

	/** What was received since the last call. */
	String received() {
		return text(this.received);
	}

	private static String text(ByteArrayOutputStream record) {
		synchronized (record) {
			String text = record.toString(StandardCharsets.UTF_8);
			record.reset();
			return text.replace("\r\n", "\n");
		}
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	private interface Action {

		void run() throws IOException;

	}

}
