package dev.ratelimit.sample.applications;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A line to a server, which can be cut: its connections are closed then, and new ones are
 * closed at once, until it is restored.
 */
final class Line implements AutoCloseable {

	private static final int BACKLOG = 50;

	private final ServerSocket listener;

	private final int target;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile boolean cut;

	private Line(int target) throws IOException {
		this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
		this.target = target;
	}

	static Line to(int port) {
		try {
			Line line = new Line(port);
			start(line::accept);
			return line;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.listener.getLocalPort();
	}

	boolean isCut() {
		return this.cut;
	}

	void cut() {
		this.cut = true;
		this.sockets.forEach(this::hangUp);
	}

	void restore() {
		this.cut = false;
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				connect(this.listener.accept());
			}
			catch (IOException ex) {
				// The line is closed, or the client has hung up already.
			}
		}
	}

	private void connect(Socket client) {
		this.sockets.add(client);
		// Checked after it is added: a cut in between would miss it otherwise.
		if (this.cut) {
			hangUp(client);
			return;
		}
		start(() -> {
			try (Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target)) {
				start(() -> pump(server, client));
				pump(client, server);
			}
			catch (IOException ex) {
				hangUp(client);
			}
		});
	}

	private void pump(Socket from, Socket to) {
		try {
			from.getInputStream().transferTo(to.getOutputStream());
		}
		catch (IOException ex) {
			// One side has hung up.
		}
		finally {
			hangUp(from);
			hangUp(to);
		}
	}

	private void hangUp(Socket socket) {
		this.sockets.remove(socket);
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is closed all the same.
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "line");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		cut();
	}

}
