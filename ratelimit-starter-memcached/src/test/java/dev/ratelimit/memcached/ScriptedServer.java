package dev.ratelimit.memcached;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import dev.ratelimit.memcached.meta.ServerAddress;

/**
 * A server that replies what a test says, to reply what no Memcached does.
 */
public final class ScriptedServer implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 5;

	private final ServerSocket listening;

	private final String version;

	private final UnaryOperator<String> replies;

	private final List<Socket> opened = new CopyOnWriteArrayList<>();

	private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

	/**
	 * Start a server.
	 * @param version the version that it reports
	 * @param replies the reply to a line that is neither {@code version} nor {@code mn}
	 */
	public ScriptedServer(String version, UnaryOperator<String> replies) {
		this.version = version;
		this.replies = replies;
		try {
			this.listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		run(this::accept);
	}

	private static void run(Runnable action) {
		Thread thread = new Thread(action);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.listening.accept();
				this.opened.add(client);
				run(() -> serve(client));
			}
		}
		catch (IOException ex) {
			// The test is over.
		}
	}

	private void serve(Socket client) {
		try (client) {
			BufferedReader in = new BufferedReader(
					new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				client.getOutputStream().write(reply(line).getBytes(StandardCharsets.UTF_8));
			}
		}
		catch (IOException ex) {
			// The limiter resets connections that it does not use again.
		}
		this.closed.add("closed");
	}

	private String reply(String line) {
		return switch (line) {
			case "version" -> "VERSION " + this.version + "\r\n";
			case "mn" -> "MN\r\n";
			default -> this.replies.apply(line);
		};
	}

	public ServerAddress address() {
		return new ServerAddress("127.0.0.1", this.listening.getLocalPort());
	}

	/** Wait until a connection is closed, and return whether one was. */
	public boolean awaitClosed() throws InterruptedException {
		return this.closed.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) != null;
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
		for (Socket socket : this.opened) {
			socket.close();
		}
	}

}
